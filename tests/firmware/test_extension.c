/* test_extension.c - other profilers' records are sent beside the agent's, and neither blocks the other. */
#include "sim/sim.h"

#include "mpt_extension.h"

#include <criterion/criterion.h>

#include "protocol/frame.h"
#include "support/random.h"

enum { RECORD = 7, FPRIME = 0, GPROF = 1, SOURCES = 2 };

/* The records that a source has to send, and those received. A record is the source's number and a count. */
static struct source {
    uint8_t dialect;
    uint32_t waiting, taken, heard;
    uint32_t asked; /* number of times */
} sources[SOURCES] = {{.dialect = MP_EXTENSION_FPRIME}, {.dialect = MP_EXTENSION_GPROF}};

static uint32_t packets, longest_packet;

static size_t take(uint32_t number, uint8_t *to, size_t room)
{
    struct source *source = &sources[number];
    size_t n = 0;

    source->asked++;
    for (; source->waiting && room - n >= RECORD; n += RECORD, source->waiting--)
        memcpy(to + n,
               &(uint8_t[RECORD]){(uint8_t)number, (uint8_t)source->taken, (uint8_t)(source->taken++ >> 8)},
               RECORD);
    return n;
}

static size_t take_fprime(uint8_t *to, size_t room)
{
    return take(FPRIME, to, room);
}

static size_t take_gprof(uint8_t *to, size_t room)
{
    return take(GPROF, to, room);
}

static void hear(const uint8_t *payload, size_t n)
{
    uint8_t dialect;
    const uint8_t *bytes = mp_extension_decode(&dialect, payload, n);
    uint32_t number = dialect == MP_EXTENSION_FPRIME ? FPRIME : GPROF;
    struct source *source = &sources[number];

    cr_assert(bytes);
    cr_assert_eq(dialect, source->dialect);
    n -= MP_EXTENSION_HEAD;
    cr_assert_gt(n, 0);
    cr_assert_eq(n % RECORD, 0, "records are whole");
    for (size_t i = 0; i < n; i += RECORD, source->heard++) {
        cr_assert_eq(bytes[i], number);
        cr_assert_eq(bytes[i + 1] + 256u * bytes[i + 2], source->heard, "each once, the oldest first");
    }
    packets++;
    longest_packet = n > longest_packet ? (uint32_t)n : longest_packet;
}

static void begin(void)
{
    sim.extension = hear;
    cr_assert(mpt_extension(MP_EXTENSION_FPRIME, take_fprime));
    cr_assert(mpt_extension(MP_EXTENSION_GPROF, take_gprof));
    sim_start(NULL);
}

static void run_calls(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        sim_enter(16 + i);
        sim.ticks += 25;
        sim_exit(16 + i);
    }
}

Test(extension, there_is_room_for_as_many_sources_as_configured)
{
    begin();
    cr_assert_not(mpt_extension(MP_EXTENSION_TFM, take_gprof));
}

Test(extension, nothing_is_taken_before_start_and_after_stop)
{
    begin();
    sources[GPROF].waiting = 5;
    sim_hear();
    sim_pass_us(MPT_FLUSH_US);
    cr_assert_eq(sim_hear()->n_packets, 0);
    cr_assert_eq(sources[GPROF].asked, 0);

    sim_command(MP_START);
    sim_hear();
    cr_assert_eq(sources[GPROF].heard, 4, "half a packet goes at once");
    sim_command(MP_STOP);
    sim_hear();
    cr_assert_eq(sources[GPROF].heard, 5, "what was taken is sent");
    sources[GPROF].waiting = 5;
    cr_assert_eq(sim_hear()->n_packets, 0);
    cr_assert_eq(sources[GPROF].waiting, 5);
}

Test(extension, a_partial_packet_is_sent_after_the_flush_time)
{
    begin();
    sim_command(MP_START);
    sim_hear();
    sources[FPRIME].waiting = 1;
    cr_assert_eq(sim_hear()->n_packets, 0);
    sim_pass_us(MPT_FLUSH_US - 1);
    cr_assert_eq(sim_hear()->n_packets, 0);
    sources[FPRIME].waiting = 1;
    sim_pass_us(1);
    sim_hear();
    cr_assert_eq(packets, 1);
    cr_assert_eq(sources[FPRIME].heard, 2);
    sim_pass_us(MPT_FLUSH_US);
    cr_assert_eq(sim_hear()->n_packets, 0, "there is no empty packet");
}

Test(extension, sources_take_turns_and_packets_are_filled)
{
    begin();
    mpt_start();
    sources[FPRIME].waiting = sources[GPROF].waiting = 1000;
    for (uint32_t i = 0; i < 100; i++) {
        mpt_poll();
        sim_hear();
        uint32_t a = sources[FPRIME].heard, b = sources[GPROF].heard;
        cr_assert_leq(a > b ? a - b : b - a, MPT_EXTENSION_BYTES / RECORD);
    }
    cr_assert_eq(longest_packet, (MPT_EXTENSION_BYTES - 1) / RECORD * RECORD);
    for (uint32_t i = 0; i < 100; i++)
        sim_hear();
    cr_assert_eq(sources[FPRIME].heard + sources[GPROF].heard, 2000);
}

/* Checks one version with a port that is full most of the time. */
static void check_fairness(uint8_t version)
{
    struct test_random random = test_random_start("check_fairness");
    uint32_t own = 0, others = 0;

    begin();
    sim_start_version(version);
    sim_hear();
    for (uint32_t i = 0; i < 1000; i++) {
        sources[GPROF].waiting += 20; /* more than can be sent */
        run_calls(MPT_RING_RECORDS);
        sim_pass_us(MPT_TREE_ROUND_US);
        sim.tx_room = 20 + test_random_below(&random, 60); /* less than either source has */
        sim_may_lose = true;
        mpt_poll();
    }
    sim.tx_room = SIZE_MAX;
    size_t n;
    const uint8_t *sent = sim_sent(&n);
    uint32_t run = 0, longest_run = 0;
    for (size_t at = 0; at + MP_FRAME_HEAD < n;) {
        size_t length = MP_FRAME_OVERHEAD + sent[at + 3] + 256u * sent[at + 4];
        bool is_own = sent[at + 2] == MP_PROFILE_DATA;
        own += is_own;
        others += sent[at + 2] == MP_EXTENSION;
        run = is_own ? 0 : run + 1;
        longest_run = run > longest_run ? run : longest_run;
        at += length;
    }
    cr_assert_gt(own, 50, "version %u: own %u, others %u", version, own, others);
    cr_assert_gt(others, 50, "version %u: own %u, others %u", version, own, others);
    /* Version 3 sends packets rarely, and a ring that was full continues once it is empty. */
    if (version < 3)
        cr_assert_leq(longest_run, 4, "version %u: %u packets of others in a row", version, longest_run);
}

Test(extension, no_source_starves_in_version_1)
{
    check_fairness(1);
}

Test(extension, no_source_starves_in_version_2)
{
    check_fairness(2);
}

Test(extension, no_source_starves_in_version_3)
{
    check_fairness(3);
}

Test(extension, commands_are_answered_between_packets)
{
    begin();
    mpt_start();
    sources[GPROF].waiting = 100;
    sim.tx_room = 20;
    mpt_poll();
    sim_command(MP_GET_STATUS);
    sim.tx_room = SIZE_MAX;
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->types[0], MP_EXTENSION);
    cr_assert_eq(heard->types[1], MP_STATUS, "next after the packet that was being sent");
    cr_assert_eq(sources[GPROF].heard, 100);
}

Test(extension, a_port_that_takes_little_at_a_time_gets_the_same_bytes)
{
    struct test_random random = test_random_start("extension_takes_little");

    begin();
    sim_start_version(2);
    sim_hear();
    sources[GPROF].waiting = sources[FPRIME].waiting = 100;
    run_calls(20);
    sim_poll_slowly(&random, 3000);
    sim.tx_room = SIZE_MAX;
    sim_command(MP_STOP);
    sim_hear();
    cr_assert_eq(sources[GPROF].heard, 100);
    cr_assert_eq(sources[FPRIME].heard, 100);
    cr_assert_eq(sim_pairs.follower.counters.late, 0);
}
