/* tasks_program.h - a random program of threads and interrupts, which is reported to a profile as it runs, and its
 * true times. */
#ifndef TESTS_PROFILE_TASKS_PROGRAM_H
#define TESTS_PROFILE_TASKS_PROGRAM_H

#include "support/frozen.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 3,
    INTERRUPTS = 2, /* each may interrupt those before it */
    CONTEXTS = THREADS + INTERRUPTS,
    DEEPEST = 12,
    FUNCTIONS = 7,
    STEPS = 1500,
    NODES = 4096,
    FIRST_ADDRESS = 0x1000,
};

enum state { NEVER_RAN, RUNNING, PREEMPTED, BLOCKED, STATES };

struct truth_node {
    uint32_t parent, function, context;
    uint64_t calls, self;
};

static struct program {
    struct test_random random;
    uint64_t now;
    uint32_t running;
    uint32_t told; /* the context of the last reported switch */
    struct {
        uint32_t node[DEEPEST];
        uint64_t since[DEEPEST];
        uint32_t depth;
        uint32_t interrupted;
        enum state state;
        uint64_t times[STATES];
        uint64_t with_calls[STATES]; /* the part of these with calls on the stack */
    } contexts[CONTEXTS];
    struct truth_node nodes[NODES]; /* 0: none */
    uint32_t node_count;
    uint64_t elapsed[FUNCTIONS];
    struct moment_log { /* what each context did between two moments */
        uint64_t until;
        uint32_t running;
        uint8_t states[CONTEXTS], depths[CONTEXTS];
    } log[4 * STEPS];
    uint32_t log_n;
    struct ended_call {
        uint64_t start, end;
        uint32_t context, depth, function;
    } ended[2 * STEPS];
    uint32_t ended_n;
    struct profile *profile;
} p;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)(test_random_next(&p.random) % limit);
}

static bool is_interrupt(uint32_t context)
{
    return context >= THREADS;
}

/* ---- what is reported ---- */

static void tell(enum event_kind kind, uint32_t context, uint32_t function, uint8_t flags)
{
    profile_apply(p.profile,
                  &(struct event){.kind = (uint8_t)kind,
                                  .flags = flags,
                                  .context = context,
                                  .ticks = p.now,
                                  .call.address = FIRST_ADDRESS + function},
                  1);
}

static void tell_switch(bool waits)
{
    tell(EVENT_SWITCH, p.running, 0,
         (uint8_t)((is_interrupt(p.running) ? EVENT_INTERRUPT : 0) | (waits ? EVENT_WAITS : 0)));
    p.told = p.running;
}

/* Reports a switch before an event, if there was one. The same interrupt again, with nothing between, is none. */
static void tell_switch_if_new(void)
{
    if (p.running != p.told || below(2))
        tell_switch(false);
}

/* ---- what happens ---- */

static uint32_t node_below(uint32_t parent, uint32_t function, uint32_t context)
{
    for (uint32_t i = 1; i < p.node_count; i++)
        if (p.nodes[i].parent == parent && p.nodes[i].function == function &&
            (parent != 0 || p.nodes[i].context == context))
            return i;
    cr_assert_lt(p.node_count, NODES);
    p.nodes[p.node_count] = (struct truth_node){.parent = parent, .function = function, .context = context};
    return p.node_count++;
}

static void pass_time(void)
{
    uint64_t ticks = 1 + below(20);
    p.now += ticks;
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        p.contexts[i].times[p.contexts[i].state] += ticks;
        p.contexts[i].with_calls[p.contexts[i].state] += p.contexts[i].depth > 0 ? ticks : 0;
        p.log[p.log_n].states[i] = (uint8_t)p.contexts[i].state;
        p.log[p.log_n].depths[i] = (uint8_t)p.contexts[i].depth;
    }
    cr_assert_lt(p.log_n + 1, sizeof p.log / sizeof p.log[0]);
    p.log[p.log_n].until = p.now;
    p.log[p.log_n++].running = p.running;
    if (p.contexts[p.running].depth > 0)
        p.nodes[p.contexts[p.running].node[p.contexts[p.running].depth - 1]].self += ticks;
}

static void enter(void)
{
    uint32_t depth = p.contexts[p.running].depth, function = below(FUNCTIONS);
    uint32_t parent = depth > 0 ? p.contexts[p.running].node[depth - 1] : 0;
    tell_switch_if_new();
    tell(EVENT_ENTER, p.running, function, 0);
    p.contexts[p.running].node[depth] = node_below(parent, function, p.running);
    p.contexts[p.running].since[depth] = p.now;
    p.contexts[p.running].depth++;
}

static void leave(void)
{
    uint32_t depth = --p.contexts[p.running].depth, node = p.contexts[p.running].node[depth];
    tell_switch_if_new();
    tell(EVENT_EXIT, p.running, p.nodes[node].function, 0);
    p.nodes[node].calls++;
    p.elapsed[p.nodes[node].function] += p.now - p.contexts[p.running].since[depth];
    cr_assert_lt(p.ended_n, sizeof p.ended / sizeof p.ended[0]);
    p.ended[p.ended_n++] = (struct ended_call){p.contexts[p.running].since[depth], p.now, p.running, depth,
                                               p.nodes[node].function};
    if (depth > 0 || !is_interrupt(p.running))
        return;
    p.contexts[p.running].state = NEVER_RAN; /* no interrupt waits */
    p.running = p.contexts[p.running].interrupted;
    p.contexts[p.running].state = RUNNING;
}

static void interrupt(void)
{
    uint32_t context = THREADS + below(INTERRUPTS);
    if (context <= p.running)
        return;
    p.contexts[p.running].state = PREEMPTED;
    p.contexts[context].interrupted = p.running;
    p.contexts[context].state = RUNNING;
    p.running = context;
    enter();
}

static void switch_thread(uint32_t to)
{
    bool waits = below(2);
    if (is_interrupt(p.running) || to == p.running)
        return;
    p.contexts[p.running].state = waits ? BLOCKED : PREEMPTED;
    p.running = to;
    p.contexts[to].state = RUNNING;
    tell_switch(waits);
}

static void step(void)
{
    uint32_t what = below(20);
    uint32_t deep = is_interrupt(p.running) ? 2 : DEEPEST; /* interrupts are short, and come often */
    pass_time();
    if (what < 2)
        interrupt();
    else if (what < 4)
        switch_thread(below(THREADS));
    else if (p.contexts[p.running].depth > below(deep))
        leave();
    else
        enter();
}

static void run_program(uint64_t seed)
{
    memset(&p, 0, sizeof p);
    p.random.state = seed;
    p.node_count = 1;
    p.profile = profile_new(NULL);
    p.contexts[0].state = RUNNING;
    tell_switch(false);
    for (uint32_t i = 0; i < STEPS; i++)
        step();
    for (uint32_t i = 0; i < THREADS; i++) {
        while (is_interrupt(p.running))
            pass_time(), leave();
        pass_time(); /* the log has no stretches of 0 ticks, but waits end in these, too */
        switch_thread(i);
        while (p.contexts[i].depth > 0)
            pass_time(), leave();
    }
}

/* The row of a snapshot that has this context. */
static inline uint32_t row_of_context(const struct snapshot *snapshot, uint32_t context)
{
    char name[24] = "main";
    if (context > 0)
        snprintf(name, sizeof name, "context %u", context);
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        if (!strcmp(snapshot->contexts[i].name, name))
            return i;
    cr_assert(false, "context %u is there", context);
    return 0;
}

/* ---- by hand ---- */

static inline void run_until(uint64_t ticks, uint32_t next, bool waits)
{
    p.now = ticks;
    p.running = next;
    tell_switch(waits);
}

#endif
