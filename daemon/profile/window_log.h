/* window_log.h - the windows that a target kept around a trigger, and the calls that would have been one. */
#ifndef PROFILE_WINDOW_LOG_H
#define PROFILE_WINDOW_LOG_H

#include "profile/functions.h"
#include "snapshot/kept.h"

/* What call is worth a window where every call is reported. */
struct kept_watch {
    uint64_t address; /* of the function, without a Thumb bit; 0: none is */
    uint64_t ticks;   /* a call that took longer */
};

/* The newest windows are a ring, and those of the longest calls stay when they leave it. */
struct kept {
    struct snapshot_kept *newest; /* KEPT_NEWEST_MAX; NULL until needed */
    uint32_t first, count;
    struct snapshot_kept longest[KEPT_LONGEST_MAX]; /* in no order */
    uint32_t longest_count;
    uint64_t told;
    uint64_t missed_told;    /* triggers of which nothing was kept, as windows report */
    uint64_t missed_counted; /* the same, as the target counted them when it was asked */
    uint32_t missed_heard;   /* that count as it was reported last */
    uint64_t changed;        /* sequence */
    struct kept_watch watch;
};

/* Zero is the empty list. kept_clear() forgets the windows, not what is watched for. */
void kept_fini(struct kept *kept);
void kept_clear(struct kept *kept);

/* Takes in a WINDOW event; `function` is the row of the one that it names, 0 where it names none. */
void kept_hear(struct kept *kept, const struct event *event, uint32_t function, uint64_t sequence);

/* Takes in how many triggers of its run the target kept no window of: that comes also where no window does.
 * True when there are more than was known. */
bool kept_count_missed(struct kept *kept, uint32_t missed, uint64_t sequence);

/* Triggers of which nothing was kept, since the list was cleared. */
uint64_t kept_missed(const struct kept *kept);

/* Takes in that something of the open window was reported, which lies at `ticks`; `lost` calls are missing
 * there. */
void kept_pass(struct kept *kept, uint64_t ticks, uint64_t lost, uint64_t sequence);

/* True when a window is open, and the newest tick of it that was reported. */
bool kept_is_open(const struct kept *kept, uint64_t *newest_ticks);

/* What comes has nothing to do with the open window: it is what has come of it. */
void kept_break(struct kept *kept, uint64_t sequence);

/* Lists a call that was reported on its own, if it is one to watch for: it ended at `end_ticks`. */
void kept_list(struct kept *kept, uint32_t function, uint64_t end_ticks, uint64_t duration_ticks,
               uint64_t sequence);

/* True when a call of that function and length is one to watch for. */
static inline bool kept_is_watched(const struct kept *kept, const struct functions *functions,
                                   uint32_t function, uint64_t duration_ticks)
{
    const struct snapshot_function *row = &functions->rows[function];
    return kept->watch.address && duration_ticks > kept->watch.ticks && row->has_address &&
           (row->address & ~UINT64_C(1)) == kept->watch.address;
}

/* Makes the list that a snapshot holds, which the caller frees; NULL when memory is used up. */
struct snapshot_kept *kept_freeze(const struct kept *kept, uint32_t *n);

#endif
