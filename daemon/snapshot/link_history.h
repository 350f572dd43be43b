/* link_history.h - how the link did since the daemon began to listen, in memory of a fixed size.
 *
 * Time is cut into slots of one length. When they are used up, two and two are made one, so that a slot is as
 * long as it takes to hold all of it: a second in the first twelve minutes, two minutes after a day. */
#ifndef SNAPSHOT_LINK_HISTORY_H
#define SNAPSHOT_LINK_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_link;

enum { HISTORY_SLOTS = 720, HISTORY_STEP_MS = 1000, HISTORY_FIGURES = 48 };

/* What came in a slot. */
struct history_slot {
    uint64_t bytes, records, errors;
    uint32_t up_ms; /* the source was there; 0: it was away, and what did not come is not known */
};

/* Zero is the start state. Times are of the monotonic clock. */
struct link_history {
    uint64_t begin_ms, step_ms; /* of the first slot; 0 before the first link_history_add() */
    uint64_t last_ms;           /* of the newest one */
    bool was_up;
    uint64_t bytes, records, errors; /* totals then */
    uint32_t slots_used;
    struct history_slot slots[HISTORY_SLOTS];

    /* Of each figure of figures_link that adds up, by its row there: its total, and when it was last seen to
     * have grown; 0: never. */
    uint64_t totals[HISTORY_FIGURES], grown_ms[HISTORY_FIGURES];
};

/* Takes in the totals of now. `overflows` are those of the target's buffer; `up` says that the source is
 * there from now on. A total that is less than before begins again. */
void link_history_add(struct link_history *history, const struct snapshot_link *link, uint64_t overflows,
                      bool up, uint64_t now_ms);

/* Has the time go on to now, in which nothing came. */
void link_history_wait(struct link_history *history, uint64_t now_ms);

#endif
