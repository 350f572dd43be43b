/* outliers.c - lists of the outlier calls of one function. */
#include "snapshot/outliers.h"

#include "base/scarcity.h"

#include <stdlib.h>

struct outliers *outliers_new(uint32_t first_count)
{
    struct outliers *outliers =
        scarcity_watch(malloc(sizeof *outliers + first_count * sizeof outliers->firsts[0]));
    if (!outliers)
        return NULL;
    *outliers = (struct outliers){0};
    atomic_init(&outliers->references, 1);
    outliers->first_count = first_count;
    return outliers;
}

struct outliers *outliers_ref(struct outliers *outliers)
{
    if (outliers)
        atomic_fetch_add_explicit(&outliers->references, 1, memory_order_relaxed);
    return outliers;
}

void outliers_unref(struct outliers *outliers)
{
    if (outliers && atomic_fetch_sub_explicit(&outliers->references, 1, memory_order_acq_rel) == 1)
        free(outliers);
}
