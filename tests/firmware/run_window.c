/* run_window.c - checks windows of the example with tasks, in the emulator: every call in them is one of the
 * example, the slow one took as long as reported, and the tree beside them has every tick.
 *
 *     run_window FUNCTION TICKS WINDOWS ELF COMMAND [ARGUMENT]... */
#include "elf_symbols.h"
#include "example-tasks/counts.h"
#include "example_tree.h"
#include "mpt.h"
#include "protocol/stack_follower.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 8, DEPTH = 16 };

static const struct {
    const char *name;
    uint32_t id;
} contexts[] = {
#define CONTEXT(name, id) {name, id},
    TASKS_CONTEXTS(CONTEXT)
#undef CONTEXT
};

static const struct {
    const char *context, *caller, *callee;
} edges[] = {
#define EDGE(context, caller, callee, calls) {context, caller, callee},
    TASKS_EDGES(EDGE)
#undef EDGE
};

static struct {
    struct elf_symbols symbols;
    const char *function;
    uint32_t least; /* ticks */
    struct mp_follower follower;
    struct mp_followed followed[CONTEXTS];
    uint32_t functions[CONTEXTS][DEPTH];
    uint64_t began[CONTEXTS][DEPTH]; /* 0 when not seen */
    uint64_t triggered;
    uint32_t took, windows, slow_calls, calls, contexts_seen, trees;
} host;

static const char *name_of(uint32_t function)
{
    const char *name = elf_symbols_name(&host.symbols, function);

    require(name != NULL, "a function that the ELF does not have");
    return name;
}

static uint32_t address_of(const char *name)
{
    for (size_t i = 0; i < host.symbols.n; i++)
        if (!strcmp(host.symbols.function[i].name, name))
            return (uint32_t)host.symbols.function[i].address;
    give_up("the ELF does not have the function");
}

static uint32_t context_of(uint32_t id)
{
    for (uint32_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        if (contexts[i].id == id)
            return i;
    give_up("a context that the example does not have");
}

/* Checks a call that began against the follower's stack. */
static void check_caller(const struct mp_step *step, uint32_t context)
{
    const char *caller = "", *callee = name_of(step->function);

    for (uint32_t i = 0; i < host.follower.n && step->depth; i++) {
        const struct mp_followed *followed = &host.followed[i];

        if (followed->id != step->context)
            continue;
        require(!followed->stack.unknown && followed->stack.n == step->depth + 1,
                "a caller that runs is not reported");
        caller = name_of(followed->stack.function[step->depth - 1]);
    }
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        if (!strcmp(edges[i].context, contexts[context].name) && !strcmp(edges[i].caller, caller) &&
            !strcmp(edges[i].callee, callee))
            return;
    fprintf(stderr, "in %s: %s -> %s\n", contexts[context].name, caller, callee);
    give_up("the example has no such call");
}

static void take(void *user, const struct mp_step *step)
{
    uint32_t context;

    switch (step->kind) {
    case MP_STEP_ENTER:
        context = context_of(step->context);
        require(step->depth < DEPTH, "a call deeper than any is");
        check_caller(step, context);
        host.began[context][step->depth] = step->time;
        host.contexts_seen |= 1u << context;
        host.calls++;
        break;
    case MP_STEP_EXIT:
        context = context_of(step->context);
        if (step->time == host.triggered && !strcmp(name_of(step->function), host.function)) {
            require(step->time - host.began[context][step->depth] == host.took,
                    "the slow call took another time than is reported");
            host.slow_calls++;
        }
        break;
    case MP_STEP_WINDOW:
        require(step->why == MP_WINDOW_SLOW_CALL && step->function == address_of(host.function) &&
                    step->ticks > host.least,
                "a window that no slow call has kept");
        host.triggered = step->time + step->since;
        host.took = step->ticks;
        break;
    case MP_STEP_WINDOW_END: host.windows++; break;
    default: break;
    }
}

/* Reads the next packet and returns its type. */
static uint8_t hear(void)
{
    struct mp_frame frame;

    target_hear(&frame);
    if (frame.type != MP_PROFILE_DATA)
        return frame.type;
    if (mp_compact_is_window(frame.payload, frame.length)) {
        mp_follower_packet(&host.follower, frame.payload, frame.length);
    } else {
        const char *wrong = example_tree_packet(frame.payload, frame.length);

        require(!wrong, wrong);
        host.trees++;
    }
    return frame.type;
}

static void await(uint8_t type)
{
    uint8_t heard;

    while ((heard = hear()) == MP_PROFILE_DATA)
        ;
    require(heard == type, "another answer than was to come");
}

static void configure(uint8_t key, uint32_t value)
{
    target_configure(key, value);
    await(MP_ACK);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: run_window FUNCTION TICKS WINDOWS ELF COMMAND [ARGUMENT]...\n");
        return 2;
    }
    uint32_t wanted = (uint32_t)strtoul(argv[3], NULL, 10);

    host.function = argv[1];
    host.least = (uint32_t)strtoul(argv[2], NULL, 10);
    host.symbols = elf_symbols_read(argv[4]);
    for (uint32_t i = 0; i < CONTEXTS; i++)
        host.followed[i].stack = (struct mp_call_stack){.function = host.functions[i], .room = DEPTH};
    host.follower.step = take;
    mp_follower_init(&host.follower, host.followed, CONTEXTS);
    example_tree_open();
    target_start(argv + 5, 0);
    require(hear() == MP_METADATA, "the example does not begin with METADATA");
    configure(MPT_CONFIG_WINDOW_FUNCTION, address_of(host.function));
    configure(MPT_CONFIG_WINDOW_TICKS, host.least);
    configure(MPT_CONFIG_WINDOW, 1);
    target_command(MP_START, 1, (const uint8_t[]){3});
    await(MP_ACK);
    while (host.windows < wanted)
        require(hear() == MP_PROFILE_DATA, "an unexpected packet");
    target_command(MP_STOP, 0, NULL);
    await(MP_ACK);
    target_command(MP_GET_STATUS, 0, NULL);
    await(MP_STATUS);
    uint32_t calls = 0;
    for (int i = 0; i < 50 && !(calls = example_tree_calls()); i++) {
        target_command(MP_STOP, 0, NULL);
        await(MP_ACK);
    }
    target_stop();

    const struct mp_follow_counters *c = &host.follower.counters;

    require(calls, "some ticks are nowhere in the tree");
    require(!c->malformed && !c->late && !c->time_jumps && !c->unplaced && !c->lost_in_packets &&
                !c->lost_in_gaps && !c->other_depths,
            "windows are not as they should be");
    require(c->runs >= wanted, "windows have no number of their own");
    require(host.slow_calls >= wanted, "a slow call is not in its window");
    require(host.trees > wanted, "the tree had no turn");
    require(host.contexts_seen & ~1u & (host.contexts_seen - 1), "windows of one context");
    printf(
        "%u windows with %u calls in contexts %X, %u slow ones as reported; %u packets of the tree, %u calls "
        "there\n",
        host.windows, host.calls, host.contexts_seen, host.slow_calls, host.trees, calls);
    elf_symbols_free(&host.symbols);
    return 0;
}
