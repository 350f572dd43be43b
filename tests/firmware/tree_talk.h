/* tree_talk.h - starts a simulated target in version 3, and checks the tree that the host's reader has. */
#ifndef TESTS_FIRMWARE_TREE_TALK_H
#define TESTS_FIRMWARE_TREE_TALK_H

#include "sim/sim.h"

#include <criterion/criterion.h>

/* Starts the tree; all of its sums are 0. */
static inline void start(void)
{
    sim_start_version(3);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

/* Stops, and receives all sums. */
static inline void stop(void)
{
    sim_stop();
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    cr_assert(sim_tree.head.flags & MP_TREE_IS_STOPPED);
    cr_assert(mp_tree_table_is_whole(&sim_tree), "all ticks that have elapsed were sent");
}

/* The row of that function, which has one. */
static inline const struct mp_tree_row *row_of(uint32_t function)
{
    for (uint32_t i = 0; i < sim_tree.head.nodes; i++)
        if (sim_tree.node[i].is_told && sim_tree.node[i].row.function == function)
            return &sim_tree.node[i].row;
    cr_assert_fail("no row of %x", function);
    return NULL;
}

/* Asserts the sums of its row below that of `caller`, 0 when outermost. */
static inline void assert_row(uint32_t function, uint32_t caller, uint64_t calls, uint64_t ticks)
{
    const struct mp_tree_row *row = row_of(function);

    cr_assert_eq(row->calls, calls, "%x: %llu calls", function, (unsigned long long)row->calls);
    cr_assert_eq(row->ticks, ticks, "%x: %llu ticks", function, (unsigned long long)row->ticks);
    if (caller)
        cr_assert_eq(sim_tree.node[row->parent].row.function, caller);
    else
        cr_assert_eq(row->parent, MP_TREE_NO_PARENT);
}

static inline const struct mp_tree_sums *sums_of(uint32_t context)
{
    for (uint32_t i = 0; i < sim_tree.n_contexts; i++)
        if (sim_tree.contexts[i].context == context)
            return &sim_tree.contexts[i].sums;
    cr_assert_fail("no sums of context %u", context);
    return NULL;
}

static inline void pass(uint32_t ticks)
{
    sim.ticks += ticks;
}

/* A call that takes `ticks` ticks. */
static inline void call(uint32_t function, uint32_t ticks)
{
    sim_enter(function);
    pass(ticks);
    sim_exit(function);
}

#endif
