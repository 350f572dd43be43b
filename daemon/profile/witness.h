/* witness.h - finds out whether records are missing.
 *
 * Missing bytes are visible on the wire. Records that did not fit in the target's buffer are not, nor is a
 * completely missing packet. A STATUS has the number of overflows of the buffer, and the number of records
 * put into it. Some of these have arrived, some are still in the buffer, and some were lost. So what matters
 * is captured minus arrived. If that is the same at two STATUS, and the buffer is no emptier at the second,
 * nothing between them was lost on the way. If the number of overflows is also the same, nothing was lost
 * before it was sent. */
#ifndef PROFILE_WITNESS_H
#define PROFILE_WITNESS_H

#include "event.h"

enum verdict {
    VERDICT_NONE,     /* unknown yet */
    VERDICT_COMPLETE, /* no record is missing between the last verdict and this one */
    VERDICT_BROKEN,   /* a record may be missing, and it will not become known later */
};

struct witness {
    uint64_t came; /* records that arrived since the target's count began */
    bool has_mark;
    int32_t mark_missing; /* captured minus arrived at the last verdict, or a later equal one */
    uint8_t mark_usage;   /* fill level of the buffer at that time, in percent */
    bool has_status;
    uint32_t overflows, captured; /* of the last STATUS */
    uint32_t unsettled;           /* STATUS packets since the last verdict */
    bool gap_waits;               /* records captured before an overflow may not have arrived yet */
    uint32_t gap_captured;        /* the target's count when that overflow was reported */
    uint64_t gap_came;            /* our count when all of these have arrived, at the latest */
};

/* The target counts from 0, and so do we. */
void witness_restart(struct witness *witness);

/* Bytes are missing, or something else shows a gap. */
void witness_break(struct witness *witness);

/* The same, and the target may have restarted its count earlier. Our count restarts, so that it is never
 * higher than what arrived since then. */
void witness_doubt(struct witness *witness);

/* Counts records that arrived. */
static inline void witness_pass(struct witness *witness, size_t records)
{
    witness->came += records;
}

/* Reads a STATUS, and returns the verdict. */
enum verdict witness_hear(struct witness *witness, const struct event *status);

#endif
