/* slowdown.c - computes how much slower the program runs because it is measured. */
#include "snapshot/slowdown.h"

#include "snapshot/correction.h"

#include <stdio.h>
#include <string.h>

bool snapshot_is_short(const struct snapshot_function *function)
{
    return function->kind == KIND_FUNCTION && function->known & FUNCTION_CORRECTED && function->calls > 0 &&
           function->corrected_self_ticks < function->hook_ticks;
}

enum { LOOP_DEPTH = 64 /* limit of the calls of a main loop */ };

/* True when the node's own time is outside of instrumented functions, or in an unknown one. */
static bool is_no_function(const struct snapshot *snapshot, const struct snapshot_node *node)
{
    uint8_t kind = snapshot->functions[node->function].kind;
    return kind == KIND_OUTSIDE || kind == KIND_UNKNOWN;
}

/* Returns the thread that may have a main loop; -1 when there is none. A profile without contexts has one
 * thread, number 0. */
static int32_t looping_thread(const struct snapshot *snapshot)
{
    int32_t thread = snapshot->context_count == 0 ? 0 : -1;
    for (uint32_t i = 0; i < snapshot->context_count; i++) {
        const struct snapshot_context *context = &snapshot->contexts[i];
        if (!strcmp(context->kind, "isr"))
            continue;
        if (thread >= 0 || snapshot_context_is_idle(snapshot, i) || context->blocked_ticks > 0)
            return -1;
        thread = (int32_t)i;
    }
    return thread;
}

/* True when a call of the node is running and none has returned. */
static bool is_open_node(const struct snapshot *snapshot, const struct snapshot_node *node)
{
    uint8_t kind = snapshot->functions[node->function].kind;
    return node->calls == 0 && (kind == KIND_FUNCTION || kind == KIND_RUNNING);
}

/* Adds up the own time of the main loop, and returns its innermost node, 0 when there is none: the chain of
 * calls that have never returned, from the outermost inwards, as long as each took more than half of the time
 * of its caller, or of the thread. */
static int32_t find_loop(const struct snapshot *snapshot, uint64_t *ticks)
{
    int32_t thread = looping_thread(snapshot), above = 0;
    *ticks = 0;
    for (int depth = 0; thread >= 0 && depth < LOOP_DEPTH; depth++) {
        uint64_t sum = 0, most = 0;
        int32_t next = -1;
        for (uint32_t i = (uint32_t)above + 1; i < snapshot->node_count; i++) {
            const struct snapshot_node *node = &snapshot->nodes[i];
            if (node->parent != above || node->context != thread)
                continue;
            sum += node->total_ticks;
            if (is_open_node(snapshot, node) && node->total_ticks > most) {
                most = node->total_ticks;
                next = (int32_t)i;
            }
        }
        if (next < 0 || 2 * most <= (above > 0 ? snapshot->nodes[above].total_ticks : sum))
            break;
        *ticks += snapshot->nodes[next].self_ticks;
        above = next;
    }
    return above;
}

/* Adds up calls and time of the nodes. Returns how many of the calls are outermost: half of their hooks is
 * outside of that time. */
static uint64_t add_up_nodes(const struct snapshot *snapshot, uint64_t *calls, uint64_t *ticks,
                             int32_t *loop_node)
{
    uint64_t outermost = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        if (node->function < 0 || is_no_function(snapshot, node) ||
            snapshot_context_is_idle(snapshot, node->context))
            continue;
        *calls += node->calls;
        if (node->parent != 0)
            continue;
        *ticks += node->total_ticks;
        outermost += node->calls;
    }
    uint64_t loop;
    *loop_node = find_loop(snapshot, &loop);
    *ticks -= loop < *ticks ? loop : *ticks;
    return outermost;
}

static void add_up_short(const struct snapshot *snapshot, struct snapshot_slowdown *slowdown)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        if (!snapshot_is_short(function))
            continue;
        slowdown->short_functions++;
        slowdown->short_hook_ticks += function->hook_ticks;
    }
}

/* In mode tree, returns what the hooks cost beyond one pair for each call. This includes idle contexts, which
 * have few calls. */
static double extra_ticks(const struct snapshot *snapshot, const struct correction_costs *costs)
{
    double ticks = 0;
    for (uint32_t i = 0; costs->is_tree && i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        double pairs = (double)function->calls * costs->pair;
        if (function->known & FUNCTION_CORRECTED && (double)function->hook_ticks > pairs)
            ticks += (double)function->hook_ticks - pairs;
    }
    return ticks;
}

struct snapshot_slowdown snapshot_slowdown(const struct snapshot *snapshot)
{
    const struct correction_costs costs = correction_costs(snapshot);
    struct snapshot_slowdown slowdown = {.pair_ticks = costs.pair, .unknown = costs.unknown};
    uint64_t calls = 0, ticks = 0;
    if (costs.unknown)
        return slowdown;
    uint64_t outermost = add_up_nodes(snapshot, &calls, &ticks, &slowdown.loop_node);
    double extra = extra_ticks(snapshot, &costs);
    double without = (double)ticks - ((double)calls - (double)outermost / 2) * costs.pair - extra;
    if (snapshot->link.overlaps > 0 && snapshot->context_count <= 1) {
        slowdown.unknown =
            "How much measuring slows this program is unknown: calls of several tasks overlap, "
            "and the device does not report which task a call belongs to; use mode stream or "
            "tree.";
        return slowdown;
    }
    if (calls == 0 || ticks == 0) {
        slowdown.unknown = "How much measuring slows this program is unknown until a call has returned.";
        return slowdown;
    }
    if (without < (double)ticks / 100) {
        slowdown.unknown =
            "How much measuring slows this program is unknown: by what the device reports, its "
            "hooks take all of the time; call mpt_init() with the clock that the program runs at.";
        return slowdown;
    }
    slowdown.ticks = ticks;
    slowdown.hook_ticks = (uint64_t)((double)calls * costs.pair + extra + 0.5);
    slowdown.factor = (double)ticks / without;
    slowdown.is_least = snapshot->link.records_lost > 0 || snapshot->link.losses_of_unknown_size > 0;
    add_up_short(snapshot, &slowdown);
    return slowdown;
}

void snapshot_slowdown_words(const struct snapshot_slowdown *slowdown, char out[static SLOWDOWN_SIZE])
{
    const char *least = slowdown->is_least ? "at least " : "";
    if (slowdown->unknown) {
        snprintf(out, SLOWDOWN_SIZE, "%s", slowdown->unknown);
        return;
    }
    if (slowdown->factor < 1.1)
        snprintf(out, SLOWDOWN_SIZE, "Measuring slows this program by %s%.1f %%", least,
                 100 * (slowdown->factor - 1));
    else
        snprintf(out, SLOWDOWN_SIZE, "Measuring slows this program %s%.1f times", least, slowdown->factor);
    size_t n = strlen(out);
    if (slowdown->short_functions > 0)
        snprintf(out + n, SLOWDOWN_SIZE - n, "; %.0f %% of that in %u function%s shorter than %s hooks.",
                 100.0 * (double)slowdown->short_hook_ticks / (double)slowdown->hook_ticks,
                 slowdown->short_functions, slowdown->short_functions == 1 ? " that is" : "s that are",
                 slowdown->short_functions == 1 ? "its" : "their");
    else
        snprintf(out + n, SLOWDOWN_SIZE - n, ".");
}
