/* test_small.c - the smallest agent: its packets, read by the host's reader. */
#include "sim/sim.h"

#include "mpt_ring.h"

#include <criterion/criterion.h>

#include "support/random.h"

enum { FUNCTIONS = 9, DEEPEST = 12, MOST = 4096 };

static void start(void)
{
    sim_start_version(2);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

/* Sends and receives waiting events. */
static const struct heard *flush(void)
{
    sim_pass_us(MPT_FLUSH_US);
    return sim_hear();
}

static void assert_pair(const struct mp_pair *pair, uint32_t function, uint32_t depth, uint64_t ticks)
{
    cr_assert_eq(pair->function, function, "function %x, not %x", pair->function, function);
    cr_assert_eq(pair->context, 0);
    cr_assert_eq(pair->depth, depth, "depth %u, not %u", pair->depth, depth);
    cr_assert_eq(pair->end - pair->start, ticks);
}

Test(small, it_names_itself_and_its_clock)
{
    static const struct mpt_target target = {.clock_hz = 48000000, .fw_version = "0123456789abcdefghij"};

    mpt_init(&target);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 1);
    cr_assert_eq(heard->types[0], MP_METADATA);
    cr_assert_eq(heard->metadata.mcu_clock_hz, 48000000);
    cr_assert_eq(heard->metadata.timer_hz, MPT_TICK_HZ);
    cr_assert_eq(heard->metadata.elf_build_id, 0);
    cr_assert_arr_eq(heard->metadata.fw_version, "0123456789abcdef", MP_FW_VERSION_SIZE);
}

Test(small, it_offers_version_2_alone_and_refuses_the_others)
{
    struct mp_description description;

    sim_start(NULL);
    sim_command(MP_DESCRIBE);
    cr_assert_eq(sim_answer(), MP_DESCRIPTION);
    sim_command(MP_DESCRIBE);
    const struct heard *heard = sim_hear();
    struct mp_bytes bytes = mp_bytes_over(heard->description, heard->description_size);
    cr_assert(mp_description_decode(&description, &bytes));
    cr_assert_eq(description.versions, 1 << MP_PROFILE_DATA_V2);
    cr_assert_eq(description.tick_hz, MPT_TICK_HZ);
    cr_assert_eq(description.ring_calls, MPT_RING_RECORDS);
    cr_assert_eq(description.tasks, 1);
    cr_assert_eq(description.packet_bytes, MPT_SMALL_PACKET_BYTES);
    cr_assert_eq(description.settings, 0);

    sim_command(MP_START);
    cr_assert_eq(sim_answer(), MP_NACK, "as a host says it that knows version 1 only");
    sim_start_version(1);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_start_tree(false);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_command(MP_RESET_BUFFERS);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_config(MPT_CONFIG_PACKET_RECORDS, 7);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_command(0x77);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_receive((const uint8_t[]){0x55, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0x58}, 12);
    cr_assert_eq(sim_hear()->n_packets, 0, "a damaged command is not accepted");
    cr_assert_not(mpt_is_profiling());
}

Test(small, commands_in_one_go_are_answered_one_by_one_in_order)
{
    sim_start(NULL);
    sim_command(MP_GET_METADATA);
    sim_command(0x77);
    sim_start_version(2);
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_geq(heard->n_packets, 6);
    cr_assert_arr_eq(heard->types, ((uint8_t[]){MP_METADATA, MP_NACK, MP_ACK, MP_STATUS, MP_ACK, MP_STATUS}),
                     6);
    cr_assert_eq(heard->status.is_profiling, 0);
}

Test(small, calls_come_with_ticks_depths_and_the_clock)
{
    sim_start(NULL);
    sim_enter(0x300);
    start();
    sim_enter(0x100);
    sim.ticks += 3;
    sim_enter(0x200);
    sim.ticks += 70000;
    sim_exit(0x200);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 1);
    assert_pair(&heard->pairs[0], 0x200, 2, 70000);
    sim_exit(0x100);
    sim_exit(0x300);
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    heard = sim_hear();
    cr_assert_eq(heard->n_pairs, 1, "what began before START is not known");
    assert_pair(&heard->pairs[0], 0x100, 1, (uint64_t)70003 + 25 * MPT_FLUSH_US);
    cr_assert_eq(heard->status.is_profiling, 1);
    cr_assert_eq(heard->status.buffer_overflows, 0);
    cr_assert_eq(heard->status.records_captured, 1, "that waited");
    cr_assert_eq(heard->status.buffer_usage_percent, 100 * 2 / MPT_RING_EVENTS);
    cr_assert_eq(sim_pairs.hz, MPT_TICK_HZ);
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

Test(small, times_of_all_lengths_are_exact)
{
    static const uint32_t ticks[] = {0, 1, 223, 224, 479, 480, 8159, 8160, 20000, 0xFFFFFF, 0x1000000};

    sim_start(NULL);
    start();
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        sim_enter(0x80000100);
        sim.ticks += ticks[i] / 2;
        mpt_keep_time();
        sim.ticks += ticks[i] - ticks[i] / 2;
        sim_exit(0x80000100);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_pairs, 1);
        assert_pair(&heard->pairs[0], 0x80000100 & ~MPT_WORD_KIND, 0, ticks[i]);
    }
}

Test(small, a_silence_longer_than_the_counter_is_timed_exactly)
{
    sim_start(NULL);
    start();
    sim_enter(0x100);
    sim.ticks += 7;
    flush();
    for (int i = 0; i < 400; i++) { /* 400 s: 2.3 periods of 32 bits at 25 MHz */
        sim_pass_us(1000000);
        cr_assert_lt(sim_hear()->n_packets, 2);
    }
    sim_exit(0x100);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 1);
    assert_pair(&heard->pairs[0], 0x100, 0, UINT64_C(400) * 25000000 + 7 + 25 * MPT_FLUSH_US);
    cr_assert_eq(sim_pairs.follower.counters.time_jumps, 0);
}

Test(small, while_stopped_nothing_is_sent_and_depths_stay_right)
{
    sim_start(NULL);
    start();
    sim_enter(0x100);
    mpt_stop();
    sim_enter(0x200);
    sim_exit(0x300); /* unknown */
    sim_enter(0x300);
    cr_assert_eq(flush()->n_pairs, 0);
    start();
    sim_enter(0x400);
    sim_exit(0x400);
    sim_exit(0x300);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 1);
    assert_pair(&heard->pairs[0], 0x400, 2, 0);
    cr_assert_eq(sim_pairs.follower.counters.lost_in_packets, 0);
    cr_assert_eq(sim_pairs.follower.counters.runs, 2);
}

Test(small, another_start_drops_waiting_events_as_a_loss)
{
    sim_may_lose = true;
    sim_start(NULL);
    start();
    sim_enter(0x100);
    sim_exit(0x100);
    sim_start_version(2);
    sim_enter(0x200); /* the command has not been read yet */
    flush();
    cr_assert_eq(sim_pairs.follower.counters.lost_in_packets, 3);
    sim_exit(0x200);
    cr_assert_eq(flush()->n_pairs, 0);
    cr_assert_eq(sim_pairs.follower.number, 4);
}

Test(small, a_full_ring_is_reported_at_once)
{
    sim_may_lose = true;
    sim_start(NULL);
    start();
    for (uint32_t i = 0; i < 10u + MPT_RING_EVENTS; i++)
        sim_enter(0x100);
    mpt_stop();
    sim_enter(0x200); /* is not lost, since profiling is off */
    sim_command(MP_GET_STATUS);
    sim_hear();
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->status.buffer_overflows, 1);
    cr_assert_eq(sim_pairs.follower.counters.lost_in_packets, 10);
    cr_assert_eq(sim_pairs.follower.number, 10 + MPT_RING_EVENTS);
}

Test(small, a_port_that_takes_little_at_a_time_gets_the_same_bytes)
{
    struct test_random random = test_random_start("a_port_that_takes_little");

    sim_start(NULL);
    start();
    sim_enter(0x100);
    sim_exit(0x100);
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    sim_poll_slowly(&random, 1000);
    cr_assert_not(mpt_poll());
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->types[0], MP_STATUS);
    cr_assert_eq(heard->types[1], MP_ACK);
    cr_assert_eq(heard->n_pairs, 1);
}

/* ---- random programs: jumps, interrupts, a ring that is too small ---- */

static struct {
    struct {
        uint32_t function;
        uint64_t start;
    } stack[2 * DEEPEST];
    uint32_t n;
    struct mp_pair pair[MOST];
    size_t n_pairs;
    uint64_t events;
} program;

static void enter(uint32_t function)
{
    sim.ticks += 1;
    uint64_t ticks = sim.ticks;

    sim_enter(function);
    program.stack[program.n].function = function;
    program.stack[program.n++].start = ticks;
    program.events++;
}

static void leave(uint32_t function)
{
    sim.ticks += 1;
    while (program.stack[program.n - 1].function != function)
        program.n--;
    program.n--;
    program.pair[program.n_pairs++ % MOST] = (struct mp_pair){
        .function = function, .start = program.stack[program.n].start, .end = sim.ticks, .depth = program.n};
    program.events++;
    sim_exit(function);
}

static uint32_t any_function(struct test_random *random)
{
    return 0x100 + 16 * (uint32_t)test_random_below(random, FUNCTIONS);
}

static void step(struct test_random *random, bool may_jump)
{
    uint32_t n = program.n;

    if (!n || (n < DEEPEST && test_random_below(random, 2))) {
        enter(any_function(random));
        return;
    }
    if (may_jump && n > 1 && test_random_below(random, 16) == 0)
        n -= (uint32_t)test_random_below(random, n);
    leave(program.stack[n - 1].function);
}

static bool is_true(const struct mp_pair *pair, bool depth_counts)
{
    for (size_t i = program.n_pairs; i && i + MOST > program.n_pairs; i--) {
        const struct mp_pair *call = &program.pair[(i - 1) % MOST];
        if (call->start == pair->start)
            return call->function == pair->function && call->end == pair->end && pair->context == 0 &&
                   (!depth_counts || call->depth == pair->depth);
    }
    return false;
}

/* Runs a random program: at most `steps_per_poll` steps between polls, each of which sends at most `most_bytes`. */
static void run(const char *name, uint32_t steps_per_poll, size_t most_bytes, bool may_jump)
{
    struct test_random random = test_random_start(name);
    size_t told = 0;

    sim_may_lose = true;
    sim_start(NULL);
    start();
    for (int round = 0; round < 1000; round++) {
        for (size_t polls = test_random_below(&random, 10); polls; polls--) {
            for (size_t i = test_random_below(&random, steps_per_poll); i; i--)
                step(&random, may_jump);
            sim.tx_room = test_random_below(&random, most_bytes);
            mpt_poll();
        }
        sim.tx_room = SIZE_MAX;
        const struct heard *heard = flush();
        for (size_t i = 0; i < heard->n_pairs; i++)
            cr_assert(is_true(&heard->pairs[i], !may_jump), "round %d: %x from %llu to %llu, depth %u", round,
                      heard->pairs[i].function, (unsigned long long)heard->pairs[i].start,
                      (unsigned long long)heard->pairs[i].end, heard->pairs[i].depth);
        told += heard->n_pairs;
        cr_assert_eq(sim_pairs.follower.number, program.events, "all events are sent or reported as lost");
    }
    fprintf(stderr, "%s: %zu of %zu calls, %llu events lost\n", name, told, program.n_pairs,
            (unsigned long long)sim_pairs.follower.counters.lost_in_packets);
    if (!sim_pairs.follower.counters.lost_in_packets && !may_jump)
        cr_assert_eq(told, program.n_pairs);
    cr_assert_eq(sim_pairs.follower.counters.other_depths * !may_jump, 0);
    cr_assert_gt(told, 1000);
}

Test(small, a_program_that_fits_is_sent_whole)
{
    run("fits", MPT_RING_RECORDS / 2, SIZE_MAX, false);
    cr_assert_eq(sim_pairs.follower.counters.lost_in_packets, 0);
}

Test(small, dropped_events_never_mismatch_and_are_counted_exactly)
{
    run("does not fit", 4 * MPT_RING_RECORDS, SIZE_MAX, false);
    cr_assert_gt(sim_pairs.follower.counters.lost_in_packets, 1000);
}

Test(small, a_slow_line_never_mismatches_entries_and_exits)
{
    run("slow", 4 * MPT_RING_RECORDS, 40, false);
    cr_assert_gt(sim_pairs.follower.counters.lost_in_packets, 1000);
}

Test(small, longjmp_never_mismatches_entries_and_exits)
{
    run("jumps", 4 * MPT_RING_RECORDS, SIZE_MAX, true);
    cr_assert_gt(sim_pairs.follower.counters.lost_in_packets, 1000);
}

static struct test_random interrupts;

/* A handler that calls functions, each of which returns. */
static void interrupt_handler(void)
{
    uint32_t below = program.n;

    if (test_random_below(&interrupts, 4))
        return;
    do {
        if (program.n == below || (program.n < below + 3 && test_random_below(&interrupts, 2)))
            enter(0x400 + 16 * program.n);
        else
            leave(program.stack[program.n - 1].function);
    } while (program.n > below);
}

Test(small, an_interrupt_while_polling_is_a_callee_of_the_interrupted)
{
    struct test_random random = test_random_start("interrupts");
    size_t told = 0;

    interrupts = test_random_start("handlers");
    sim_may_lose = true;
    sim_start(NULL);
    start();
    for (int round = 0; round < 2000; round++) {
        for (size_t i = test_random_below(&random, MPT_RING_RECORDS); i; i--)
            step(&random, false);
        sim.interrupt = interrupt_handler;
        for (int i = 0; i < 3; i++)
            mpt_poll();
        sim.interrupt = NULL;
        const struct heard *heard = flush();
        for (size_t i = 0; i < heard->n_pairs; i++)
            cr_assert(is_true(&heard->pairs[i], true), "round %d", round);
        told += heard->n_pairs;
        cr_assert_eq(sim_pairs.follower.number, program.events);
    }
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
    cr_assert_gt(told, 1000);
}

/* ---- the end ---- */

Test(small, only_a_stop_that_asks_for_it_gets_a_closing_packet)
{
    sim_start(NULL);
    start();
    for (int i = 0; i < 3; i++) {
        sim_enter(0x100);
        sim_exit(0x100);
        sim_command(MP_STOP);
        cr_assert_eq(sim_hear()->n_closings, 0);
        start();
    }
    sim_enter(0x100);
    sim_exit(0x100);
    for (int again = 0; again < 3; again++) {
        sim_stop();
        const struct heard *heard = sim_hear();
        cr_assert_eq(heard->n_closings, 1);
        cr_assert_eq(heard->last_closing, heard->n_packets - 1);
        cr_assert_eq(heard->closing_version, 2);
        cr_assert_eq(heard->n_pairs, again == 0);
    }
    sim_stop();
    start();
    cr_assert_eq(sim_hear()->n_closings, 0, "it was taken back");
}

/* More calls than fit into the ring; the last ones are lost after the last packet. */
Test(small, the_number_of_the_closing_packet_includes_losses)
{
    sim_may_lose = true;
    sim_start(NULL);
    start();
    for (uint32_t i = 0; i < 5 * MPT_RING_RECORDS; i++) {
        sim_enter(0x100);
        sim_exit(0x100);
    }
    sim_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_closings, 1);
    cr_assert_eq(heard->last_closing, heard->n_packets - 1);
    cr_assert_eq(2 * heard->n_pairs + sim_pairs.follower.counters.lost_in_packets, 10 * MPT_RING_RECORDS);
}
