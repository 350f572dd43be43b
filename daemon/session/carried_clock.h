/* carried_clock.h - where the ticks of a dialect that packets carry lie among those of the link.
 *
 * Each has a clock of its own, which began at another moment and may have another rate. A packet of the
 * carried one holds what happened before it was sent, and so do the link's packets before it: so the newest
 * of the one is taken for the newest of the other. That is as right as both are quick to send what they have;
 * the carried times keep their distances from one another, which are exact, as long as something of them is
 * open. */
#ifndef SESSION_CARRIED_CLOCK_H
#define SESSION_CARRIED_CLOCK_H

#include "event.h"

enum { CARRIED_CONTEXTS_MOST = 16 };

/* The link's own clock, as far as it was reported. Zero is the start state. */
struct link_clock {
    bool is_known;
    uint64_t newest, hz; /* the latest tick; 0: its rate is not known */
    uint64_t first;      /* the tick at which the first event with a time began */
    uint64_t same;       /* events since then with about that tick; 0 after one with another */
    uint64_t lines; /* times that what follows has another line of time: a restart, another run or unit */
    bool rests;     /* the target has stopped: its time does not go on */
};

/* A carried clock. Zero is the start state: its ticks are passed on as they are. */
struct carried_clock {
    uint64_t hz; /* as the dialect tells it; 0: not known */
    bool is_placed;
    bool is_due;                     /* the target started again since */
    uint64_t own, link;              /* the same moment by both */
    uint64_t placed_hz, placed_link; /* both rates as they were known then */
    bool is_told;                    /* something was */
    bool is_unsure;                  /* it is not known what is open */
    struct carried_open {
        uint32_t context, depth;
    } open[CARRIED_CONTEXTS_MOST]; /* calls that have not ended */
    uint32_t open_n;
};

/* Takes in what the link's own dialect tells; in `lines` what its events say,
 * link_clock_restart() the rest. */
void link_clock_see(struct link_clock *clock, const struct event *events, size_t n);

/* The target started again: the time in which it was off is not on its line of time. */
static inline void link_clock_restart(struct link_clock *clock)
{
    clock->lines++;
}

/* Tells whether the clock is to be placed before what comes next is reported: it never was, a rate is
 * another, or the target started again. Never while a call is open, which would be measured wrong. */
bool carried_clock_is_due(const struct carried_clock *clock, const struct link_clock *link);

/* Places `own`, the newest tick of what comes next, at the link's newest, unless what was reported before
 * would lie behind that. `hz` is its rate as reported by then. */
void carried_clock_place(struct carried_clock *clock, const struct link_clock *link, uint64_t own,
                         uint64_t hz);

/* Converts an event's ticks, and keeps account of the rate and of what is open. */
void carried_clock_convert(struct carried_clock *clock, struct event *event);

/* The target started again: nothing is open, and the next packet places the clock. */
void carried_clock_reset(struct carried_clock *clock);

#endif
