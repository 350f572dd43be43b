/* calls.h - a made-up run of a program: calls that nest as real ones do, in the order in which they return.
 */
#ifndef SUPPORT_CALLS_H
#define SUPPORT_CALLS_H

#include "event.h"
#include "support/random.h"

#include <stdbool.h>

enum { CALLS_FUNCTIONS = 12 };

struct calls {
    struct event *events; /* EVENT_CALL, in exit order */
    uint32_t *
        caller; /* index of the event that called it, UINT32_MAX for depth 0 or a caller that never returns */
    size_t n, capacity;
};

/* About n calls of up to `max_depth` levels. With `tick` true many calls take no tick at all and start where
 * their caller does. `endless` outermost levels never return and so send no event. A function calls
 * only itself and two others, so that a wrong caller is noticed. */
void calls_make(struct calls *calls, struct test_random *random, size_t n, uint16_t max_depth, bool tick,
                uint16_t endless);
void calls_free(struct calls *calls);

/* Address of function i. */
uint64_t calls_address(uint32_t function);

#endif
