/* calls.c - a made-up run of a program. */
#include "support/calls.h"

#include <stdlib.h>

struct run {
    struct calls *calls;
    struct test_random *random;
    size_t wanted;
    uint64_t now;
    uint16_t max_depth;
    bool tick;
};

uint64_t calls_address(uint32_t function)
{
    return 0x08000100u + function * 0x40u;
}

static void wait_some(struct run *run)
{
    run->now += run->tick ? test_random_below(run->random, 4) / 3 : 1 + test_random_below(run->random, 20);
}

static uint32_t callee_of(struct run *run, uint32_t function)
{
    uint32_t which = (uint32_t)test_random_below(run->random, 5);
    return which == 0 ? function : (function * 7 + 5 * (1 + which % 2)) % CALLS_FUNCTIONS;
}

/* A call of `function` at `depth` with its callees; returns its index. */
static uint32_t make_call(struct run *run, uint32_t function, uint16_t depth)
{
    uint64_t start = run->now;
    uint32_t callees[8];
    uint32_t n = 0;
    wait_some(run);
    if (depth < run->max_depth) {
        uint32_t wanted = test_random_below(run->random, 9);
        for (; n < wanted && n < 4 && run->calls->n < run->wanted; n++) {
            callees[n] = make_call(run, callee_of(run, function), (uint16_t)(depth + 1));
            wait_some(run);
        }
    }
    struct calls *calls = run->calls;
    if (calls->n == calls->capacity) {
        calls->capacity = calls->capacity ? calls->capacity * 2 : 1024;
        calls->events = realloc(calls->events, calls->capacity * sizeof *calls->events);
        calls->caller = realloc(calls->caller, calls->capacity * sizeof *calls->caller);
    }
    uint32_t index = (uint32_t)calls->n++;
    calls->events[index] =
        (struct event){.kind = EVENT_CALL,
                       .depth = depth,
                       .ticks = start,
                       .call = {.address = calls_address(function), .duration = run->now - start}};
    calls->caller[index] = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++)
        calls->caller[callees[i]] = index;
    return index;
}

void calls_make(struct calls *calls, struct test_random *random, size_t n, uint16_t max_depth, bool tick,
                uint16_t endless)
{
    *calls = (struct calls){0};
    struct run run = {
        .calls = calls, .random = random, .wanted = n, .now = 1000, .max_depth = max_depth, .tick = tick};
    while (calls->n < n) {
        make_call(&run, (uint32_t)test_random_below(random, 4), endless);
        wait_some(&run);
    }
}

void calls_free(struct calls *calls)
{
    free(calls->events);
    free(calls->caller);
}
