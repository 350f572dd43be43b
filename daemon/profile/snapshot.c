/* snapshot.c - the life of a frozen profile. */
#include "profile/snapshot_private.h"

#include "profile/histogram.h"
#include "profile/messages.h"
#include "profile/names.h"
#include "profile/timeline.h"
#include "symbol/symtab.h"

#include <stdlib.h>
#include <string.h>

struct snapshot *snapshot_ref(struct snapshot *snapshot)
{
    atomic_fetch_add_explicit(&snapshot->private->references, 1, memory_order_relaxed);
    return snapshot;
}

static void drop_histograms(struct snapshot_private *private)
{
    struct histogram_budget unused = {0};
    for (uint32_t i = 0; private->window_histograms && i < private->snapshot.function_count; i++)
        histogram_fini(&private->window_histograms[i], &unused);
    free(private->window_histograms);
}

void snapshot_unref(struct snapshot *snapshot)
{
    if (!snapshot || atomic_fetch_sub_explicit(&snapshot->private->references, 1, memory_order_acq_rel) != 1)
        return;
    struct snapshot_private *private = snapshot->private;
    snapshot_unref(private->base);
    snapshot_timeline_free(private->timeline);
    free(private->moments);
    symtab_unref(private->symtab);
    names_unref(private->names);
    free(private->functions);
    free(private->nodes);
    free(private->function_blocks);
    free(private->node_blocks);
    free(private->contexts);
    free(private->arcs);
    free(private->sites);
    free(private->pcs);
    free(private->checkpoints);
    if (private->mark_names)
        names_unref(private->mark_names);
    messages_release(private->messages, private->snapshot.message_count);
    free(private->window_messages);
    drop_histograms(private);
    free(private);
}

/* What of a total was not there before. Totals may shrink when calls find their callers. */
static uint64_t less(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

static void subtract_functions(struct snapshot_function *rows, const struct snapshot *older)
{
    for (uint32_t i = 0; i < older->function_count; i++) {
        const struct snapshot_function *before = &older->functions[i];
        rows[i].calls = less(rows[i].calls, before->calls);
        rows[i].total_ticks = less(rows[i].total_ticks, before->total_ticks);
        rows[i].self_ticks = less(rows[i].self_ticks, before->self_ticks);
        rows[i].sum_ticks = less(rows[i].sum_ticks, before->sum_ticks);
        rows[i].samples = less(rows[i].samples, before->samples);
    }
}

static void subtract_nodes(struct snapshot_node *rows, const struct snapshot *older)
{
    for (uint32_t i = 0; i < older->node_count; i++) {
        const struct snapshot_node *before = &older->nodes[i];
        rows[i].calls = less(rows[i].calls, before->calls);
        rows[i].total_ticks = less(rows[i].total_ticks, before->total_ticks);
        rows[i].self_ticks = less(rows[i].self_ticks, before->self_ticks);
    }
}

struct snapshot *snapshot_since(struct snapshot *newer, const struct snapshot *older)
{
    if (older->sequence < newer->cleared_at)
        return snapshot_ref(newer);
    struct snapshot_private *private = calloc(1, sizeof *private);
    if (!private)
        return NULL;
    size_t functions_size = newer->function_count * sizeof *private->functions;
    size_t nodes_size = newer->node_count * sizeof *private->nodes;
    private->functions = malloc(functions_size + 1);
    private->nodes = malloc(nodes_size + 1);
    if (!private->functions || !private->nodes) {
        free(private->functions);
        free(private->nodes);
        free(private);
        return NULL;
    }
    memcpy(private->functions, newer->functions, functions_size);
    memcpy(private->nodes, newer->nodes, nodes_size);
    subtract_functions(private->functions, older);
    subtract_nodes(private->nodes, older);
    atomic_init(&private->references, 1);
    private->base = snapshot_ref(newer);
    private->snapshot = *newer;
    private->snapshot.private = private;
    private->snapshot.functions = private->functions;
    private->snapshot.nodes = private->nodes;
    return &private->snapshot;
}
