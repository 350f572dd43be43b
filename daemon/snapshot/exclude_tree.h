/* exclude_tree.h - what hooks of mode tree take when functions are left out. */
#ifndef SNAPSHOT_EXCLUDE_TREE_H
#define SNAPSHOT_EXCLUDE_TREE_H

#include "snapshot/correction.h"

/* True when the function (an index of the snapshot's functions) has no hooks. */
typedef bool exclude_is_out(const void *user, uint32_t function);

/* Estimates the ticks of all hooks if functions had none for which `is_out` returns true. The outermost calls of
 * interrupts and idle contexts are not included. The snapshot's correction costs must be known, and those of
 * mode tree. Returns false when memory is used up. */
bool exclude_tree_ticks(const struct snapshot *snapshot, exclude_is_out *is_out, const void *user,
                        double *ticks);

#endif
