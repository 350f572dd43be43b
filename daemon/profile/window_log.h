/* window_log.h - lists windows that a target kept, and slow calls where every call is reported. */
#ifndef PROFILE_WINDOW_LOG_H
#define PROFILE_WINDOW_LOG_H

#include "profile/functions.h"
#include "snapshot/kept.h"

/* The trigger where every call is reported. */
struct kept_watch {
    uint64_t address; /* of the function, without a Thumb bit; 0: no trigger */
    uint64_t ticks;   /* longer calls are listed */
};

/* The newest windows are in a ring. Of those that leave it, the ones with the longest calls are kept. */
struct kept {
    struct snapshot_kept *newest; /* KEPT_NEWEST_MAX elements; NULL until needed */
    uint32_t first, count;
    struct snapshot_kept longest[KEPT_LONGEST_MAX]; /* in no order */
    uint32_t longest_count;
    uint64_t told;
    uint64_t missed_told;    /* triggers for which no window was kept, as reported in windows */
    uint64_t missed_counted; /* the same, as reported in STATUS */
    uint32_t missed_heard;   /* the last count from STATUS */
    uint64_t changed;        /* sequence number */
    struct kept_watch watch;
};

/* All zero is the empty list. kept_clear() removes the windows, and keeps the trigger. */
void kept_fini(struct kept *kept);
void kept_clear(struct kept *kept);

/* Reads a WINDOW event; `function` is the row of its function, or 0. */
void kept_hear(struct kept *kept, const struct event *event, uint32_t function, uint64_t sequence);

/* Reads how many triggers of its run have no window; also reported when no window is. Returns true if the
 * number increased. */
bool kept_count_missed(struct kept *kept, uint32_t missed, uint64_t sequence);

/* Returns the number of triggers without a window since the last clear. */
uint64_t kept_missed(const struct kept *kept);

/* Records that something in the open window was reported at `ticks`, where `lost` calls are missing. */
void kept_pass(struct kept *kept, uint64_t ticks, uint64_t lost, uint64_t sequence);

/* True when a window is open; *newest_ticks is its latest reported tick. */
bool kept_is_open(const struct kept *kept, uint64_t *newest_ticks);

/* Ends the open window as incomplete, since the next events do not belong to it. */
void kept_break(struct kept *kept, uint64_t sequence);

/* Lists a slow call that was reported on its own, and ended at `end_ticks`. */
void kept_list(struct kept *kept, uint32_t function, uint64_t end_ticks, uint64_t duration_ticks,
               uint64_t sequence);

/* True when a call of that function and duration exceeds the trigger. */
static inline bool kept_is_watched(const struct kept *kept, const struct functions *functions,
                                   uint32_t function, uint64_t duration_ticks)
{
    const struct snapshot_function *row = &functions->rows[function];
    return kept->watch.address && duration_ticks > kept->watch.ticks && row->has_address &&
           (row->address & ~UINT64_C(1)) == kept->watch.address;
}

/* Makes the list for a snapshot, which the caller frees; NULL when memory is used up. */
struct snapshot_kept *kept_freeze(const struct kept *kept, uint32_t *n);

#endif
