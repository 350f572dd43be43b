/* kept.h - the windows of a snapshot: stretches of time of which all events are known, each with the reason
 * why it was kept.
 *
 * A target that counts its calls itself sends such windows beside its sums. Of one that tells every call
 * anyway, each call that took too long is listed in the same way. */
#ifndef SNAPSHOT_KEPT_H
#define SNAPSHOT_KEPT_H

#include "event.h"

/* How many windows a profile lists at most: the newest, and of those before the ones of the longest calls. */
enum { KEPT_NEWEST_MAX = 256, KEPT_LONGEST_MAX = 32, KEPT_MAX = KEPT_NEWEST_MAX + KEPT_LONGEST_MAX };

/* One window. */
struct snapshot_kept {
    uint64_t number; /* of those since the profile was cleared: 0, 1, 2 */
    uint64_t from_ticks, to_ticks;
    uint8_t reason;          /* enum event_window_reason; the next three mean nothing where it is UNTOLD */
    uint64_t trigger_ticks;  /* when it was asked for, or the call ended */
    uint32_t function;       /* SLOW: of the call */
    uint64_t duration_ticks; /* SLOW: of the call */
    uint32_t missed;         /* triggers before it of which nothing was kept */
    uint64_t lost;           /* calls inside of which nothing came */
    bool is_excerpt;         /* the target sent it, and what lies between two of these is not known */
    bool is_open;            /* more of it may come */
    bool is_whole;           /* neither its begin nor its end is missing */
};

/* The windows that are listed, by number. */
struct snapshot_windows {
    bool are_all; /* the target counts its calls itself: when one ran is known inside of windows only */
    const struct snapshot_kept *rows;
    uint32_t count;
    uint64_t told;    /* in all */
    uint64_t missed;  /* triggers of which nothing was kept */
    uint64_t changed; /* sequence */
};

/* How much of [from, to] lies in windows that the target sent, in ticks. */
uint64_t snapshot_kept_ticks(const struct snapshot_windows *windows, uint64_t from_ticks, uint64_t to_ticks);

#endif
