/* compact_program.c - random programs of tasks and interrupts, sent in the compact stream. */
#include "support/compact_program.h"
#include "support/effort.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t ids[PROGRAM_CONTEXTS] = {0, 2, 4, 3, 5, 7, 9};

struct program program;

uint32_t program_below(uint32_t limit)
{
    return (uint32_t)test_random_below(&program.random, limit);
}

static void close_packet(void)
{
    if (!program.is_open)
        return;
    program.packets[program.n_packets].size = mp_compact_end(&program.writer, program_below(4) == 0);
    cr_assert_leq(program.packets[program.n_packets].size, PROGRAM_PAYLOAD);
    memcpy(program.packets[program.n_packets].payload, program.payload,
           program.packets[program.n_packets].size);
    program.n_packets++;
    cr_assert_lt(program.n_packets, PROGRAM_PACKETS);
    program.is_open = false;
}

static void tell_open_calls(void)
{
    const struct mp_call_stack *stack = &program.known[program.running];

    for (uint32_t i = 0; i < stack->n && !stack->unknown; i++)
        if (!mp_compact_open(&program.writer, mp_call_stack_depth_of(stack, i), stack->function[i],
                             program.time - program.known_start[program.running][i]))
            return;
}

static void open_packet(void)
{
    struct mp_compact_head head = {
        .run = 3,
        .number = program.told_number,
        .time = program.time,
        .context = ids[program.running],
        .depth = mp_call_stack_depth(&program.known[program.running]),
        .is_window = program.is_window,
    };

    mp_compact_begin(&program.writer, program.payload, (uint16_t)(40 + program_below(PROGRAM_PAYLOAD - 39)),
                     (uint8_t)(8u << program_below(4)), 0, &head);
    program.is_open = true;
    if (program_below(10) == 0 && mp_compact_clock(&program.writer, 25000000))
        tell_open_calls();
    if (program_below(10) == 0)
        (void)mp_compact_name(&program.writer, ids[program_below(PROGRAM_CONTEXTS)], program_below(2),
                              "any name at all, or none", program_below(MP_COMPACT_NAME_MAX + 1));
    if (program.is_window && program_below(10) == 0)
        (void)mp_compact_window(&program.writer, (uint8_t)program_below(4),
                                program_below(PROGRAM_FUNCTIONS + 1), program.time, program_below(200), 1);
    if (program.is_window && program_below(10) == 0)
        (void)mp_compact_window_end(&program.writer);
}

/* Repeats `write` until it fits. This may send a packet without an event, which is allowed. */
#define WRITE(write)                                                                                         \
    do {                                                                                                     \
        if (!program.is_open)                                                                                \
            open_packet();                                                                                   \
        if (write)                                                                                           \
            break;                                                                                           \
        close_packet();                                                                                      \
    } while (true)

static void event(uint32_t function, bool is_enter)
{
    uint32_t c = program.running;

    function += program.base;
    program.events++;
    program.stack[c].newest = program.time;
    if (program.is_frozen) {
        program.lost++;
        program.gap[c].net += is_enter ? 0 : -1;
        for (int32_t i = 0; i < program.gap[c].net; i++)
            function *= MP_CALL_WEIGHT;
        for (int32_t i = 0; i > program.gap[c].net; i--)
            function *= MP_CALL_LESS_WEIGHT;
        program.gap[c].sum += is_enter ? function : 0u - function;
        program.gap[c].net += is_enter ? 1 : 0;
        if (program.gap[c].net < program.gap[c].lowest)
            program.gap[c].lowest = program.gap[c].net;
        return;
    }
    if (is_enter) {
        WRITE(mp_compact_enter(&program.writer, function, program.time));
        int32_t index = mp_call_stack_enter(&program.known[c], function);
        if (index >= 0)
            program.known_start[c][index] = program.time;
    } else {
        WRITE(mp_compact_exit(&program.writer, function, program.time));
        mp_call_stack_exit(&program.known[c], function);
    }
    program.told_number++;
}

static void enter(uint32_t function)
{
    uint32_t n = program.stack[program.running].n++;

    if (n > 0)
        program.calls_from[program.stack[program.running].function[n - 1]][function] = true;
    program.stack[program.running].function[n] = function;
    program.stack[program.running].start[n] = program.time;
    event(function, true);
}

static void end_call(uint32_t index, uint32_t end, bool is_jumped)
{
    uint32_t c = program.running;
    struct program_call *call = &program.calls[program.n_calls++];

    *call = (struct program_call){program.stack[c].function[index],
                                  program.stack[c].start[index],
                                  end,
                                  program.time,
                                  ids[c],
                                  is_jumped};
    program.by_start[call->start] = call;
    program.n_jumped += is_jumped;
}

/* Ends the innermost call of that function, as pairing without losses does. */
static void leave(uint32_t function)
{
    uint32_t c = program.running, n = program.stack[c].n;

    for (; program.stack[c].function[n - 1] != function; n--)
        end_call(n - 1, program.stack[c].newest, true);
    end_call(n - 1, program.time, false);
    program.stack[c].n = n - 1;
    event(function, false);
}

static void change(uint32_t context)
{
    program.running = context;
    for (uint32_t i = 3; i < PROGRAM_CONTEXTS && context < 3; i++)
        mp_call_stack_reset(&program.known[i], 0);
    uint32_t id = ids[context], depth = mp_call_stack_depth(&program.known[context]);

    /* A task that waits changes no call. */
    if (!program.is_frozen && program_below(2))
        WRITE(mp_compact_context_blocked(&program.writer, id, depth, program.time));
    else if (!program.is_frozen)
        WRITE(mp_compact_context(&program.writer, id, depth, program.time));
}

static void thaw(void)
{
    if (!program.is_frozen || program.running >= 3)
        return;
    for (uint32_t i = 3; i < PROGRAM_CONTEXTS; i++)
        mp_call_stack_reset(&program.known[i], 0);
    /* The running context is sent last, since it continues. */
    for (uint32_t k = 1, running = program.running; k <= 3; k++) {
        uint32_t c = (running + k) % 3;
        if (!program.gap[c].net && !program.gap[c].lowest && !program.gap[c].sum && c != running)
            continue;
        program.running = c; /* a packet that begins here names it */
        WRITE(mp_compact_context(&program.writer, ids[c], mp_call_stack_depth(&program.known[c]),
                                 program.time));
        uint32_t lost = c == running ? program.lost : 1;
        WRITE(mp_compact_gap(&program.writer, lost, program.gap[c].net, program.gap[c].lowest,
                             program.gap[c].sum, program.time));
        program.lost -= lost;
        bool is_change = program.gap[c].net || program.gap[c].lowest || program.gap[c].sum;
        program.told_number += lost ? lost : is_change;
        program.events += !lost && is_change; /* it counts as one */
        mp_call_stack_gap(&program.known[c], program.gap[c].net, program.gap[c].lowest, program.gap[c].sum);
    }
    memset(program.gap, 0, sizeof program.gap);
    program.is_frozen = false;
}

static void step(void)
{
    uint32_t n = program.stack[program.running].n;

    program.time += 1;
    switch (program_below(40)) {
    case 0:
    case 1: /* an interrupt, of a higher number than the one that runs */
        if (program.running != PROGRAM_CONTEXTS - 1) {
            program.waiting[program.n_waiting++] = program.running;
            change(program.running < 3 ? 3 + program_below(PROGRAM_CONTEXTS - 3) : program.running + 1);
            program.time += 1;
            enter(1 + program_below(PROGRAM_FUNCTIONS));
        }
        return;
    case 2:
        if (program.has_tasks && program.running < 3)
            change(program_below(3));
        return;
    case 3:
        if (program.has_gaps && program_below(2))
            program.is_frozen = true;
        return;
    case 4: thaw(); return;
    case 5:
        if (program_below(2))
            close_packet();
        return;
    default: break;
    }
    if (n && (n == PROGRAM_DEEPEST || program_below(2))) {
        if (program.may_jump && n > 1 && program_below(12) == 0)
            n -= program_below(n);
        leave(program.stack[program.running].function[n - 1]);
    } else if (program.running < 3 || n) {
        enter(1 + program_below(PROGRAM_FUNCTIONS));
    }
    if (program.running >= 3 && !program.stack[program.running].n && program.n_waiting) {
        program.time += 1;
        change(program.waiting[--program.n_waiting]);
    }
}

void program_run(uint64_t seed)
{
    program_run_at(seed, 0);
}

void program_run_at(uint64_t seed, uint32_t base)
{
    memset(&program, 0, sizeof program);
    program.random.state = seed;
    program.base = base;
    program.may_jump = program_below(2);
    program.has_gaps = program_below(2);
    program.has_tasks = program_below(2);
    program.is_window = program_below(2);
    for (uint32_t i = 0; i < PROGRAM_CONTEXTS; i++)
        program.known[i] = (struct mp_call_stack){.function = program.known_functions[i],
                                                  .room = (uint16_t)(4 + program_below(21))};
    for (uint32_t i = 0; i < PROGRAM_STEPS; i++)
        step();
    while (program.running >= 3) {
        program.time += 1;
        while (program.stack[program.running].n)
            leave(program.stack[program.running].function[program.stack[program.running].n - 1]);
        change(program.waiting[--program.n_waiting]);
    }
    thaw();
    close_packet();
}

void program_send_lossy(uint32_t one_in, void (*send)(uint32_t packet))
{
    uint32_t first = UINT32_MAX;

    for (uint32_t i = 0; i < program.n_packets; i++) {
        if (program_below(one_in) == 0 && i + 1 < program.n_packets)
            continue;
        if (first == UINT32_MAX)
            first = i;
        send(i);
        if (program_below(one_in) == 0)
            send(i - program_below(i - first + 1));
    }
}

const struct program_call *program_call_at(uint64_t start)
{
    return start < 3 * PROGRAM_STEPS ? program.by_start[start] : NULL;
}

uint64_t programs_wanted(void)
{
    const char *wanted = getenv("TEST_PROGRAMS");

    return wanted ? strtoull(wanted, NULL, 10) : test_effort(50, 300);
}

void program_open_host(struct mp_pairs *host, uint32_t room)
{
    static struct mp_followed followed[PROGRAM_CONTEXTS];
    static struct mp_pairs_context contexts[PROGRAM_CONTEXTS];
    static uint32_t functions[PROGRAM_CONTEXTS][PROGRAM_DEEPEST];
    static uint64_t starts[PROGRAM_CONTEXTS][PROGRAM_DEEPEST];

    memset(followed, 0, sizeof followed);
    memset(contexts, 0, sizeof contexts);
    for (uint32_t i = 0; i < PROGRAM_CONTEXTS; i++) {
        followed[i].stack.function = functions[i];
        followed[i].stack.room = PROGRAM_DEEPEST;
        contexts[i].start = starts[i];
    }
    mp_pairs_init(host, followed, contexts, room);
}
