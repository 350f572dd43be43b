/* test_stream.c - version 2: the agent's packets, read by the host's reader. */
#include "sim/sim.h"

#include <criterion/criterion.h>

#include "support/random.h"

enum { US = 25, FUNCTIONS = 9, DEEPEST = 12, MOST = 4096 };

static void start(uint8_t version)
{
    sim_start_version(version);
    cr_assert_eq(sim_answer(), MP_ACK);
}

/* Sends and receives waiting events. */
static const struct heard *flush(void)
{
    sim_pass_us(MPT_FLUSH_US);
    return sim_hear();
}

static void assert_pair(const struct mp_pair *pair, uint32_t function, uint32_t context, uint32_t depth,
                        uint64_t ticks)
{
    cr_assert_eq(pair->function, function, "function %x, not %x", pair->function, function);
    cr_assert_eq(pair->context, context, "context %u, not %u", pair->context, context);
    cr_assert_eq(pair->depth, depth, "depth %u, not %u", pair->depth, depth);
    cr_assert_eq(pair->end - pair->start, ticks);
}

Test(stream, calls_come_with_ticks_and_the_clock)
{
    sim_start(NULL);
    start(2);
    sim_enter(0x100);
    sim.ticks += 3;
    sim_enter(0x200);
    sim.ticks += 5;
    sim_exit(0x200);
    sim_exit(0x100);
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->status.records_captured, 2);
    sim_command(MP_STOP);
    heard = flush();
    cr_assert_eq(heard->n_pairs, 2);
    assert_pair(&heard->pairs[0], 0x200, 0, 1, 5);
    assert_pair(&heard->pairs[1], 0x100, 0, 0, 8);
    cr_assert(heard->pairs[1].is_whole);
    cr_assert_eq(sim_pairs.hz, MPT_TICK_HZ);
}

Test(stream, the_default_is_version_1)
{
    sim_start(NULL);
    start(4);
    sim_enter(1);
    sim_exit(1);
    sim_command(MP_STOP);
    cr_assert_eq(sim_hear()->n_records, 1);
    start(2);
    sim_enter(1);
    sim_exit(1);
    sim_command(MP_START); /* as a host does that knows version 1 only */
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_pairs, 1);
    cr_assert_eq(heard->n_records, 0);
    sim_enter(2);
    sim_exit(2);
    sim_command(MP_STOP);
    heard = sim_hear();
    cr_assert_eq(heard->n_pairs, 0);
    cr_assert_eq(heard->n_records, 1);
}

Test(stream, calls_begun_before_start_have_name_and_start_time)
{
    sim_start(NULL);
    sim_enter(0x300);
    sim.ticks += 1000;
    start(2);
    sim_enter(0x400);
    sim.ticks += 7;
    sim_exit(0x400);
    sim_exit(0x300);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 2);
    assert_pair(&heard->pairs[0], 0x400, 0, 1, 7);
    assert_pair(&heard->pairs[1], 0x300, 0, 0, 1007);
    cr_assert(heard->pairs[0].is_whole);
    cr_assert_not(heard->pairs[1].is_whole);
}

Test(stream, interrupts_and_tasks_have_stacks_of_their_own)
{
    sim_start(NULL);
    start(2);
    for (int i = 0; i < 20; i++) {
        sim_enter(0x100);
        sim.ticks += 10;
        sim.exception = 17;
        sim_enter(0x200);
        sim.exception = 21;
        sim_enter(0x300);
        sim.ticks += 1;
        sim_exit(0x300);
        sim.exception = 17;
        sim.ticks += 1;
        sim_exit(0x200);
        sim.exception = 0;
        mpt_context_switch(1);
        sim_enter(0x400);
        sim.ticks += 5;
        mpt_context_switch(0);
        sim_exit(0x100);
        mpt_context_switch(1);
        sim_exit(0x400);
        mpt_context_switch(0);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_pairs, 4);
        assert_pair(&heard->pairs[0], 0x300, MP_CONTEXT_INTERRUPT(21), 0, 1);
        assert_pair(&heard->pairs[1], 0x200, MP_CONTEXT_INTERRUPT(17), 0, 2);
        assert_pair(&heard->pairs[2], 0x100, MP_CONTEXT_TASK(0), 0, 17);
        assert_pair(&heard->pairs[3], 0x400, MP_CONTEXT_TASK(1), 0,
                    heard->pairs[3].end - heard->pairs[3].start);
    }
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

Test(stream, an_interrupt_whose_calls_have_ended_is_over_when_another_comes)
{
    sim_start(NULL);
    start(2);
    for (int i = 0; i < 2; i++) {
        sim.exception = 24;
        sim_enter(0x100);
        sim_exit(0x100);
        sim.exception = 15; /* the task between them had no calls */
        sim_enter(0x200);
        sim.exception = 24;
        sim_enter(0x100);
        sim_exit(0x100);
        sim.exception = 15;
        sim_exit(0x200);
        cr_assert_eq(flush()->n_pairs, 3);
    }
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

/* ---- random programs: tasks, interrupts, jumps, a ring that is too small ---- */

static struct {
    struct {
        uint32_t function[DEEPEST];
        uint64_t start[DEEPEST];
        uint32_t n;
    } stack[6]; /* of tasks 0 and 1, of interrupts 17 to 19, of the kernel's */
    uint32_t running, task, waiting[5], n_waiting;
    struct mp_pair pair[MOST];
    size_t n;
    uint64_t events;
} program;

enum { KERNEL = 5, PENDSV = 14, SWITCH = 0x800 };

static uint32_t context_of(uint32_t running)
{
    if (running == KERNEL)
        return MP_CONTEXT_INTERRUPT(PENDSV);
    return running < 2 ? MP_CONTEXT_TASK(running) : MP_CONTEXT_INTERRUPT(15 + running);
}

static void enter(uint32_t function)
{
    uint32_t n = program.stack[program.running].n++;

    sim_enter(function);
    program.stack[program.running].function[n] = function;
    program.stack[program.running].start[n] = sim.ticks;
    program.events++;
}

static void leave(uint32_t function)
{
    uint32_t n = program.stack[program.running].n;

    sim_exit(function);
    while (program.stack[program.running].function[n - 1] != function)
        n--;
    program.stack[program.running].n = n - 1;
    program.pair[program.n++ % MOST] = (struct mp_pair){.context = context_of(program.running),
                                                        .function = function,
                                                        .start = program.stack[program.running].start[n - 1],
                                                        .end = sim.ticks};
    program.events++;
}

static void run_in(uint32_t running)
{
    program.running = running;
    sim.exception = running < 2 ? 0 : 15 + running;
}

/* Switches tasks as a kernel does: in its interrupt, in an instrumented call or not, or outside of calls. */
static void change_task(struct test_random *random)
{
    uint32_t how = (uint32_t)test_random_below(random, 3);

    program.task = 1 - program.task;
    program.running = KERNEL;
    sim.exception = how ? PENDSV : 0;
    if (how == 2)
        enter(SWITCH);
    if (test_random_below(random, 2))
        mpt_context_block();
    mpt_context_switch((uint8_t)program.task);
    sim.ticks += 1;
    if (how == 2)
        leave(SWITCH);
    run_in(program.task);
}

static void step(struct test_random *random, bool may_jump)
{
    uint32_t running = program.running, n = program.stack[running].n;

    sim.ticks += 1;
    if (running < 4 && test_random_below(random, 30) == 0) {
        program.waiting[program.n_waiting++] = running;
        run_in(running < 2 ? 2 + (uint32_t)test_random_below(random, 3) : running + 1);
        enter(0x100 + 16 * (uint32_t)test_random_below(random, FUNCTIONS));
    } else if (running < 2 && test_random_below(random, 30) == 0) {
        change_task(random);
    } else if (n && (n == DEEPEST || test_random_below(random, 2))) {
        if (may_jump && n > 1 && test_random_below(random, 16) == 0)
            n -= (uint32_t)test_random_below(random, n);
        leave(program.stack[running].function[n - 1]);
        if (running >= 2 && !program.stack[running].n) {
            sim.ticks += 1;
            run_in(program.waiting[--program.n_waiting]);
        }
    } else {
        enter(0x100 + 16 * (uint32_t)test_random_below(random, FUNCTIONS));
    }
}

static bool is_true(const struct mp_pair *pair)
{
    for (size_t i = program.n; i && i + MOST > program.n; i--) {
        const struct mp_pair *call = &program.pair[(i - 1) % MOST];
        if (call->start == pair->start)
            return call->function == pair->function && call->end == pair->end &&
                   call->context == pair->context;
    }
    return false;
}

static void run(const char *name, uint32_t most_steps, bool may_jump)
{
    struct test_random random = test_random_start(name);
    size_t told = 0;

    sim_start(NULL);
    start(2);
    for (int round = 0; round < 300; round++) {
        for (size_t i = test_random_below(&random, most_steps); i; i--)
            step(&random, may_jump);
        while (program.running >= 2) {
            sim.ticks += 1;
            while (program.stack[program.running].n)
                leave(program.stack[program.running].function[program.stack[program.running].n - 1]);
            run_in(program.waiting[--program.n_waiting]);
        }
        const struct heard *heard = flush();
        for (size_t i = 0; i < heard->n_pairs; i++)
            cr_assert(is_true(&heard->pairs[i]), "round %d: %x in %u from %llu to %llu", round,
                      heard->pairs[i].function, heard->pairs[i].context,
                      (unsigned long long)heard->pairs[i].start, (unsigned long long)heard->pairs[i].end);
        told += heard->n_pairs;
        cr_assert_eq(sim_pairs.follower.number, program.events, "all events are sent or reported as lost");
    }
    fprintf(stderr, "%s: %zu of %zu calls, %llu events lost\n", name, told, program.n,
            (unsigned long long)sim_pairs.follower.counters.lost_in_gaps);
    if (!sim_pairs.follower.counters.lost_in_gaps && !may_jump) {
        cr_assert_eq(told, program.n);
        cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
    }
    cr_assert_gt(told, 1000);
}

Test(stream, a_program_that_fits_is_sent_whole)
{
    run("fits", MPT_RING_RECORDS / 2, false);
    cr_assert_eq(sim_pairs.follower.counters.lost_in_gaps, 0);
}

Test(stream, dropped_events_never_mismatch_and_are_counted_exactly)
{
    run("does not fit", 20 * MPT_RING_RECORDS, false);
    cr_assert_gt(sim_pairs.follower.counters.lost_in_gaps, 1000);
}

Test(stream, longjmp_never_mismatches_entries_and_exits)
{
    run("does not fit and jumps", 10 * MPT_RING_RECORDS, true);
}
