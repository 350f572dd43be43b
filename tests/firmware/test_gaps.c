/* test_gaps.c - how the agent handles missing events: a full ring, calls ended by longjmp, tasks. */
#include "sim/sim.h"

#include "mpt_ring.h"

#include <criterion/criterion.h>

#include "support/random.h"

enum { FUNCTIONS = 12, DEEPEST = 12, MOST = 4096, PAUSE = 25 };

/* The calls of a random program, paired here without losses: an exit ends the innermost call of its function, and
 * the calls above it. */
static struct truth {
    struct {
        uint32_t function, start;
    } stack[DEEPEST];
    uint32_t depth;
    struct mp_record call[MOST];
    size_t n;
} truth;

static void enter(uint32_t function)
{
    sim.ticks += PAUSE;
    sim_enter(function);
    truth.stack[truth.depth].function = function;
    truth.stack[truth.depth++].start = (uint32_t)(sim.ticks / 25);
}

static void leave(uint32_t function)
{
    uint32_t depth = truth.depth;

    sim.ticks += PAUSE;
    sim_exit(function);
    while (depth && truth.stack[depth - 1].function != function)
        depth--;
    cr_assert_geq(depth, 1);
    truth.depth = depth - 1;
    truth.call[truth.n++ % MOST] =
        (struct mp_record){function, truth.stack[depth - 1].start,
                           (uint32_t)(sim.ticks / 25) - truth.stack[depth - 1].start, (uint16_t)(depth - 1)};
}

/* Makes a step of the program, which sometimes jumps out of several calls at once. */
static void step(struct test_random *random, bool may_jump)
{
    uint32_t depth = truth.depth;

    if (!depth || (depth < DEEPEST && test_random_below(random, 100) < 50)) {
        enter(1 + (uint32_t)test_random_below(random, FUNCTIONS));
        return;
    }
    if (may_jump && depth > 2 && test_random_below(random, 20) == 0)
        depth -= (uint32_t)test_random_below(random, depth - 1);
    leave(truth.stack[depth - 1].function);
}

static bool is_true(const struct mp_record *record, bool depth_counts)
{
    /* Times are unique: a microsecond each. */
    for (size_t i = truth.n; i && i + MOST > truth.n; i--) {
        const struct mp_record *call = &truth.call[(i - 1) % MOST];
        if (call->start == record->start)
            return call->address == record->address && call->duration == record->duration &&
                   (!depth_counts || call->depth == record->depth);
    }
    return false;
}

/* Returns how many of the program's calls were reported. */
static size_t run(const char *name, bool may_jump, uint32_t steps_per_poll)
{
    struct test_random random = test_random_start(name);
    size_t reported = 0;

    sim_start(NULL);
    mpt_start();
    for (int round = 0; round < 200; round++) {
        uint32_t steps = 1 + (uint32_t)test_random_below(&random, steps_per_poll);
        for (uint32_t i = 0; i < steps; i++)
            step(&random, may_jump);
        sim_pass_us(MPT_FLUSH_US);
        const struct heard *heard = sim_hear();
        for (size_t i = 0; i < heard->n_records; i++)
            cr_assert(is_true(&heard->records[i], !may_jump),
                      "round %d, record %zu: %x at %u for %u, depth %u", round, i, heard->records[i].address,
                      heard->records[i].start, heard->records[i].duration, heard->records[i].depth);
        reported += heard->n_records;
    }
    fprintf(stderr, "%s: %zu calls reported\n", name, reported);
    return reported;
}

Test(gaps, dropped_events_never_mismatch_entries_and_exits)
{
    cr_assert_geq(run("overflows", false, 1000), 2000);
}

Test(gaps, dropped_events_and_longjmp_never_mismatch_entries_and_exits)
{
    cr_assert_geq(run("overflows and jumps", true, 1000), 1000);
}

Test(gaps, a_call_that_spans_a_gap_is_reported_with_its_own_times)
{
    sim_start(NULL);
    mpt_start();
    sim_pass_us(100);
    sim_enter(1);
    sim_enter(2);
    for (int i = 0; i < 2 * MPT_RING_RECORDS; i++) {
        sim_enter(3);
        sim_pass_us(1);
        sim_exit(3);
    }
    sim_hear();
    sim_exit(2);
    sim_pass_us(5);
    sim_exit(1);
    sim_command(MP_STOP);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2);
    cr_assert_eq(heard->records[1].address, 1);
    cr_assert_eq(heard->records[1].start, 100);
    cr_assert_eq(heard->records[1].duration, 2 * MPT_RING_RECORDS + 5);
    cr_assert_eq(heard->records[1].depth, 0);
}

Test(gaps, calls_that_a_longjmp_ended_leave_the_depth_right)
{
    sim_start(NULL);
    mpt_start();
    for (int i = 0; i < 100; i++) {
        sim_enter(1);
        sim_enter(2);
        sim_enter(3);
        sim_exit(1); /* 2 and 3 never exit */
        mpt_poll();
    }
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 100);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(heard->records[i].address, 1);
        cr_assert_eq(heard->records[i].depth, 0);
    }
}

Test(gaps, tasks_have_stacks_of_their_own)
{
    sim_start(NULL);
    mpt_start();
    for (int i = 0; i < 50; i++) {
        mpt_context_switch(0);
        sim_enter(1);
        sim_pass_us(1);
        mpt_context_switch(1);
        sim_enter(2);
        sim_pass_us(2);
        mpt_context_switch(0);
        sim_exit(1);
        mpt_context_switch(1);
        sim_exit(2);
        mpt_poll();
    }
    sim_command(MP_GET_STATUS);
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->status.buffer_overflows, 0);
    for (size_t i = 0; i < heard->n_records; i++) {
        cr_assert_eq(heard->records[i].address, 1 + i % 2);
        cr_assert_eq(heard->records[i].depth, 0);
        cr_assert_eq(heard->records[i].duration, i % 2 ? 2 : 3);
    }
}

/* Under an RTOS the polling task may preempt a hook between reserving its event and writing it. */
Test(gaps, sending_waits_for_a_reserved_event)
{
    sim_start(NULL);
    mpt_start();
    sim_enter(1);
    sim_pass_us(1);
    mpt_ring.head += MPT_RING_STEP;
    uint32_t place = MPT_RING_PLACE(mpt_ring.head), ticks = (uint32_t)sim.ticks;
    for (int i = 0; i < MPT_RING_RECORDS; i++) { /* more than there is room for */
        sim_enter(3);
        sim_exit(3);
    }
    sim_pass_us(MPT_FLUSH_US);
    cr_assert_eq(sim_hear()->n_records, 0, "what comes after it is not read before it");
    mpt_ring.at[place] = (struct mpt_event){.ticks = ticks, .word = 2 | MPT_WORD_ENTER};
    cr_assert_geq(sim_hear()->n_records, MPT_RING_RECORDS - 3u);
    sim_exit(2);
    sim_exit(1);
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->records[heard->n_records - 1].address, 1);
    cr_assert_eq(heard->records[heard->n_records - 2].address, 2);
    cr_assert_eq(heard->records[heard->n_records - 2].depth, 1);
}

/* Makes a call in each task, and then more switches within a call than there is room for; the last one leaves
 * another task running than before. */
static void switch_without_room(void)
{
    for (uint32_t i = 0; i < 3 * MPT_RING_RECORDS + 1; i++) {
        if (i < 2)
            sim_enter(0x100 + 0x100 * (i & 1));
        sim.exception = 14; /* PendSV */
        sim_enter(0x800);
        mpt_context_switch((uint8_t)(~i & 1));
        sim_exit(0x800);
        sim.exception = 0;
        sim.ticks += 5;
    }
}

static void call(uint32_t function)
{
    sim_enter(function);
    sim.ticks += 5;
    sim_exit(function);
    sim.ticks += 5;
}

/* Each task makes a call within its running call, ends the latter, and makes another call. */
static void end_calls(void)
{
    for (uint32_t task = 1; task < 3; task++) {
        mpt_context_switch((uint8_t)(task & 1));
        call(0x300);
        sim_exit(task & 1 ? 0x200 : 0x100);
        call(0x400);
    }
}

Test(gaps, switches_within_dropped_calls_keep_the_calls_of_tasks)
{
    sim_start(NULL);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    switch_without_room();
    sim_pass_us(MPT_FLUSH_US);
    sim_hear();
    end_calls();
    sim_pass_us(MPT_FLUSH_US);
    const struct heard *heard = sim_hear();
    size_t n = 0;

    for (size_t i = 0; i < heard->n_pairs; i++) {
        static const uint32_t function[] = {0x300, 0x200, 0x400, 0x300, 0x100, 0x400};
        const struct mp_pair *pair = &heard->pairs[i];

        if (pair->function == 0x800)
            continue;
        cr_assert_eq(pair->function, function[n % 6], "call %zu is %x", n, pair->function);
        cr_assert_eq(pair->depth, n % 3 == 0, "call %zu is at depth %u", n, pair->depth);
        n++;
    }
    cr_assert_eq(n, 6);
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
    cr_assert_gt(sim_pairs.follower.counters.lost_in_gaps, 0);
}

Test(gaps, switches_within_dropped_calls_keep_depths_in_version_1)
{
    sim_start(NULL);
    mpt_start();
    switch_without_room();
    sim_hear();
    end_calls();
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 6, "%zu records", heard->n_records);
    for (size_t i = 0; i < 6; i++)
        cr_assert_eq(heard->records[i].depth, i % 3 == 0, "record %zu is at depth %u", i,
                     heard->records[i].depth);
}
