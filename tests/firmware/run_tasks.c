/* run_tasks.c - runs the example with tasks in an emulator, as a host would, and checks every call, in its task or
 * interrupt, against counts.h.
 *
 *     run_tasks [OPTION]... ROUNDS ELF COMMAND [ARGUMENT]...
 *
 * The command's standard input and output are the link. Exit status as run_example's. Options:
 *
 *     --preset         the firmware was built to run ROUNDS, it needs no command
 *     --free           the firmware runs for ever; profiling starts and stops in the middle of a round
 *     --line N         over a line of N bytes a millisecond, which is too slow: losses are reported, and reported calls
 *                      are right */
#include "elf_symbols.h"
#include "example-tasks/counts.h"
#include "mpt.h"
#include "protocol/call_pairs.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 8, MAX_DEPTH = 16, CONFIG_ROUNDS = MPT_CONFIG_APPLICATION, CONFIG_PACE_MS, CONFIG_LINE };
enum { PACE_MS = 5 }; /* of rounds that do not wait for the line */

#define EDGE(context, caller, callee, calls) {context, caller, callee, calls, 0},
static struct edge {
    const char *context, *caller, *callee;
    uint32_t calls; /* per round */
    uint32_t heard;
} edges[] = {TASKS_EDGES(EDGE)};
#undef EDGE

enum { N_EDGES = sizeof edges / sizeof *edges };

#define CONTEXT(context, number) {.name = context, .id = number},
static struct context {
    const char *name;
    uint32_t id;
    bool is_named, is_idle;
    uint32_t left_waiting, left_ready; /* switches away from a task */
    /* Finished calls whose caller still runs, by depth. */
    struct mp_pair waiting[MAX_DEPTH + 1][64];
    size_t n_waiting[MAX_DEPTH + 1];
} contexts[] = {TASKS_CONTEXTS(CONTEXT)};
#undef CONTEXT

enum { N_CONTEXTS = sizeof contexts / sizeof *contexts };

static struct {
    struct elf_symbols symbols;
    struct mp_pairs pairs;
    uint32_t calls;
    uint32_t events; /* entries and exits */
    bool may_lose;
    bool is_free;
    struct context *task; /* the task that ran last */
    uint32_t *left;       /* the counter of its last switch, when no event followed */
} host;

static struct context *context_of(uint32_t id)
{
    for (size_t i = 0; i < N_CONTEXTS; i++) {
        if (contexts[i].id == id)
            return &contexts[i];
    }
    give_up("a context that the example does not have");
}

static const char *name_of(uint32_t function)
{
    const char *name = elf_symbols_name(&host.symbols, function);

    require(name != NULL, "a function that the ELF does not have");
    return name;
}

static void count(const struct context *context, const char *caller, const char *callee)
{
    for (size_t i = 0; i < N_EDGES; i++) {
        struct edge *edge = &edges[i];

        if (!strcmp(edge->context, context->name) && !strcmp(edge->caller, caller) &&
            !strcmp(edge->callee, callee)) {
            edge->heard++;
            return;
        }
    }
    fprintf(stderr, "in %s: %s -> %s\n", context->name, caller, callee);
    give_up("the example has no such call");
}

/* Callees arrive before their caller, and lie within it one after the other. */
static void adopt(struct context *context, const struct mp_pair *pair)
{
    size_t *n = &context->n_waiting[pair->depth + 1];
    uint64_t free_until = pair->end;

    while ((*n)--) {
        const struct mp_pair *callee = &context->waiting[pair->depth + 1][*n];

        /* After a loss, some belong to a call that was not reported. */
        if (callee->start < pair->start && (host.may_lose || host.is_free))
            continue;
        require(callee->start >= pair->start && callee->end <= free_until, "calls overlap");
        free_until = callee->start;
        count(context, name_of(pair->function), name_of(callee->function));
    }
    *n = 0;
}

static void hear_pair(void *user, const struct mp_pair *pair)
{
    struct context *context = context_of(pair->context);
    uint32_t outermost = MP_CONTEXT_IS_INTERRUPT(pair->context) ? 0 : 1;

    require(pair->depth >= outermost && pair->depth < MAX_DEPTH, "a call at a depth where none can be");
    require(host.may_lose || host.is_free || pair->is_whole, "a call that is not whole");
    adopt(context, pair);
    host.calls++;
    if (pair->depth == outermost) {
        char task[32];

        snprintf(task, sizeof task, "%s_task", context->name);
        count(context, outermost ? task : "", name_of(pair->function));
        return;
    }
    size_t *n = &context->n_waiting[pair->depth];

    if (*n == 64 && host.may_lose)
        *n = 0;
    require(*n < 64, "more callees than any call has");
    context->waiting[pair->depth][(*n)++] = *pair;
}

/* Reads what the pairing of calls ignores: names, and which task is blocked. */
static void hear_contexts(const struct mp_frame *frame)
{
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    enum mp_compact_kind kind;

    require(mp_compact_open_packet(&reader, frame->payload, frame->length), "no packet of version 2");
    while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END) {
        struct context *context = context_of(event.context);

        if (kind == MP_COMPACT_NAME) {
            require(event.name_length == strlen(context->name) &&
                        !memcmp(event.name, context->name, event.name_length),
                    "a context of another name");
            context->is_named = true;
            context->is_idle = event.is_idle;
        } else if (kind == MP_COMPACT_ENTER || kind == MP_COMPACT_EXIT) {
            host.events++;
            host.left = NULL;
        } else if (kind == MP_COMPACT_GAP) {
            /* A context that was left before the gap was left in it. */
            if (host.left)
                --*host.left;
            host.left = NULL;
            host.task = NULL;
        } else if (kind == MP_COMPACT_CONTEXT && !MP_CONTEXT_IS_INTERRUPT(event.context)) {
            host.left = NULL;
            if (host.task && host.task != context) {
                host.left = event.is_blocked ? &host.task->left_waiting : &host.task->left_ready;
                ++*host.left;
            }
            host.task = context;
        }
    }
}

static uint8_t hear(void)
{
    struct mp_frame frame;

    target_hear(&frame);
    if (frame.type == MP_PROFILE_DATA) {
        hear_contexts(&frame);
        mp_pairs_packet(&host.pairs, frame.payload, frame.length);
    }
    return frame.type;
}

static void await(uint8_t type, const char *what)
{
    uint8_t heard;

    while ((heard = hear()) == MP_PROFILE_DATA)
        ;
    require(heard == type, what);
}

static void open_pairs(void)
{
    static struct mp_followed followed[CONTEXTS];
    static struct mp_pairs_context memory[CONTEXTS];
    static uint32_t functions[CONTEXTS][MAX_DEPTH];
    static uint64_t starts[CONTEXTS][MAX_DEPTH];

    for (size_t i = 0; i < CONTEXTS; i++) {
        followed[i] = (struct mp_followed){.stack = {.function = functions[i], .room = MAX_DEPTH}};
        memory[i] = (struct mp_pairs_context){.start = starts[i]};
    }
    host.pairs.call = hear_pair;
    mp_pairs_init(&host.pairs, followed, memory, CONTEXTS);
}

/* Checks that every context has sent its name, and how tasks were left: the most urgent one only blocks, the idle
 * one never does, and the reporter is preempted in every round. */
static void check_contexts(uint32_t rounds)
{
    for (size_t i = 0; i < N_CONTEXTS; i++) {
        require(contexts[i].is_named, "a context without a name");
        require(contexts[i].is_idle == !strcmp(contexts[i].name, "idle"), "another idle task");
    }
    const struct context *idle = context_of(0), *reporter = context_of(2), *control = context_of(4),
                         *sampler = context_of(6);

    require(!idle->left_waiting && idle->left_ready, "the idle task waited");
    require(!sampler->left_ready && sampler->left_waiting, "the most urgent task was preempted");
    if (!host.may_lose && !host.is_free) {
        require(reporter->left_waiting == rounds && reporter->left_ready >= rounds,
                "the reporter does not wait once and is not preempted in each round");
        /* The tick that it waits for may come before the switch. */
        require(control->left_waiting > rounds && control->left_waiting <= 2 * rounds,
                "the control task does not wait twice a round");
    }
    printf("left waiting / ready: idle %u / %u, reporter %u / %u, control %u / %u, sampler %u / %u\n",
           idle->left_waiting, idle->left_ready, reporter->left_waiting, reporter->left_ready,
           control->left_waiting, control->left_ready, sampler->left_waiting, sampler->left_ready);
}

static bool edges_are_right(uint32_t rounds)
{
    uint32_t sum = 0;
    bool ok = true;

    for (size_t i = 0; i < N_EDGES; i++) {
        const struct edge *edge = &edges[i];
        uint32_t calls = edge->calls * rounds;

        sum += edge->calls;
        if (edge->heard == calls || (host.may_lose && edge->heard < calls))
            continue;
        /* A part of the first round and of the last. */
        if (host.is_free && edge->heard + edge->calls >= calls && edge->heard <= calls + edge->calls)
            continue;
        fprintf(stderr, "in %s: %s -> %s: %u calls, expected %u\n", edge->context, edge->caller, edge->callee,
                edge->heard, calls);
        ok = false;
    }
    require(sum == TASKS_CALLS_PER_ROUND, "counts.h does not add up");
    return ok;
}

static void check_losses(uint32_t rounds)
{
    const struct mp_follow_counters *c = &host.pairs.follower.counters;

    require(c->packets && !c->malformed && !c->late && !c->time_jumps && !c->unplaced && !c->lost_in_packets,
            "version 2 is not as it should be");
    require(!!c->lost_in_gaps == host.may_lose, host.may_lose ? "nothing was lost" : "events were lost");
    require(host.may_lose || !c->other_depths, "other depths than the example has");
    require(host.may_lose || host.is_free || host.calls == rounds * TASKS_CALLS_PER_ROUND,
            "other calls than the example has");
    require(!host.may_lose || host.calls > rounds, "hardly a call was sent");
    require(host.events + c->lost_in_gaps == host.pairs.follower.number,
            "what is lost is not what is missing");
}

static void profile(uint32_t rounds)
{
    target_command(MP_START, 1, (const uint8_t[]){2});
    await(MP_ACK, "START is refused");
    /* Numbers include losses: every event was received or reported as lost. */
    while (host.is_free ? host.calls < rounds * TASKS_CALLS_PER_ROUND
                        : host.pairs.follower.number < 2 * rounds * TASKS_CALLS_PER_ROUND)
        require(hear() == MP_PROFILE_DATA, "an unexpected packet");
    target_command(MP_STOP, 0, NULL);
    await(MP_ACK, "STOP is refused");
    target_command(MP_GET_STATUS, 0, NULL);
    await(MP_STATUS, "no STATUS");
    require(host.is_free || host.pairs.follower.number == 2 * rounds * TASKS_CALLS_PER_ROUND,
            "more events than there were");
}

int main(int argc, char **argv)
{
    uint32_t line = 0;
    bool preset = false;
    char **argument = argv + 1;

    for (; *argument && !strncmp(*argument, "--", 2); argument++) {
        preset |= !strcmp(*argument, "--preset");
        host.is_free |= !strcmp(*argument, "--free");
        if (!strcmp(*argument, "--line") && argument[1])
            line = (uint32_t)strtoul(*++argument, NULL, 10);
    }
    if (argv + argc - argument < 3) {
        fprintf(stderr, "usage: run_tasks [OPTION]... ROUNDS ELF COMMAND [ARGUMENT]...\n");
        return 2;
    }
    uint32_t rounds = (uint32_t)strtoul(argument[0], NULL, 10);

    host.symbols = elf_symbols_read(argument[1]);
    host.may_lose = line != 0;
    open_pairs();
    target_start(argument + 2, 0);
    require(hear() == MP_METADATA, "the example does not begin with METADATA");
    if (!preset && !host.is_free) {
        const uint32_t settings[][2] = {
            {CONFIG_PACE_MS, line ? PACE_MS : 0}, {CONFIG_LINE, line}, {CONFIG_ROUNDS, rounds}};

        for (size_t i = 0; i < 3; i++) {
            target_configure((uint8_t)settings[i][0], settings[i][1]);
            await(MP_ACK, "a setting is refused");
        }
    }
    profile(rounds);
    target_stop();
    require(!target.reader.counters.bytes_skipped && !target.reader.counters.crc_errors, "damaged packets");
    check_losses(rounds);
    check_contexts(rounds);
    bool ok = edges_are_right(rounds);

    if (ok)
        printf("%u rounds, %u calls of %u: all as in counts.h; %llu events lost\n", rounds, host.calls,
               rounds * TASKS_CALLS_PER_ROUND, (unsigned long long)host.pairs.follower.counters.lost_in_gaps);
    elf_symbols_free(&host.symbols);
    return ok ? 0 : 1;
}
