/* link_history.h - the link's health since the daemon's start, in memory of a fixed size.
 *
 * Time is divided into slots of equal length. When all are used, pairs of slots are merged, so slots are as
 * long as needed to cover all time: a second in the first twelve minutes, two minutes after a day. */
#ifndef SNAPSHOT_LINK_HISTORY_H
#define SNAPSHOT_LINK_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_link;

enum { HISTORY_SLOTS = 720, HISTORY_STEP_MS = 1000, HISTORY_FIGURES = 48 };

/* What arrived in a slot. */
struct history_slot {
    uint64_t bytes, records, errors;
    uint32_t up_ms; /* how long the source was connected; 0: losses in this time are unknown */
};

/* All zero is the initial state. Times are of the monotonic clock. */
struct link_history {
    uint64_t begin_ms, step_ms; /* of the first slot; 0 before the first link_history_add() */
    uint64_t last_ms;           /* time of the newest update */
    bool was_up;
    uint64_t bytes, records, errors; /* totals at that time */
    uint32_t slots_used;
    struct history_slot slots[HISTORY_SLOTS];

    /* For each summed figure of figures_link, by its row there: its total, and when it last grew (0: never). */
    uint64_t totals[HISTORY_FIGURES], grown_ms[HISTORY_FIGURES];
};

/* Adds the current totals. `overflows` counts those of the target's buffer. `up` is true if the source is
 * connected from now on. A total that decreased is taken as a new start. */
void link_history_add(struct link_history *history, const struct snapshot_link *link, uint64_t overflows,
                      bool up, uint64_t now_ms);

/* Advances the time to now, during which nothing arrived. */
void link_history_wait(struct link_history *history, uint64_t now_ms);

#endif
