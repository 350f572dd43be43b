/* window_truth.h - windows that a simulated target sends, compared with all entries and exits
 * that there were. */
#ifndef TESTS_FIRMWARE_WINDOW_TRUTH_H
#define TESTS_FIRMWARE_WINDOW_TRUTH_H

#include "sim/sim.h"

#include "protocol/stack_follower.h"

enum { TRUTH_CONTEXTS = 64, TRUTH_EVENTS = 400000, TRUTH_WINDOWS = 512, TRUTH_WINDOW_EVENTS = 2 * 64 };

/* One entry or exit, somewhere in the time that its hook took. */
struct truth_event {
    uint32_t function, context;
    uint32_t begin, end; /* ticks modulo 2^32 */
    bool is_enter;
    uint32_t top; /* the innermost call that ran before it in its context: its entry + 1, 0: none did */
};

/* A window, as it was sent. */
struct told_window {
    uint32_t events;
    uint32_t event[TRUTH_WINDOW_EVENTS]; /* numbers of what is true */
    uint32_t time[TRUTH_WINDOW_EVENTS];
    bool is_over;
    uint8_t why;
    uint32_t function, ticks, triggered, missed;
    uint32_t opens, packets;
};

extern struct truth {
    struct truth_event event[TRUTH_EVENTS];
    uint32_t n;
    uint32_t top[TRUTH_CONTEXTS]; /* as an event's, by its context */
    struct told_window window[TRUTH_WINDOWS];
    uint32_t windows;
    bool is_depth_known; /* false: jumps out of calls that have no node, or the flat form */
} truth;

/* From here on it is noted what happens, and windows are read. Every event is found, in its order; depths and
 * calls that were sent as running did run. */
void truth_start(void);

/* Each window is one stretch of what happened, in every context, and what kept it is in it. */
void truth_assert_windows(void);

/* Outermost calls of the function from event `from` on that took longer, in whatever context. */
uint32_t truth_slow_calls(uint32_t function, uint32_t ticks, uint32_t from);

#endif
