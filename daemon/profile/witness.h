/* witness.h - whether it is known that no record is missing.
 *
 * The wire shows when bytes are missing; it does not show what the target's buffer had no room for, nor a
 * packet that is missing as a whole. A STATUS tells how often the buffer was full, and how many records went
 * into it. Of these some came, some wait in the buffer, and some were lost; so what counts is captured less
 * come. Two STATUS between which that is the same, the buffer being no emptier at the second, are proof that
 * nothing between them was lost on the way; and the same count of overflows, that nothing was lost before it
 * was sent. */
#ifndef PROFILE_WITNESS_H
#define PROFILE_WITNESS_H

#include "event.h"

enum verdict {
    VERDICT_NONE,     /* not known yet */
    VERDICT_COMPLETE, /* no record is missing between the last verdict and this one */
    VERDICT_BROKEN,   /* one may be, and that will not be known better later */
};

struct witness {
    uint64_t came; /* records, since the target counts */
    bool has_mark;
    int32_t mark_missing; /* captured less come, at the last verdict, or a later time for which that holds */
    uint8_t mark_usage;   /* how full the buffer was then, percent */
    bool has_status;
    uint32_t overflows, captured; /* of the last STATUS */
    uint32_t unsettled;           /* STATUS since the last verdict */
    bool gap_waits;               /* what was captured before an overflow may still be to come */
    uint32_t gap_captured;        /* the target's count when that overflow was reported, */
    uint64_t gap_came;            /* and ours when all of it has come at the latest */
};

/* The target counts from 0, and so do we. */
void witness_restart(struct witness *witness);

/* Bytes are missing, or something else that only a gap explains. */
void witness_break(struct witness *witness);

/* The same, and the target may have begun to count again at some time before: ours begins again, so that
 * never more than what came is taken to have come. */
void witness_doubt(struct witness *witness);

/* Counts records that came. */
static inline void witness_pass(struct witness *witness, size_t records)
{
    witness->came += records;
}

/* A STATUS came. */
enum verdict witness_hear(struct witness *witness, const struct event *status);

#endif
