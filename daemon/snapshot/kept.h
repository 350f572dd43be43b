/* kept.h - a snapshot's kept windows: stretches of time of which all events are known, each with the reason
 * why it was kept.
 *
 * A target that counts its calls itself sends such windows beside its sums. Of one that sends every call
 * anyway, each call that took too long is listed in the same way. */
#ifndef SNAPSHOT_KEPT_H
#define SNAPSHOT_KEPT_H

#include "event.h"

/* Limits of the list of windows: the newest, and the ones with the longest calls among the older ones. */
enum { KEPT_NEWEST_MAX = 256, KEPT_LONGEST_MAX = 32, KEPT_MAX = KEPT_NEWEST_MAX + KEPT_LONGEST_MAX };

/* One window. */
struct snapshot_kept {
    uint64_t number; /* since the profile was cleared: 0, 1, 2 */
    uint64_t from_ticks, to_ticks;
    uint8_t reason;          /* enum event_window_reason; when it is UNTOLD, the next three are undefined */
    uint64_t trigger_ticks;  /* when the window was requested, or the call ended */
    uint32_t function;       /* SLOW: the slow call's function */
    uint64_t duration_ticks; /* SLOW: the slow call's duration */
    uint32_t missed;         /* triggers before it for which no window was kept */
    uint64_t lost;           /* calls inside it that did not arrive */
    bool is_excerpt;         /* sent by the target; the time between two of these is unknown */
    bool is_open;            /* more events may follow */
    bool is_whole;           /* neither its start nor its end is missing */
};

/* The listed windows, sorted by number. */
struct snapshot_windows {
    bool are_all; /* the target counts its calls itself: times of calls are only known inside windows */
    const struct snapshot_kept *rows;
    uint32_t count;
    uint64_t told;    /* windows in all */
    uint64_t missed;  /* triggers for which no window was kept */
    uint64_t changed; /* sequence number */
};

/* Returns the ticks of [from, to] that are inside windows sent by the target. */
uint64_t snapshot_kept_ticks(const struct snapshot_windows *windows, uint64_t from_ticks, uint64_t to_ticks);

#endif
