/* tree_program.c - runs random programs in version 3, and counts them independently. */
#include "tree_program.h"

#include "sim/sim.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/effort.h"
#include "support/random.h"

enum { TASKS = 2, RUNNERS = 5, DEEPEST = 12, NO_NODE = INT32_MIN, CHAINS = 60000, FUNCTIONS = 40 };

/* The expected tree. */
struct node {
    uint32_t function;
    int parent;      /* or - 1 - the runner, outermost */
    int child, next; /* first child, next sibling; 0 for none, as node 0 is outermost */
    uint64_t calls, ticks, longest;
};

static struct {
    struct test_random random;
    uint32_t functions, deepest;
    bool jumps;
    bool is_flat;
    bool is_timed; /* no two entries, and no two exits, of a context have the same time */
    bool is_switching;
    bool is_creating; /* a hook is creating a node */
    bool evicts;
    struct node node[CHAINS];
    int n;
    struct {
        struct {
            int node;                        /* NO_NODE when in "(other)" */
            uint32_t function, stack, below; /* pointer of it, and of its caller */
            uint64_t begun;
        } frame[DEEPEST];
        uint32_t n, stack;
        uint64_t clock; /* how long it has run */
        uint64_t begun, ticks, other_calls, other_ticks;
    } runner[RUNNERS]; /* tasks 0 and 1, interrupts 17 to 19 */
    uint32_t running, task, waiting[RUNNERS], n_waiting;
    uint64_t elapsed;
} program;

static uint32_t context_of(uint32_t runner)
{
    return runner < TASKS ? MP_CONTEXT_TASK(runner) : MP_CONTEXT_INTERRUPT(15 + runner);
}

static int top(void)
{
    uint32_t n = program.runner[program.running].n;

    return n ? program.runner[program.running].frame[n - 1].node : -1 - (int)program.running;
}

static void pass(uint64_t ticks)
{
    int node = top();

    program.elapsed += ticks;
    program.runner[program.running].clock += ticks;
    if (node == NO_NODE)
        program.runner[program.running].other_ticks += ticks;
    else if (node < 0)
        program.runner[program.running].ticks += ticks;
    else
        program.node[node].ticks += ticks;
    for (uint64_t most = 1ull << (MPT_TICK_BITS - 2); ticks; ticks -= ticks < most ? ticks : most) {
        sim.ticks += ticks < most ? ticks : most;
        if (ticks >= most)
            mpt_keep_time();
    }
}

/* In the flat form a node is a function and its direct caller; outermost ones have their runner as caller. */
static bool is_same_caller(int parent, int other)
{
    int root = parent, others_root = other;

    if (parent == other || !program.is_flat || parent < 0 || other < 0)
        return parent == other;
    while (root >= 0)
        root = program.node[root].parent;
    while (others_root >= 0)
        others_root = program.node[others_root].parent;
    /* An interrupt's outermost call has its own node, though not on the wire. */
    bool is_outermost = root < -TASKS && program.node[parent].parent < 0;
    bool is_others_outermost = root < -TASKS && program.node[other].parent < 0;

    return root == others_root && is_outermost == is_others_outermost &&
           program.node[parent].function == program.node[other].function;
}

/* Returns NO_NODE when there is no room. */
static int node_of(int parent, uint32_t function)
{
    bool has_children = program.evicts && parent >= 0;

    for (int i = has_children ? program.node[parent].child : 0; has_children ? i : i < program.n;
         i = has_children ? program.node[i].next : i + 1)
        if (program.node[i].function == function && is_same_caller(program.node[i].parent, parent))
            return i;
    if (!program.evicts && program.n == MPT_TREE_NODES)
        return NO_NODE;
    cr_assert_lt(program.n, CHAINS);
    program.is_creating = true;
    program.node[program.n] =
        (struct node){function, parent, 0, has_children ? program.node[parent].child : 0, 0, 0, 0};
    if (has_children)
        program.node[parent].child = program.n;
    return program.n++;
}

static void enter(uint32_t function)
{
    if (program.is_timed && (program.running < TASKS || program.runner[program.running].n))
        pass(1);
    uint32_t running = program.running, n = program.runner[running].n;
    int parent = top(), node = parent == NO_NODE ? NO_NODE : node_of(parent, function);
    uint32_t below = n ? program.runner[running].frame[n - 1].stack : program.runner[running].stack;
    /* Some calls are inlined, and have their caller's stack pointer. After a jump that would be ambiguous. */
    bool is_inlined = n && !program.jumps && test_random_below(&program.random, 8) == 0;

    program.runner[running].n++;
    program.runner[running].frame[n].node = node;
    program.runner[running].frame[n].function = function;
    program.runner[running].frame[n].begun = program.runner[running].clock;
    program.runner[running].frame[n].stack =
        below - (is_inlined ? 0 : 8 + 8 * (uint32_t)test_random_below(&program.random, 9));
    program.runner[running].frame[n].below = below;
    program.runner[running].begun += running >= TASKS && !n;
    if (node == NO_NODE)
        program.runner[running].other_calls++;
    else
        program.node[node].calls++;
    sim.stack = program.runner[running].frame[n].stack;
    sim_enter(function);
    program.is_creating = false;
}

/* Ends the call at that depth; those above it were skipped by a jump. */
static void leave(uint32_t depth)
{
    uint32_t running = program.running;
    int node = program.runner[running].frame[depth].node;

    if (program.is_timed)
        pass(1);
    uint64_t took = program.runner[running].clock - program.runner[running].frame[depth].begun;

    if (node != NO_NODE && took > program.node[node].longest)
        program.node[node].longest = took;
    uint32_t function = program.runner[running].frame[depth].function;

    program.runner[running].n = depth;
    /* A function that ends in a tail call of the hook has already released its stack. */
    sim.stack = function & 0x10 ? program.runner[running].frame[depth].below
                                : program.runner[running].frame[depth].stack;
    sim_exit(function);
}

static uint32_t any_function(void)
{
    return 0x100 + 16 * (uint32_t)test_random_below(&program.random, program.functions);
}

static void run_in(uint32_t runner)
{
    if (runner < TASKS && runner != program.task) {
        program.task = runner;
        program.runner[runner].begun++;
        program.is_switching = true;
        mpt_context_switch((uint8_t)runner);
        program.is_switching = false;
    }
    program.running = runner;
    sim.exception = runner < TASKS ? 0 : 15 + runner;
}

static void end_interrupt(void)
{
    program.running = program.waiting[--program.n_waiting];
    sim.exception = program.running < TASKS ? 0 : 15 + program.running;
}

static void begin_interrupt(void)
{
    uint32_t running = program.running,
             next = running < TASKS ? 2 + (uint32_t)test_random_below(&program.random, 3) : running + 1;

    program.waiting[program.n_waiting++] = running;
    program.runner[next].stack = sim.stack - 64;
    run_in(next);
    enter(any_function());
}

static void step(void);

static void end_interrupts(uint32_t down_to)
{
    while (program.n_waiting > down_to) {
        uint32_t waiting = program.n_waiting;

        step();
        if (program.n_waiting == waiting && test_random_below(&program.random, 2))
            while (program.n_waiting == waiting) {
                pass(1);
                leave(program.runner[program.running].n - 1);
                if (!program.runner[program.running].n)
                    end_interrupt();
            }
    }
}

/* Runs the other task for a while in the middle of a hook of this one. */
static void preempt(void)
{
    uint32_t running = program.running;

    run_in(1 - running);
    for (size_t i = 1 + test_random_below(&program.random, 8); i; i--) {
        uint32_t n = program.runner[1 - running].n;

        pass(test_random_below(&program.random, 4));
        if (n && (n == program.deepest || test_random_below(&program.random, 2)))
            leave(n - 1);
        else
            enter(any_function());
    }
    run_in(running);
}

/* Runs an interrupt to its end in the middle of a hook. */
static void interrupt(void)
{
    uint32_t stack = sim.stack;

    if (program.running >= 4 || test_random_below(&program.random, 40))
        return;
    /* The model does not know which of two gets the last node. */
    if (!program.evicts && program.is_creating && program.n > MPT_TREE_NODES - 64)
        return;
    program.is_creating = false;
    if (program.running < TASKS && !program.is_switching && test_random_below(&program.random, 2)) {
        preempt();
    } else {
        begin_interrupt();
        end_interrupts(program.n_waiting - 1);
    }
    sim.stack = stack;
}

/* Chooses the call among n that a jump ends. Among several calls of one function it is the innermost, since only the
 * function identifies it. */
static uint32_t target_of_jump(uint32_t n)
{
    uint32_t running = program.running, target = (uint32_t)test_random_below(&program.random, n);

    for (uint32_t i = target + 1; i < n; i++)
        if (program.runner[running].frame[i].function == program.runner[running].frame[target].function)
            target = i;
    return target;
}

static void step(void)
{
    uint32_t running = program.running, n = program.runner[running].n;

    pass(test_random_below(&program.random, 4));
    if (running < 4 && test_random_below(&program.random, 30) == 0) {
        begin_interrupt();
    } else if (running < TASKS && test_random_below(&program.random, 30) == 0) {
        run_in(1 - running);
    } else if (n && (n == program.deepest || test_random_below(&program.random, 2))) {
        leave(program.jumps && test_random_below(&program.random, 16) == 0 ? target_of_jump(n) : n - 1);
        if (running >= TASKS && !program.runner[running].n)
            end_interrupt();
    } else {
        enter(any_function());
    }
}

/* Running calls would still be known in the next run of this process. */
static void end_calls(void)
{
    for (uint32_t task = 0; task < TASKS; task++) {
        run_in(task);
        while (program.runner[task].n)
            leave(program.runner[task].n - 1);
    }
    run_in(0);
}

/* ---- what was sent ---- */

/* The model's node of a row that was sent. */
static int model_of(const struct mp_tree_row *row)
{
    int parent = NO_NODE;

    if (row->parent != MP_TREE_NO_PARENT) {
        cr_assert(sim_tree.node[row->parent].is_told);
        parent = model_of(&sim_tree.node[row->parent].row);
    } else {
        uint32_t runner = 0;

        while (context_of(runner) != row->context)
            runner++;
        parent = -1 - (int)runner;
    }
    for (int i = 0; i < program.n; i++)
        if (program.node[i].function == row->function && program.node[i].parent == parent)
            return i;
    cr_assert_fail("no call of %x there", row->function);
    return NO_NODE;
}

/* Asserts that calls and ticks of all rows like this one equal those of the model's nodes with this form on the wire.
 */
static void assert_flat_row(const struct mp_tree_row *row)
{
    uint64_t calls = 0, ticks = 0;

    for (uint32_t i = 0; i < sim_tree.head.nodes; i++) {
        const struct mp_tree_row *same = &sim_tree.node[i].row;

        if (same->function == row->function && same->caller == row->caller && same->context == row->context) {
            calls += same->calls;
            ticks += same->ticks;
        }
    }
    for (int i = 0; i < program.n; i++) {
        int parent = program.node[i].parent, root = parent;
        uint32_t caller = parent < 0 ? 0 : program.node[parent].function;

        while (root >= 0)
            root = program.node[root].parent;
        if (program.node[i].function == row->function && caller == row->caller &&
            context_of((uint32_t)(-1 - root)) == row->context) {
            calls -= program.node[i].calls;
            ticks -= program.node[i].ticks;
        }
    }
    cr_assert_eq(calls, 0, "%x by %x: %lld calls too many", row->function, row->caller, (long long)calls);
    cr_assert_eq(ticks, 0, "%x by %x: %lld ticks too many", row->function, row->caller, (long long)ticks);
}

static void assert_row(const struct mp_tree_row *row)
{
    const struct node *node = &program.node[model_of(row)];

    cr_assert_eq(row->calls, node->calls, "node %u: %llu calls, not %llu", row->node,
                 (unsigned long long)row->calls, (unsigned long long)node->calls);
    cr_assert_eq(row->ticks, node->ticks, "node %u: %llu ticks, not %llu", row->node,
                 (unsigned long long)row->ticks, (unsigned long long)node->ticks);
    cr_assert_eq(row->longest, MPT_TREE_LONGEST ? node->longest : 0, "node %u: longest %llu, not %llu",
                 row->node, (unsigned long long)row->longest, (unsigned long long)node->longest);
}

/* ---- what was sent by a target that evicts ---- */

/* The runner of a chain of the model. */
static int runner_of(int node)
{
    while (node >= 0)
        node = program.node[node].parent;
    return -1 - node;
}

/* Asserts calls and ticks of a function, in its rows and in its evicted sums. */
static void assert_function(uint32_t function)
{
    uint64_t calls = 0, ticks = 0, longest = 0;

    for (int i = 0; i < program.n; i++) {
        const struct node *node = &program.node[i];
        bool is_its = node->function == function;

        calls += is_its ? node->calls : 0;
        ticks += is_its ? node->ticks : 0;
        longest = is_its && node->longest > longest ? node->longest : longest;
    }
    for (uint32_t i = 0; i < sim_tree.head.nodes; i++) {
        const struct mp_tree_row *row = &sim_tree.node[i].row;

        calls -= row->function == function ? row->calls : 0;
        ticks -= row->function == function ? row->ticks : 0;
        longest = row->function == function && row->longest == longest ? 0 : longest;
    }
    for (uint32_t i = 0; i < sim_tree.n_evicted; i++) {
        const struct mp_tree_evicted *gone = &sim_tree.evicted[i];

        calls -= gone->function == function ? gone->calls : 0;
        ticks -= gone->function == function ? gone->ticks : 0;
        longest = gone->function == function && gone->longest == longest ? 0 : longest;
    }
    cr_assert_eq(calls, 0, "%x: %lld calls were not sent", function, (long long)calls);
    cr_assert_eq(ticks, 0, "%x: %lld ticks were not sent", function, (long long)ticks);
    cr_assert(!MPT_TREE_LONGEST || !longest, "%x: its longest call of %llu was not sent", function,
              (unsigned long long)longest);
}

/* Asserts that no chain lacks more than the bound, or has more than the truth. */
static void assert_chains(void)
{
    static uint64_t told[CHAINS];

    for (int i = 0; i < program.n; i++)
        told[i] = 0;
    for (uint32_t i = 0; i < sim_tree.head.nodes; i++) {
        const struct mp_tree_row *row = &sim_tree.node[i].row;
        int node = model_of(row);

        cr_assert(row->calls <= program.node[node].calls);
        cr_assert(!told[node], "it has two rows");
        told[node] = row->ticks;
        if (row->parent != MP_TREE_NO_PARENT)
            cr_assert_eq(row->parent_generation, sim_tree.node[row->parent].row.generation);
    }
    for (int i = 0; i < program.n; i++) {
        cr_assert(told[i] <= program.node[i].ticks);
        cr_assert(program.node[i].ticks - told[i] <= sim_tree.head.bound,
                  "a chain lacks %llu ticks, and the bound is %llu",
                  (unsigned long long)(program.node[i].ticks - told[i]),
                  (unsigned long long)sim_tree.head.bound);
    }
}

/* Asserts that each context has all of its time: outside functions, in its nodes, below them and below itself. */
static void assert_totals(void)
{
    uint64_t total[RUNNERS] = {0}, below = 0, elapsed = 0;

    for (int i = 0; i < program.n; i++)
        total[runner_of(i)] += program.node[i].ticks;
    for (uint32_t runner = 0; runner < RUNNERS; runner++) {
        total[runner] += program.runner[runner].ticks;
        elapsed += total[runner];
    }
    cr_assert_eq(elapsed, program.elapsed);
    for (uint32_t i = 0; i < sim_tree.head.nodes; i++) {
        const struct mp_tree_node *node = &sim_tree.node[i];

        total[runner_of(model_of(&node->row))] -= node->row.ticks + mp_tree_table_below(node);
        below += mp_tree_table_below(node);
    }
    for (uint32_t i = 0; i < sim_tree.n_contexts; i++) {
        const struct mp_tree_known_context *context = &sim_tree.contexts[i];
        uint32_t runner = 0;

        while (context_of(runner) != context->context)
            runner++;
        cr_assert_eq(context->sums.other_calls, 0, "no call was refused");
        total[runner] -= context->sums.ticks + context->below;
        below += context->below;
    }
    for (uint32_t runner = 0; runner < RUNNERS; runner++)
        cr_assert_eq(total[runner], 0, "runner %u: %lld ticks were not sent", runner,
                     (long long)total[runner]);
    for (uint32_t i = 0; i < sim_tree.n_evicted; i++) {
        cr_assert_neq(sim_tree.evicted[i].function, 0);
        below -= sim_tree.evicted[i].ticks;
    }
    cr_assert_eq(below, 0, "what is below is what is over");
}

static void assert_told_evicting(void)
{
    for (uint32_t i = 0; i < sim_tree.head.nodes; i++)
        cr_assert(sim_tree.node[i].is_told, "node %u is not sent", i);
    for (uint32_t i = 0; i < program.functions; i++)
        assert_function(0x100 + 16 * i);
    assert_chains();
    assert_totals();
    cr_assert_eq(sim_tree.head.elapsed, program.elapsed);
    cr_assert_eq(sim_tree.head.evictions == 0, program.n <= MPT_TREE_NODES);
    if (!sim_tree.head.evictions)
        cr_assert_eq(sim_tree.head.bound + sim_tree.n_evicted, 0);
    cr_assert(sim_tree.is_settled || !(sim_tree.head.flags & MP_TREE_IS_CLOSING));
}

static void assert_told(void)
{
    uint64_t ticks = 0;

    for (uint32_t i = 0; i < sim_tree.head.nodes; i++) {
        cr_assert(sim_tree.node[i].is_told, "node %u is not sent", i);
        if (program.is_flat)
            assert_flat_row(&sim_tree.node[i].row);
        else
            assert_row(&sim_tree.node[i].row);
        ticks += sim_tree.node[i].row.ticks;
    }
    cr_assert_eq(sim_tree.head.nodes, (uint32_t)program.n);
    cr_assert_eq(!!(sim_tree.head.flags & MP_TREE_IS_FLAT), program.is_flat);
    for (uint32_t i = 0; i < sim_tree.n_contexts; i++) {
        const struct mp_tree_known_context *context = &sim_tree.contexts[i];
        uint32_t runner = 0;

        while (context_of(runner) != context->context)
            runner++;
        cr_assert_eq(context->sums.ticks, program.runner[runner].ticks);
        cr_assert_eq(context->sums.begun, program.runner[runner].begun);
        cr_assert_eq(context->sums.other_calls, program.runner[runner].other_calls,
                     "runner %u: %llu other calls, not %llu", runner,
                     (unsigned long long)context->sums.other_calls,
                     (unsigned long long)program.runner[runner].other_calls);
        cr_assert_eq(context->sums.other_ticks, program.runner[runner].other_ticks);
        ticks += context->sums.ticks + context->sums.other_ticks;
    }
    cr_assert_eq(ticks, program.elapsed, "the sum of all is %llu of %llu", (unsigned long long)ticks,
                 (unsigned long long)program.elapsed);
    cr_assert_eq(sim_tree.head.elapsed, program.elapsed);
}

int tree_program_nodes(void)
{
    return program.n;
}

static void begin(const struct tree_program *wanted)
{
    memset(&program, 0, sizeof program);
    program.random = wanted->seed ? (struct test_random){wanted->seed} : test_random_start(wanted->name);
    program.evicts = wanted->evicts;
    program.functions = wanted->functions;
    program.deepest = wanted->deepest;
    program.jumps = wanted->jumps;
    program.is_flat = wanted->is_flat;
    program.is_timed = wanted->round;
    for (uint32_t i = 0; i < TASKS; i++)
        program.runner[i].stack = 0x20010000 * (i + 1);
    program.runner[0].begun = 1;
    sim_start(NULL);
    sim_start_flags(3, program.evicts ? MP_TREE_WANT_EVICTION : program.is_flat ? MP_TREE_WANT_FLAT : 0);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

void tree_program_run(const struct tree_program *wanted)
{
    uint64_t other = 0;
    uint32_t rounds = wanted->evicts ? 30 : test_effort(80, 200);

    begin(wanted);
    sim.interrupt = interrupt;
    for (uint32_t round = 0; round < rounds; round++) {
        for (size_t i = test_random_below(&program.random, 400); i; i--)
            step();
        end_interrupts(0);
        if (test_random_below(&program.random, 20) == 0)
            pass(test_random_below(&program.random, wanted->round ? 1ull << 26 : 1ull << 34));
        if (test_random_below(&program.random, 4) == 0)
            mpt_keep_time();
        if (wanted->round)
            wanted->round(round);
        sim.tx_room = wanted->bytes_a_round;
        (void)mpt_poll();
    }
    sim.interrupt = NULL;
    if (program.evicts)
        end_calls();
    sim.tx_room = SIZE_MAX;
    if (wanted->round)
        (void)sim_hear(); /* STOP would end a window that is being sent */
    sim_stop();
    (void)sim_hear();
    cr_assert(mp_tree_table_is_whole(&sim_tree), "all ticks that have elapsed were sent");
    if (program.evicts) {
        assert_told_evicting();
        if (wanted->evictions)
            *wanted->evictions = (uint32_t)sim_tree.head.evictions;
        return;
    }
    assert_told();
    for (uint32_t i = 0; i < RUNNERS; i++)
        other += program.runner[i].other_calls;
    fprintf(stderr, "%s: %d nodes, %llu other calls, %llu packets\n", wanted->name, program.n,
            (unsigned long long)other, (unsigned long long)sim_tree.counters.packets);
    cr_assert_eq(other != 0, program.n == MPT_TREE_NODES);
}
