/* snapshot.c - the life of a frozen profile. */
#include "profile/snapshot_private.h"

#include "profile/messages.h"
#include "profile/names.h"
#include "profile/timeline.h"
#include "symbol/symtab.h"

#include <stdlib.h>

struct snapshot *snapshot_ref(struct snapshot *snapshot)
{
    atomic_fetch_add_explicit(&snapshot->private->references, 1, memory_order_relaxed);
    return snapshot;
}

void snapshot_unref(struct snapshot *snapshot)
{
    if (!snapshot || atomic_fetch_sub_explicit(&snapshot->private->references, 1, memory_order_acq_rel) != 1)
        return;
    struct snapshot_private *private = snapshot->private;
    snapshot_timeline_free(private->timeline);
    symtab_unref(private->symtab);
    names_unref(private->names);
    free(private->functions);
    free(private->nodes);
    free(private->contexts);
    free(private->arcs);
    free(private->sites);
    free(private->pcs);
    messages_release(private->messages, private->snapshot.message_count);
    free(private);
}
