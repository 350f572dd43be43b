/* timing.h - how long things take in a session. */
#ifndef SESSION_TIMING_H
#define SESSION_TIMING_H

#include <stdint.h>

/* In milliseconds. Zero means the default, which is right except for tests. */
struct session_timing {
    uint32_t update_ms;      /* 100: at least this long from one snapshot to the next, see beat.h */
    uint32_t answer_ms;      /* 500: how long the device may take to answer a command */
    uint32_t describe_ms;    /* 200: ... DESCRIBE, which many do not know; those that are quick have less */
    uint32_t status_ms;      /* 1000: between two STATUS commands */
    uint32_t slow_ms;        /* 2000: between two attempts at a device that does not answer */
    uint32_t retry_first_ms; /* 100: before the first new attempt to open the source; then twice as long */
    uint32_t retry_most_ms;  /* 2000: ... each time, up to this */
    uint32_t idle_ms;        /* 50: a line without a byte for at least this long has gone quiet */
    uint32_t quiet_ms;       /* 250: after STOP, a line without a byte for this long has reported all */
    uint32_t drain_most_ms;  /* 2000: ... and is not listened to for longer */
    uint32_t gather_ms;    /* 100: bytes of a live source may wait for this long, see source_patience_ms() */
    uint32_t elf_check_ms; /* 1000: between two looks at the ELF file */
    uint32_t stuck_ms;     /* 5000: one piece of work of the ingest thread that takes longer is reported */
    uint32_t record_flush_ms; /* 1000: a crash may cost this much of a recording */
};

/* What is wanted, with the defaults in the place of zeros. */
struct session_timing session_timing_complete(const struct session_timing *wanted);

#endif
