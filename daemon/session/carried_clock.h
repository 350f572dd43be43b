/* carried_clock.h - converts the ticks of a dialect carried in packets to ticks of the link.
 *
 * Each has its own clock, with its own zero and possibly its own rate. A carried packet contains what
 * happened before it was sent, as do the link's packets before it. So the newest tick of one is taken for the
 * newest of the other; the error is the delay with which both send their data. While a carried call is open
 * the offset is not changed, so durations are exact. */
#ifndef SESSION_CARRIED_CLOCK_H
#define SESSION_CARRIED_CLOCK_H

#include "event.h"

enum { CARRIED_CONTEXTS_MOST = 16 };

/* The link's own clock, as far as it was reported. Zero is the start state. */
struct link_clock {
    bool is_known;
    uint64_t newest, hz; /* the latest tick; rate, 0 if unknown */
    uint64_t first;      /* the tick at which the first event with a time began */
    uint64_t same;       /* events since `newest` at about that tick; 0 after one at another */
    uint64_t lines;      /* number of times that a new time line began: a restart, another run or unit */
    bool rests;          /* the target has stopped, and so has its time */
};

/* A carried clock. Zero is the start state: its ticks are passed on as they are. */
struct carried_clock {
    uint64_t hz; /* as sent by the dialect; 0: unknown */
    bool is_placed;
    bool is_due;                     /* the target has restarted since */
    uint64_t own, link;              /* the same moment on both clocks */
    uint64_t placed_hz, placed_link; /* both rates, as known then */
    bool is_told;                    /* an event was passed on */
    bool is_unsure;                  /* it is unknown which calls are open */
    struct carried_open {
        uint32_t context, depth;
    } open[CARRIED_CONTEXTS_MOST]; /* calls that have not ended */
    uint32_t open_n;
};

/* Reads events of the link's own dialect, and counts their breaks in `lines`; link_clock_restart() adds
 * restarts. */
void link_clock_see(struct link_clock *clock, const struct event *events, size_t n);

/* The target has restarted: the time it was off is not on its time line. */
static inline void link_clock_restart(struct link_clock *clock)
{
    clock->lines++;
}

/* True if the clock must be placed before the next packet: it never was, a rate has changed, or the target
 * has restarted. Never true while a call is open, whose duration would become wrong. */
bool carried_clock_is_due(const struct carried_clock *clock, const struct link_clock *link);

/* Sets `own`, the newest tick of the next packet, equal to the link's newest tick, unless events already
 * passed on would then be later. `hz` is the clock's rate at that tick. */
void carried_clock_place(struct carried_clock *clock, const struct link_clock *link, uint64_t own,
                         uint64_t hz);

/* Converts an event's ticks, and keeps track of the rate and of open calls. */
void carried_clock_convert(struct carried_clock *clock, struct event *event);

/* The target has restarted: no call is open, and the next packet places the clock. */
void carried_clock_reset(struct carried_clock *clock);

#endif
