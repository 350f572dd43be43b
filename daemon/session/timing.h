/* timing.h - the delays and timeouts of a session. */
#ifndef SESSION_TIMING_H
#define SESSION_TIMING_H

#include <stdint.h>

/* In milliseconds. Zero means the default; only tests use other values. */
struct session_timing {
    uint32_t update_ms;       /* 100: least interval of snapshots, see beat.h */
    uint32_t answer_ms;       /* 500: timeout for the device's answer to a command */
    uint32_t describe_ms;     /* 200: ... to DESCRIBE, which many devices do not know; less for quick ones */
    uint32_t status_ms;       /* 1000: interval of STATUS commands */
    uint32_t slow_ms;         /* 2000: interval of attempts at a device that does not answer */
    uint32_t retry_first_ms;  /* 100: delay before the first attempt to reopen the source; doubled ... */
    uint32_t retry_most_ms;   /* 2000: ... each time, up to this */
    uint32_t idle_ms;         /* 50: a line without a byte for this long is quiet */
    uint32_t quiet_ms;        /* 250: after STOP, a line without a byte for this long has sent everything */
    uint32_t drain_most_ms;   /* 2000: ... and reading ends after this time */
    uint32_t gather_ms;       /* 100: bytes of a live source may wait this long, see source_patience_ms() */
    uint32_t elf_check_ms;    /* 1000: interval of checks of the ELF file */
    uint32_t stuck_ms;        /* 5000: longer pieces of work of the ingest thread are reported */
    uint32_t record_flush_ms; /* 1000: a crash may lose this much of a recording */
};

/* Returns `wanted`, with the defaults in place of zeros. */
struct session_timing session_timing_complete(const struct session_timing *wanted);

#endif
