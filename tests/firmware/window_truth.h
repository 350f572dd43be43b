/* window_truth.h - compares windows that a simulated target sends with all entries and exits that happened. */
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
    uint32_t top; /* entry + 1 of the innermost call that ran before it in its context; 0 for none */
};

/* A window as received. */
struct told_window {
    uint32_t events;
    uint32_t event[TRUTH_WINDOW_EVENTS]; /* indexes of the true events */
    uint32_t time[TRUTH_WINDOW_EVENTS];
    bool is_over;
    uint8_t why;
    uint32_t function, ticks, triggered, missed;
    uint32_t opens, packets;
};

extern struct truth {
    struct truth_event event[TRUTH_EVENTS];
    uint32_t n;
    uint32_t top[TRUTH_CONTEXTS]; /* as that of an event, by context */
    struct told_window window[TRUTH_WINDOWS];
    uint32_t windows;
    bool is_depth_known; /* false with jumps out of calls without a node, and in the flat form */
} truth;

/* Begins to record events and to read windows. Checks that every event of a window happened, in its order, and that
 * depths and running calls are right. */
void truth_start(void);

/* Asserts that each window is one stretch of events, in every context, and contains its trigger. */
void truth_assert_windows(void);

/* The number of outermost calls of the function from event `from` on that took longer, in any context. */
uint32_t truth_slow_calls(uint32_t function, uint32_t ticks, uint32_t from);

#endif
