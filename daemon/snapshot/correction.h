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
 * What is not known stays in: hooks of calls that are lost or that the target leaves out, what interrupts and
 * switches of tasks take in hooks, and the time of the agent's sending. */
#ifndef SNAPSHOT_CORRECTION_H
#define SNAPSHOT_CORRECTION_H

#include "snapshot/snapshot.h"

/* Ticks of the profile that the two hooks of a call take; 0 where that is not known. */
double correction_ticks(const struct snapshot_target *target);

/* Fills in the corrected times of the functions of calls that were reported one by one, from the calls that
 * the nodes count; those of others, and all where the target does not tell what its hooks take, are marked as
 * not known. `functions` has as many rows as the nodes name. False when memory is used up. */
bool correction_fill(const struct snapshot_target *target, const struct snapshot_node *nodes,
                     uint32_t node_count, struct snapshot_function *functions, uint32_t function_count);

/* True when more than half of the function's own time was taken off: what is left is as rough as
 * corrected_error_ticks says. */
bool correction_is_rough(const struct snapshot_function *function);

#endif
