/* correction.c - times without the cost of measuring.
 *
 * The cost is counted in hooks; a hook is half of a pair. A node's own time contains one hook for each call
 * of it and one for each call that it made. When these cost more than the own time, the difference is a debt:
 * less than half of a pair lies inside the call, so more lies in the caller, and the debt is passed to the
 * caller. So no figure becomes negative, and a total is always the sum of the own times below it. */
#include "snapshot/correction.h"

#include <stdlib.h>
#include <string.h>

enum {
    CALLS_MODES = FUNCTION_EACH | FUNCTION_SELF /* of functions that mode tree does not count as a tree */
};

#define UNKNOWN "How much measuring slows this program is unknown: "

static const char NOT_REPORTED[] = UNKNOWN "the device does not report what its hooks take; an agent with "
                                           "MPT_HOOK_TICKS does, when it is asked.";
static const char OF_OTHERS[] = UNKNOWN "its dialect does not report it.";
static const char TREE_NOT_REPORTED[] =
    UNKNOWN "the device does not report what its hooks take in mode tree; use "
            "mode stream, or an agent of today.";
static const char IS_MIXED[] =
    UNKNOWN "the sums are those of several modes, or of a tree without chains; clear "
            "them, and use mode stream, or tree with more nodes.";
static const char HAS_TRIGGER[] =
    UNKNOWN "with a trigger, hooks take more in mode tree, and the device does not "
            "report how much; disarm it, and clear.";

static const char EVICTS[] =
    UNKNOWN "hooks take more where nodes of the call tree give up their places, and the device does not "
            "report how much; build the agent with more MPT_TREE_NODES.";

/* Converts to ticks of the profile. The length of a tick depends on the mode. */
static double profile_ticks(const struct snapshot_target *target, double sixteenths)
{
    return sixteenths / 16 / target->description.tick_hz * (double)target->ticks_per_second;
}

static bool is_mixed(const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].kind != KIND_PAIR && snapshot->functions[i].known & CALLS_MODES)
            return true;
    return false;
}

static bool has_trigger(const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->measured_with.count; i++)
        if (!strcmp(snapshot->measured_with.rows[i].name, "window"))
            return true;
    return false;
}

struct correction_costs correction_costs(const struct snapshot *snapshot)
{
    const struct snapshot_target *target = &snapshot->target;
    const struct snapshot_description *description = &target->description;
    bool is_tree = target->mode == MODE_TREE || snapshot->windows.are_all;
    uint32_t pair = is_tree ? description->hook_tree_sixteenths : description->hook_sixteenths;
    uint32_t interrupt = is_tree ? description->hook_interrupt_sixteenths : pair;
    uint32_t lookup = is_tree ? description->hook_lookup_sixteenths : pair;

    if (!description->is_known || description->tick_hz == 0 || pair == 0)
        return (struct correction_costs){.is_tree = is_tree,
                                         .unknown = !snapshot_is_of_agent(&snapshot->source) ? OF_OTHERS
                                                    : is_tree ? TREE_NOT_REPORTED
                                                              : NOT_REPORTED};
    if (is_tree && target->tree.evictions > 0)
        return (struct correction_costs){.is_tree = is_tree, .unknown = EVICTS};
    if (is_tree && is_mixed(snapshot))
        return (struct correction_costs){.is_tree = is_tree, .unknown = IS_MIXED};
    if (is_tree && has_trigger(snapshot))
        return (struct correction_costs){.is_tree = is_tree, .unknown = HAS_TRIGGER};
    return (struct correction_costs){.pair = profile_ticks(target, pair),
                                     .lookup = lookup > pair ? profile_ticks(target, lookup - pair) : 0,
                                     .interrupt =
                                         interrupt > pair ? profile_ticks(target, interrupt - pair) : 0,
                                     .contexts = snapshot->contexts,
                                     .context_count = snapshot->contexts ? snapshot->context_count : 0,
                                     .is_tree = is_tree};
}

/* Sums over the callees of a node. */
struct node_sums {
    uint64_t calls; /* calls that the node made */
    uint64_t made,
        most;       /* mode tree: the same, known before its callees are corrected, and those of one callee */
    uint64_t total; /* ticks of their corrected totals */
    double debt;    /* ticks of hooks that they had no room for */
    double doubt;   /* ticks by which all that was taken off below may be too few or too many */
};

/* Rounds to whole ticks. A target may report more than 64 bits can hold. */
static uint64_t whole_ticks(double ticks)
{
    return ticks < 0x1p63 ? (uint64_t)(ticks + 0.5) : UINT64_MAX;
}

static void add_ticks(uint64_t *sum, double ticks)
{
    uint64_t more = whole_ticks(ticks);
    *sum = *sum < UINT64_MAX - more ? *sum + more : UINT64_MAX;
}

static void forget_corrections(struct snapshot_function *functions, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        functions[i].corrected_self_ticks = functions[i].corrected_total_ticks = 0;
        functions[i].corrected_error_ticks = functions[i].corrected_total_error_ticks = 0;
        functions[i].hook_ticks = 0;
        functions[i].known &= ~(uint32_t)FUNCTION_CORRECTED;
    }
}

/* The time between two checkpoints contains no hooks. In mode tree, only functions with nodes of their own
 * are known. */
static bool has_hooks(const struct snapshot_function *function, bool is_tree)
{
    uint32_t known = is_tree ? FUNCTION_TIMES : FUNCTION_EACH | FUNCTION_RUNNING;
    return (is_tree ? function->kind == KIND_FUNCTION : function->kind != KIND_PAIR) &&
           function->known & known;
}

static void count_callees(const struct snapshot_node *nodes, uint32_t node_count, struct node_sums *sums)
{
    for (uint32_t i = 1; i < node_count; i++) {
        struct node_sums *caller = &sums[nodes[i].parent];
        caller->made += nodes[i].calls;
        if (nodes[i].calls > caller->most)
            caller->most = nodes[i].calls;
    }
}

enum {
    LOOKUPS_OF_MOST = 4, /* one of this many callees that may have been looked up, was */
    LOOKUPS_OF_NEW = 2,  /* a node's first call: it is not found, and made */
    DOUBT_OF_PAIR = 12   /* the compiler's part of a pair is off by less than one part of this many */
};

/* The estimated share of a node's calls that needed a lookup. */
static double lookup_share(const struct node_sums *caller)
{
    double made = (double)caller->made, others = (double)(caller->made - caller->most);
    if (caller->made == 0)
        return 0;
    return (2 * others < made ? 2 * others / made : 1) / LOOKUPS_OF_MOST;
}

bool correction_is_interrupt(const struct snapshot_node *node, const struct correction_costs *costs)
{
    return node->parent == 0 && node->context < costs->context_count &&
           !strcmp(costs->contexts[node->context].kind, "isr");
}

double correction_tree_ticks(const struct correction_costs *costs, double calls, double lookups, double nodes)
{
    return calls * costs->pair + (lookups + LOOKUPS_OF_NEW * nodes) * costs->lookup;
}

/* What the hooks of a node's calls took more than a pair each, within its time, and by how much that may be
 * off: it is not known how many were looked up, nor what making a node took. */
struct extra_ticks {
    double ticks, doubt;
};

static struct extra_ticks extra_ticks(const struct snapshot_node *node, const struct correction_costs *costs,
                                      const struct node_sums *caller)
{
    if (node->calls == 0)
        return (struct extra_ticks){0, 0};
    if (correction_is_interrupt(node, costs)) {
        double half = (double)node->calls * costs->interrupt / 2;
        return (struct extra_ticks){half, half};
    }
    double found = (double)(node->calls - 1) * lookup_share(caller) * costs->lookup;
    double made = LOOKUPS_OF_NEW * costs->lookup;
    return (struct extra_ticks){found + made, (LOOKUPS_OF_MOST - 1) * found + made / 2};
}

/* Adds a node's corrected times to those of its function; callees come first. Rows without hooks of their
 * own, such as unknown callers, keep their time, and the debt of their callees is dropped here. */
static void correct_node(const struct snapshot_node *node, const struct correction_costs *costs,
                         const struct node_sums *sums, struct node_sums *caller,
                         struct snapshot_function *function)
{
    uint64_t own = node->self_ticks;
    double rest = 0, doubt = sums->doubt;
    if (has_hooks(function, costs->is_tree)) {
        struct extra_ticks extra = extra_ticks(node, costs, caller);
        double hooks = (double)(node->calls + sums->calls) * costs->pair / 2 + extra.ticks;
        double cost = sums->debt + (double)whole_ticks(hooks);
        rest = cost > (double)own ? cost - (double)own : 0;
        own = rest > 0 ? 0 : own - whole_ticks(cost);
        add_ticks(&function->hook_ticks, extra.ticks);
        add_ticks(&function->corrected_error_ticks, extra.doubt);
        doubt += (double)node->calls * costs->pair / DOUBT_OF_PAIR + extra.doubt;
    }
    function->corrected_self_ticks += own;
    function->corrected_total_ticks += node->recursive ? 0 : own + sums->total;
    add_ticks(&function->corrected_total_error_ticks, node->recursive ? 0 : doubt);
    caller->calls += node->calls;
    caller->total += own + sums->total;
    caller->debt += rest;
    caller->doubt += doubt;
}

/* `hook_ticks` has what they took more than a pair for each call, `corrected_error_ticks` its doubt. */
static void mark_function(struct snapshot_function *function, const struct correction_costs *costs)
{
    if (!has_hooks(function, costs->is_tree)) {
        function->corrected_total_ticks = function->corrected_self_ticks = function->hook_ticks = 0;
        function->corrected_error_ticks = function->corrected_total_error_ticks = 0;
        return;
    }
    double pairs = (double)function->calls * costs->pair;
    function->known |= FUNCTION_CORRECTED;
    add_ticks(&function->corrected_error_ticks, pairs / 2);
    add_ticks(&function->corrected_total_error_ticks, pairs / 2);
    add_ticks(&function->hook_ticks, pairs);
}

bool correction_is_rough(const struct snapshot_function *function)
{
    return function->known & FUNCTION_CORRECTED && function->self_ticks / 2 > function->corrected_self_ticks;
}

bool correction_fill(const struct correction_costs *costs, const struct snapshot_node *nodes,
                     uint32_t node_count, struct snapshot_function *functions, uint32_t function_count)
{
    forget_corrections(functions, function_count);
    if (costs->pair <= 0)
        return true;
    struct node_sums *sums = calloc(node_count, sizeof *sums);
    if (!sums)
        return false;
    if (costs->is_tree)
        count_callees(nodes, node_count, sums);
    for (uint32_t i = node_count; i-- > 1;)
        correct_node(&nodes[i], costs, &sums[i], &sums[nodes[i].parent], &functions[nodes[i].function]);
    free(sums);
    for (uint32_t i = 0; i < function_count; i++)
        mark_function(&functions[i], costs);
    return true;
}
