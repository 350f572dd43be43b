/* test_call_pairs.c - random programs through the compact stream: no call ever gets another one's exit, every
 * loss is placed and sized. TEST_PROGRAMS=N tries N programs instead of 300. */
#include "protocol/call_pairs.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/compact_program.h"

static struct {
    uint32_t pairs, false_pairs, lost, whole;
    uint64_t seed;
} heard;

static void hear_pair(void *user, const struct mp_pair *pair)
{
    const struct program_call *call = program_call_at(pair->start);

    heard.pairs++;
    heard.whole += pair->is_whole;
    if (!call || call->is_jumped || call->function != pair->function || call->end != pair->end ||
        call->context != pair->context) {
        heard.false_pairs++;
        fprintf(stderr, "program %llu: %u in %u from %llu to %llu is not so\n",
                (unsigned long long)heard.seed, pair->function, pair->context,
                (unsigned long long)pair->start, (unsigned long long)pair->end);
    }
}

static void ignore_pair(void *user, const struct mp_pair *pair) {}

static void hear_loss(void *user, const struct mp_loss *loss)
{
    heard.lost += loss->lost;
    cr_assert_leq(loss->from, loss->to);
}

static struct mp_pairs host;

static void open_host(uint32_t room)
{
    host = (struct mp_pairs){.call = hear_pair, .loss = hear_loss};
    program_open_host(&host, room);
    memset(&heard, 0, sizeof heard);
}

static void send_packet(uint32_t i)
{
    uint8_t *exact = malloc(program.packets[i].size); /* so that a sanitizer finds reads behind it */

    if (!exact)
        abort();
    memcpy(exact, program.packets[i].payload, program.packets[i].size);
    mp_pairs_packet(&host, exact, program.packets[i].size);
    free(exact);
}

Test(call_pairs, without_loss_every_call_is_there)
{
    struct test_random random = test_random_start("without_loss");

    for (uint64_t i = 0; i < programs_wanted(); i++) {
        uint64_t seed = test_random_next(&random);
        program_run(seed);
        open_host(PROGRAM_CONTEXTS);
        heard.seed = seed;
        for (uint32_t k = 0; k < program.n_packets; k++)
            send_packet(k);
        cr_assert_eq(heard.false_pairs, 0);
        cr_assert_eq(host.follower.counters.malformed + host.follower.counters.late +
                         host.follower.counters.time_jumps,
                     0);
        cr_assert_eq(host.follower.counters.lost_in_packets, 0);
        cr_assert_eq(host.follower.number, program.events & MP_COMPACT_EVENTS,
                     "program %llu: %u events, not %u", (unsigned long long)seed, host.follower.number,
                     program.events);
        if (!program.has_gaps)
            cr_assert_eq(heard.pairs, program.n_calls - program.n_jumped, "program %llu: %u calls of %u",
                         (unsigned long long)seed, heard.pairs, program.n_calls);
        cr_assert(program.has_gaps || heard.whole == heard.pairs, "program %llu: %u of %u are whole",
                  (unsigned long long)seed, heard.whole, heard.pairs);
    }
}

Test(call_pairs, faulty_delivery_never_mismatches_and_losses_are_sized)
{
    struct test_random random = test_random_start("lossy");
    uint64_t pairs = 0, calls = 0;

    for (uint64_t i = 0; i < programs_wanted(); i++) {
        uint64_t seed = test_random_next(&random);
        uint32_t one_in = 2 + (uint32_t)test_random_below(&random, 20);
        program_run(seed);
        open_host(PROGRAM_CONTEXTS);
        heard.seed = seed;
        program_send_lossy(one_in, send_packet);
        cr_assert_eq(heard.false_pairs, 0);
        cr_assert_eq(host.follower.number, program.events & MP_COMPACT_EVENTS);
        cr_assert_eq(heard.lost,
                     host.follower.counters.lost_in_packets + host.follower.counters.lost_in_gaps);
        pairs += heard.pairs;
        calls += program.n_calls;
    }
    fprintf(stderr, "%llu of %llu calls were sent\n", (unsigned long long)pairs, (unsigned long long)calls);
    cr_assert_gt(pairs, calls / 3);
}

/* A packet continues where the earlier events ended, also in a context other than the first. */
Test(call_pairs, a_packet_that_begins_at_another_depth_is_of_another_run)
{
    enum { CONTEXT_AT = MP_COMPACT_HEAD - 2, DEPTH_AT };
    unsigned in_others = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        program_run(seed);
        open_host(PROGRAM_CONTEXTS);
        for (uint32_t k = 0; k < program.n_packets && !program.has_gaps; k++) {
            uint8_t *payload = program.packets[k].payload;
            if (payload[CONTEXT_AT] < 0x80 && payload[DEPTH_AT] < 0x7F &&
                mp_follower_continues(&host.follower, payload, program.packets[k].size)) {
                payload[DEPTH_AT]++;
                in_others += payload[CONTEXT_AT] != host.follower.contexts[0].id &&
                             !mp_follower_continues(&host.follower, payload, program.packets[k].size);
                payload[DEPTH_AT]--;
            }
            send_packet(k);
        }
    }
    cr_assert_gt(in_others, 20);
}

static uint32_t retold;

static void count_step(void *user, const struct mp_step *step)
{
    retold++;
}

/* Entries behind them are unused memory. */
Test(call_pairs, running_calls_are_reported_again_for_known_contexts)
{
    program_run(7);
    open_host(PROGRAM_CONTEXTS);
    for (uint32_t k = 0; k < program.n_packets / 2; k++)
        send_packet(k);
    uint32_t n = host.follower.n, want = host.follower.running != NULL;
    cr_assert(n > 0 && n < PROGRAM_CONTEXTS, "%u contexts", n);
    for (uint32_t i = 0; i < n; i++) {
        const struct mp_call_stack *stack = &host.follower.contexts[i].stack;
        want += mp_call_stack_depth(stack) ? 1 + stack->n : 0;
    }
    host.follower.contexts[n].stack.n = 1;
    host.follower.step = count_step;
    mp_follower_retell(&host.follower);
    cr_expect_eq(retold, want);
}

Test(call_pairs, damaged_packets_crash_nothing)
{
    struct test_random random = test_random_start("damaged");

    for (uint64_t i = 0; i < programs_wanted() / 3; i++) {
        program_run(test_random_next(&random));
        open_host(1 + program_below(PROGRAM_CONTEXTS));
        host.call = ignore_pair; /* a damaged packet with a right checksum may contain anything */
        for (uint32_t k = 0; k < program.n_packets; k++) {
            for (uint32_t flips = program_below(4); flips; flips--)
                program.packets[k].payload[program_below(program.packets[k].size)] ^=
                    (uint8_t)(1u << program_below(8));
            if (program_below(4) == 0)
                program.packets[k].size = (uint16_t)program_below(program.packets[k].size + 1u);
            send_packet(k);
        }
    }
}

Test(call_pairs, a_packet_that_cannot_be_opened_counts_as_malformed)
{
    static struct mp_follower follower;
    static const uint8_t nothing[1];
    mp_follower_packet(&follower, nothing, 0);
    mp_follower_packet(&follower, nothing, sizeof nothing);
    cr_expect_eq(follower.counters.packets, 2);
    cr_expect_eq(follower.counters.malformed, 2);
}
