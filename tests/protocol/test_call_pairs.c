/* test_call_pairs.c - random programs through the compact stream: no call ever gets another one's exit, every
 * loss is placed and sized. TEST_PROGRAMS=N tries N programs instead of 300. */
#include "protocol/call_pairs.h"
#include "protocol/compact_writer.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/random.h"

enum {
    CONTEXTS = 7, /* tasks 0, 1, 2; interrupts 1 to 4 as contexts 3, 5, 7, 9 */
    DEEPEST = 24,
    FUNCTIONS = 9,
    STEPS = 1200,
    PACKETS = 3000,
    PAYLOAD = 200,
};

static const uint32_t ids[CONTEXTS] = {0, 2, 4, 3, 5, 7, 9};

struct truth_call {
    uint32_t function, start, end, context;
};

/* One program, and what its target knows of it. */
static struct program {
    struct test_random random;
    bool may_jump, has_gaps, has_tasks;
    uint32_t running;           /* index of the context */
    uint32_t waiting[CONTEXTS]; /* what interrupts have interrupted */
    uint32_t n_waiting;
    struct {
        uint32_t function[DEEPEST], start[DEEPEST], n;
    } stack[CONTEXTS];
    struct truth_call *by_start[3 * STEPS]; /* times are unique */
    struct truth_call calls[STEPS];
    uint32_t n_calls, events;
    /* the target */
    uint32_t time, told_number;
    struct mp_call_stack known[CONTEXTS];
    uint32_t known_functions[CONTEXTS][DEEPEST], known_start[CONTEXTS][DEEPEST];
    bool is_frozen;
    uint32_t lost;
    struct {
        int32_t net, lowest;
        uint32_t sum;
    } gap[CONTEXTS];
    /* the line */
    struct mp_compact_writer writer;
    bool is_open;
    uint8_t payload[PAYLOAD + MP_COMPACT_TOKEN_MAX];
    struct {
        uint16_t size;
        uint8_t payload[PAYLOAD];
    } packets[PACKETS];
    uint32_t n_packets;
} p;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)test_random_below(&p.random, limit);
}

static void close_packet(void)
{
    if (!p.is_open)
        return;
    p.packets[p.n_packets].size = mp_compact_end(&p.writer, below(4) == 0);
    cr_assert_leq(p.packets[p.n_packets].size, PAYLOAD);
    memcpy(p.packets[p.n_packets].payload, p.payload, p.packets[p.n_packets].size);
    p.n_packets++;
    cr_assert_lt(p.n_packets, PACKETS);
    p.is_open = false;
}

static void tell_open_calls(void)
{
    const struct mp_call_stack *stack = &p.known[p.running];

    for (uint32_t i = 0; i < stack->n && !stack->unknown; i++)
        if (!mp_compact_open(&p.writer, mp_call_stack_depth_of(stack, i), stack->function[i],
                             p.time - p.known_start[p.running][i]))
            return;
}

static void open_packet(void)
{
    struct mp_compact_head head = {
        .run = 3,
        .number = p.told_number,
        .time = p.time,
        .context = ids[p.running],
        .depth = mp_call_stack_depth(&p.known[p.running]),
    };

    mp_compact_begin(&p.writer, p.payload, (uint16_t)(40 + below(PAYLOAD - 39)), (uint8_t)(8u << below(4)), 0,
                     &head);
    p.is_open = true;
    if (below(10) == 0 && mp_compact_clock(&p.writer, 25000000))
        tell_open_calls();
}

/* `write` until it fits; a packet without an event is sent for nothing, which is allowed. */
#define WRITE(write)                                                                                         \
    do {                                                                                                     \
        if (!p.is_open)                                                                                      \
            open_packet();                                                                                   \
        if (write)                                                                                           \
            break;                                                                                           \
        close_packet();                                                                                      \
    } while (true)

static void event(uint32_t function, bool is_enter)
{
    uint32_t c = p.running;

    p.events++;
    if (p.is_frozen) {
        p.lost++;
        p.gap[c].net += is_enter ? 0 : -1;
        for (int32_t i = 0; i < p.gap[c].net; i++)
            function *= MP_CALL_WEIGHT;
        for (int32_t i = 0; i > p.gap[c].net; i--)
            function *= MP_CALL_LESS_WEIGHT;
        p.gap[c].sum += is_enter ? function : 0u - function;
        p.gap[c].net += is_enter ? 1 : 0;
        if (p.gap[c].net < p.gap[c].lowest)
            p.gap[c].lowest = p.gap[c].net;
        return;
    }
    if (is_enter) {
        WRITE(mp_compact_enter(&p.writer, function, p.time));
        int32_t index = mp_call_stack_enter(&p.known[c], function);
        if (index >= 0)
            p.known_start[c][index] = p.time;
    } else {
        WRITE(mp_compact_exit(&p.writer, function, p.time));
        mp_call_stack_exit(&p.known[c], function);
    }
    p.told_number++;
}

static void enter(uint32_t function)
{
    uint32_t n = p.stack[p.running].n++;

    p.stack[p.running].function[n] = function;
    p.stack[p.running].start[n] = p.time;
    event(function, true);
}

/* Ends the innermost call of that function, as a pairing with nothing missing would. */
static void leave(uint32_t function)
{
    uint32_t n = p.stack[p.running].n;

    while (p.stack[p.running].function[n - 1] != function)
        n--;
    struct truth_call *call = &p.calls[p.n_calls++];

    *call = (struct truth_call){function, p.stack[p.running].start[n - 1], p.time, ids[p.running]};
    p.by_start[call->start] = call;
    p.stack[p.running].n = n - 1;
    event(function, false);
}

static void change(uint32_t context)
{
    p.running = context;
    for (uint32_t i = 3; i < CONTEXTS && context < 3; i++)
        mp_call_stack_reset(&p.known[i], 0);
    if (!p.is_frozen)
        WRITE(mp_compact_context(&p.writer, ids[context], mp_call_stack_depth(&p.known[context]), p.time));
}

static void thaw(void)
{
    if (!p.is_frozen || p.running >= 3)
        return;
    for (uint32_t i = 3; i < CONTEXTS; i++)
        mp_call_stack_reset(&p.known[i], 0);
    /* The running one is told last: it runs on. */
    for (uint32_t k = 1, running = p.running; k <= 3; k++) {
        uint32_t c = (running + k) % 3;
        if (!p.gap[c].net && !p.gap[c].lowest && !p.gap[c].sum && c != running)
            continue;
        p.running = c; /* a packet that begins here says so */
        WRITE(mp_compact_context(&p.writer, ids[c], mp_call_stack_depth(&p.known[c]), p.time));
        WRITE(mp_compact_gap(&p.writer, c == running ? p.lost : 0, p.gap[c].net, p.gap[c].lowest,
                             p.gap[c].sum, p.time));
        mp_call_stack_gap(&p.known[c], p.gap[c].net, p.gap[c].lowest, p.gap[c].sum);
    }
    p.told_number += p.lost;
    p.lost = 0;
    memset(p.gap, 0, sizeof p.gap);
    p.is_frozen = false;
}

static void step(void)
{
    uint32_t n = p.stack[p.running].n;

    p.time += 1;
    switch (below(40)) {
    case 0:
    case 1: /* an interrupt, of a higher number than the one that runs */
        if (p.running != CONTEXTS - 1) {
            p.waiting[p.n_waiting++] = p.running;
            change(p.running < 3 ? 3 + below(CONTEXTS - 3) : p.running + 1);
            p.time += 1;
            enter(1 + below(FUNCTIONS));
        }
        return;
    case 2:
        if (p.has_tasks && p.running < 3)
            change(below(3));
        return;
    case 3:
        if (p.has_gaps && below(2))
            p.is_frozen = true;
        return;
    case 4: thaw(); return;
    case 5:
        if (below(2))
            close_packet();
        return;
    default: break;
    }
    if (n && (n == DEEPEST || below(2))) {
        if (p.may_jump && n > 1 && below(12) == 0)
            n -= below(n);
        leave(p.stack[p.running].function[n - 1]);
    } else if (p.running < 3 || n) {
        enter(1 + below(FUNCTIONS));
    }
    if (p.running >= 3 && !p.stack[p.running].n && p.n_waiting) {
        p.time += 1;
        change(p.waiting[--p.n_waiting]);
    }
}

static void run_program(uint64_t seed)
{
    memset(&p, 0, sizeof p);
    p.random.state = seed;
    p.may_jump = below(2);
    p.has_gaps = below(2);
    p.has_tasks = below(2);
    for (uint32_t i = 0; i < CONTEXTS; i++)
        p.known[i] =
            (struct mp_call_stack){.function = p.known_functions[i], .room = (uint16_t)(4 + below(21))};
    for (uint32_t i = 0; i < STEPS; i++)
        step();
    while (p.running >= 3) {
        p.time += 1;
        while (p.stack[p.running].n)
            leave(p.stack[p.running].function[p.stack[p.running].n - 1]);
        change(p.waiting[--p.n_waiting]);
    }
    thaw();
    close_packet();
}

/* ---- the host ---- */

static struct {
    uint32_t pairs, false_pairs, lost, whole;
    uint64_t seed;
} heard;

static void hear_pair(void *user, const struct mp_pair *pair)
{
    const struct truth_call *call = pair->start < 3 * STEPS ? p.by_start[pair->start] : NULL;

    heard.pairs++;
    heard.whole += pair->is_whole;
    if (!call || call->function != pair->function || call->end != pair->end ||
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
    static struct mp_followed followed[CONTEXTS];
    static struct mp_pairs_context contexts[CONTEXTS];
    static uint32_t functions[CONTEXTS][DEEPEST];
    static uint64_t starts[CONTEXTS][DEEPEST];

    memset(followed, 0, sizeof followed);
    memset(contexts, 0, sizeof contexts);
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        followed[i].stack.function = functions[i];
        followed[i].stack.room = DEEPEST;
        contexts[i].start = starts[i];
    }
    host = (struct mp_pairs){.call = hear_pair, .loss = hear_loss};
    mp_pairs_init(&host, followed, contexts, room);
    memset(&heard, 0, sizeof heard);
}

static void send_packet(uint32_t i)
{
    uint8_t *exact = malloc(p.packets[i].size); /* so that a sanitizer sees one byte too far */

    if (!exact)
        abort();
    memcpy(exact, p.packets[i].payload, p.packets[i].size);
    mp_pairs_packet(&host, exact, p.packets[i].size);
    free(exact);
}

static uint64_t programs(void)
{
    const char *wanted = getenv("TEST_PROGRAMS");

    return wanted ? strtoull(wanted, NULL, 10) : 300;
}

Test(call_pairs, without_loss_every_call_is_there)
{
    struct test_random random = test_random_start("without_loss");

    for (uint64_t i = 0; i < programs(); i++) {
        uint64_t seed = test_random_next(&random);
        run_program(seed);
        open_host(CONTEXTS);
        heard.seed = seed;
        for (uint32_t k = 0; k < p.n_packets; k++)
            send_packet(k);
        cr_assert_eq(heard.false_pairs, 0);
        cr_assert_eq(host.follower.counters.malformed + host.follower.counters.late +
                         host.follower.counters.time_jumps,
                     0);
        cr_assert_eq(host.follower.counters.lost_in_packets, 0);
        cr_assert_eq(host.follower.number, p.events & MP_COMPACT_EVENTS, "program %llu: %u events, not %u",
                     (unsigned long long)seed, host.follower.number, p.events);
        if (!p.has_gaps)
            cr_assert_eq(heard.pairs, p.n_calls, "program %llu: %u calls of %u", (unsigned long long)seed,
                         heard.pairs, p.n_calls);
    }
}

Test(call_pairs, whatever_is_lost_doubled_or_late_no_call_gets_anothers_exit_and_the_loss_is_sized)
{
    struct test_random random = test_random_start("lossy");
    uint64_t pairs = 0, calls = 0;

    for (uint64_t i = 0; i < programs(); i++) {
        uint64_t seed = test_random_next(&random);
        uint32_t one_in = 2 + (uint32_t)test_random_below(&random, 20), first = UINT32_MAX;
        run_program(seed);
        open_host(CONTEXTS);
        heard.seed = seed;
        for (uint32_t k = 0; k < p.n_packets; k++) {
            if (below(one_in) == 0 && k + 1 < p.n_packets)
                continue; /* lost */
            if (first == UINT32_MAX)
                first = k;
            send_packet(k);
            if (below(one_in) == 0)
                send_packet(k - below(k - first + 1)); /* this or an older one once more */
        }
        cr_assert_eq(heard.false_pairs, 0);
        cr_assert_eq(host.follower.number, p.events & MP_COMPACT_EVENTS);
        cr_assert_eq(heard.lost,
                     host.follower.counters.lost_in_packets + host.follower.counters.lost_in_gaps);
        pairs += heard.pairs;
        calls += p.n_calls;
    }
    fprintf(stderr, "%llu of %llu calls were told\n", (unsigned long long)pairs, (unsigned long long)calls);
    cr_assert_gt(pairs, calls / 3);
}

Test(call_pairs, damaged_packets_crash_nothing)
{
    struct test_random random = test_random_start("damaged");

    for (uint64_t i = 0; i < programs() / 3; i++) {
        run_program(test_random_next(&random));
        open_host(1 + below(CONTEXTS));
        host.call = ignore_pair; /* a damaged packet that the checksum lets pass may say anything */
        for (uint32_t k = 0; k < p.n_packets; k++) {
            for (uint32_t flips = below(4); flips; flips--)
                p.packets[k].payload[below(p.packets[k].size)] ^= (uint8_t)(1u << below(8));
            if (below(4) == 0)
                p.packets[k].size = (uint16_t)below(p.packets[k].size + 1u);
            send_packet(k);
        }
    }
}
