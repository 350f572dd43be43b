/* correction.h - what the target's own measuring adds to the times of functions, and these times without it.
 *
 * A call that is measured takes longer, by an entry hook and an exit hook. Each takes the time somewhere in
 * its middle: what the entry's takes after that, and the exit's before it, is inside the time that is
 * reported of the call; the rest lies in its caller. Nothing tells where that middle is. But both hooks are
 * the same code up to one instruction, so what follows the time in one and what precedes it in the other are
 * together as much as one hook: half of the pair. Whatever it is, the sum of both shares is the whole pair,
 * so a function that makes as many calls as it gets is corrected right in any case.
 *
 * Own times and totals agree: a total is the sum of the corrected own times below it. A call whose own time
 * is less than its hooks are taken to have put into it shows that more of them lies in its caller: it has 0,
 * and its caller the difference.
 *
 * Hooks of mode tree differ from call to call. They are cheapest where a function calls the one that it
 * called last, or that followed that one last time, dearer where the callee is looked up, and dearest for the
 * outermost call of an interrupt; the target reports each (enum mp_hooks). Of a function that made n calls, m
 * of them to one callee, at most 2 (n - m) can be looked up. A quarter of that is taken off, since most
 * programs call in the same order again; the rest is part of the error. Of what an interrupt takes more, half
 * is its own, and half stays in what it interrupted, which is unknown.
 *
 * What is not known stays in: hooks of calls that are lost or that the target leaves out, what interrupts and
 * switches of tasks take in hooks, and the time of the agent's sending. */
#ifndef SNAPSHOT_CORRECTION_H
#define SNAPSHOT_CORRECTION_H

#include "snapshot/snapshot.h"

/* Ticks of the profile that the two hooks of a call take. */
struct correction_costs {
    double pair;      /* 0: unknown */
    double lookup;    /* so much more where the callee has to be looked up, within its time; mode tree only */
    double interrupt; /* so much more for the outermost call of an interrupt; mode tree only */
    bool is_tree;     /* the target counts its calls itself */
    const struct snapshot_context *contexts; /* the snapshot's */
    uint32_t context_count;
    const char *unknown; /* why `pair` is 0, a sentence; static */
};

/* Those of the mode that the target is in. Unknown where it does not report them, and in mode tree where a
 * trigger was armed, the tree evicts or was flat, or calls were reported in another mode as well. */
struct correction_costs correction_costs(const struct snapshot *snapshot);

/* Fills in the corrected times of the functions of calls that were reported one by one, or that mode tree counts,
 * from the calls that the nodes count; those of others, and all where the costs are unknown, are marked as
 * not known. `functions` has as many rows as the nodes name, and `costs` are of a snapshot that has its
 * contexts. False when memory is used up. */
bool correction_fill(const struct correction_costs *costs, const struct snapshot_node *nodes,
                     uint32_t node_count, struct snapshot_function *functions, uint32_t function_count);

/* True when more than half of the function's own time was taken off: what is left is as rough as
 * corrected_error_ticks says. */
bool correction_is_rough(const struct snapshot_function *function);

#endif
