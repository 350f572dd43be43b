/* correction.h - what measuring on the target adds to the times of functions, and these times without it.
 *
 * A call that is measured takes longer, by an entry hook and an exit hook. Each takes the time somewhere in
 * its middle: what the entry's takes after that, and the exit's before it, is inside the time that is
 * reported of the call; the rest lies in its caller. Nothing shows where that middle is. But both hooks are
 * the same code up to one instruction, so what follows the time in one and what precedes it in the other are
 * together as much as one hook: half of the pair. Whatever it is, the sum of both shares is the whole pair,
 * so a function that makes as many calls as it gets is corrected right in any case.
 *
 * Own times and totals agree: a total is the sum of the corrected own times below it. When a call's own time
 * is less than the estimated hooks inside it, more of them lies in its caller. The call's own time becomes 0,
 * and the difference is taken from the caller.
 *
 * Hooks of mode tree differ from call to call. They are cheapest where a function calls the one that it
 * called last, or that followed that one last time, dearer where the callee is looked up, and dearest for the
 * outermost call of an interrupt; the target reports each (enum mp_hooks). Of a function that made n calls, m
 * of them to one callee, at most 2 (n - m) can be looked up. A quarter of that is taken off, since most
 * programs call in the same order again; the rest is part of the error. A call whose node is not found, but
 * made, counts as two lookups. Of what an interrupt takes more, half
 * is its own, and half stays in what it interrupted, which is unknown.
 *
 * The compiler's part of a pair (arguments, saved registers, functions that it would have put inline) is
 * another one in each function, and no measurement sees it. Over whole programs it was off by a twentieth of
 * a pair at most; a twelfth for each call below is the error of a total. That of an own time is half a pair.
 *
 * What is not known stays in: hooks of calls that are lost or that the target leaves out, what interrupts and
 * switches of tasks take in hooks, and the time of the agent's sending. */
#ifndef SNAPSHOT_CORRECTION_H
#define SNAPSHOT_CORRECTION_H

#include "snapshot/snapshot.h"

/* Ticks of the profile that the two hooks of a call take. */
struct correction_costs {
    double pair;      /* 0 when unknown */
    double lookup;    /* what a lookup of the callee adds, within its time; mode tree only */
    double interrupt; /* what the outermost call of an interrupt adds; mode tree only */
    bool is_tree;     /* the target counts its calls itself (mode tree) */
    const struct snapshot_context *contexts; /* belong to the snapshot */
    uint32_t context_count;
    const char *unknown; /* why `pair` is 0, as a sentence; static */
};

/* Returns the costs in the target's current mode. They are unknown when the target does not report them. In
 * mode tree they are also unknown when a trigger was armed, nodes were evicted, the tree was flat, or calls
 * were also reported in another mode. */
struct correction_costs correction_costs(const struct snapshot *snapshot);

/* Fills in the corrected times of functions whose calls were reported one by one or counted by mode tree,
 * from the calls counted in the nodes. Other functions are marked as not known, and so are all when the costs
 * are unknown. `functions` must contain every function that the nodes refer to, and `costs` must be of the
 * same snapshot. Returns false when memory is used up. */
bool correction_fill(const struct correction_costs *costs, const struct snapshot_node *nodes,
                     uint32_t node_count, struct snapshot_function *functions, uint32_t function_count);

/* True for the outermost call of an interrupt, which is never looked up. */
bool correction_is_interrupt(const struct snapshot_node *node, const struct correction_costs *costs);

/* Ticks of the hooks of `calls` calls in mode tree, of which `lookups` were looked up and `nodes` were the first
 * of their node. */
double correction_tree_ticks(const struct correction_costs *costs, double calls, double lookups,
                             double nodes);

/* True when more than half of the function's own time was subtracted: the rest is only as exact as
 * corrected_error_ticks. */
bool correction_is_rough(const struct snapshot_function *function);

#endif
