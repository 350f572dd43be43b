/* busiest.c - sorts functions, the busiest first. */
#include "export/busiest.h"

#include "snapshot/snapshot.h"

int busiest_first(const void *a, const void *b)
{
    const struct snapshot_function *left = *(const struct snapshot_function *const *)a;
    const struct snapshot_function *right = *(const struct snapshot_function *const *)b;
    if (left->self_ticks != right->self_ticks)
        return left->self_ticks < right->self_ticks ? 1 : -1;
    if (left->samples != right->samples)
        return left->samples < right->samples ? 1 : -1;
    return left < right ? -1 : left > right;
}
