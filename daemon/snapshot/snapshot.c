/* snapshot.c - references, differences and lookups of a frozen profile. */
#include "snapshot/snapshot_private.h"

#include "snapshot/figures.h"
#include "snapshot/histogram.h"
#include "snapshot/message.h"
#include "snapshot/names.h"
#include "snapshot/outliers.h"
#include "snapshot/spread.h"
#include "snapshot/timeline.h"
#include "symbol/symtab.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct snapshot *snapshot_ref(struct snapshot *snapshot)
{
    atomic_fetch_add_explicit(&snapshot->holdings->references, 1, memory_order_relaxed);
    return snapshot;
}

void *snapshot_own(struct snapshot_holdings *holdings, void *block)
{
    assert(holdings->owned_count < SNAPSHOT_OWNED_MAX);
    if (block)
        holdings->owned[holdings->owned_count++] = block;
    else
        holdings->lacks_memory = true;
    return block;
}

static void drop_histograms(struct snapshot_holdings *holdings)
{
    struct histogram_budget unused = {0};
    for (uint32_t i = 0; holdings->window_histograms && i < holdings->snapshot.function_count; i++)
        histogram_fini(&holdings->window_histograms[i], &unused);
    free(holdings->window_histograms);
    for (uint32_t i = 0; holdings->spreads && i < holdings->snapshot.function_count; i++)
        spread_unref(holdings->spreads[i]);
    free(holdings->spreads);
    for (uint32_t i = 0; holdings->outliers && i < holdings->snapshot.function_count; i++)
        outliers_unref(holdings->outliers[i]);
    free(holdings->outliers);
}

void snapshot_unref(struct snapshot *snapshot)
{
    if (!snapshot || atomic_fetch_sub_explicit(&snapshot->holdings->references, 1, memory_order_acq_rel) != 1)
        return;
    struct snapshot_holdings *holdings = snapshot->holdings;
    snapshot_unref(holdings->base);
    snapshot_timeline_free(holdings->timeline);
    snapshot_timeline_free(holdings->turns);
    while (holdings->owned_count > 0)
        free(holdings->owned[--holdings->owned_count]);
    symtab_unref(holdings->symtab);
    names_unref(holdings->names);
    if (holdings->mark_names)
        names_unref(holdings->mark_names);
    messages_release(holdings->messages, holdings->snapshot.message_count);
    drop_histograms(holdings);
    free(holdings);
}

/* Returns the growth of a total. Totals may shrink when calls find their callers. */
static uint64_t growth_of_total(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

static void subtract_functions(struct snapshot_function *rows, const struct snapshot *older)
{
    for (uint32_t i = 0; i < older->function_count; i++) {
        const struct snapshot_function *before = &older->functions[i];
        for (const struct figure *figure = figures_function; figure->key; figure++)
            if (figure->adds_up)
                figure_set_u64(figure, &rows[i],
                               growth_of_total(figure_u64(figure, &rows[i]), figure_u64(figure, before)));
    }
}

static void subtract_nodes(struct snapshot_node *rows, const struct snapshot *older)
{
    for (uint32_t i = 0; i < older->node_count; i++) {
        const struct snapshot_node *before = &older->nodes[i];
        rows[i].calls = growth_of_total(rows[i].calls, before->calls);
        rows[i].total_ticks = growth_of_total(rows[i].total_ticks, before->total_ticks);
        rows[i].self_ticks = growth_of_total(rows[i].self_ticks, before->self_ticks);
    }
}

struct snapshot *snapshot_since(struct snapshot *newer, const struct snapshot *older)
{
    if (older->sequence < newer->cleared_at)
        return snapshot_ref(newer);
    struct snapshot_holdings *holdings = calloc(1, sizeof *holdings);
    if (!holdings)
        return NULL;
    atomic_init(&holdings->references, 1);
    holdings->base = snapshot_ref(newer);
    holdings->snapshot = *newer;
    holdings->snapshot.holdings = holdings;
    size_t functions_size = newer->function_count * sizeof *holdings->functions;
    size_t nodes_size = newer->node_count * sizeof *holdings->nodes;
    holdings->snapshot.functions = holdings->functions = snapshot_own(holdings, malloc(functions_size + 1));
    holdings->snapshot.nodes = holdings->nodes = snapshot_own(holdings, malloc(nodes_size + 1));
    if (holdings->lacks_memory) {
        snapshot_unref(&holdings->snapshot);
        return NULL;
    }
    memcpy(holdings->functions, newer->functions, functions_size);
    memcpy(holdings->nodes, newer->nodes, nodes_size);
    subtract_functions(holdings->functions, older);
    subtract_nodes(holdings->nodes, older);
    uint64_t between_ns = growth_of_total(newer->frozen_ns, older->frozen_ns);
    holdings->snapshot.between_ns = between_ns ? between_ns : 1;
    return &holdings->snapshot;
}

const struct symtab *snapshot_symtab(const struct snapshot *snapshot)
{
    for (; snapshot; snapshot = snapshot->holdings->base)
        if (snapshot->holdings->symtab)
            return snapshot->holdings->symtab;
    return NULL;
}

const char *snapshot_directory(const struct snapshot *snapshot, const struct snapshot_function *function)
{
    bool is_relative = function->has_address && function->file && function->file[0] != '/';
    const struct symtab *symtab = is_relative && snapshot->holdings ? snapshot_symtab(snapshot) : NULL;
    uint32_t index = symtab ? symtab_find(symtab, function->address) : SYMTAB_NONE;
    const struct symbol *symbol = index != SYMTAB_NONE ? symtab_at(symtab, index) : NULL;
    return symbol && symbol->file == function->file ? symbol->directory : NULL;
}

static void add_bucket(void *user, uint64_t low, uint64_t high, uint64_t count)
{
    struct snapshot_histogram *out = user;
    out->buckets[out->n++] = (struct snapshot_bucket){low, high, count};
}

bool snapshot_histogram(const struct snapshot *snapshot, uint32_t function, struct snapshot_histogram *out)
{
    assert(function < snapshot->function_count);
    size_t most = (size_t)HISTOGRAM_OCTAVES * HISTOGRAM_FINE;
    *out = (struct snapshot_histogram){.buckets = malloc(sizeof *out->buckets * most)};
    if (!out->buckets)
        return false;
    const struct snapshot_holdings *holdings = snapshot->holdings;
    while (holdings->base && !holdings->window_histograms)
        holdings = holdings->base->holdings;
    if (holdings->window_histograms)
        histogram_walk(&holdings->window_histograms[function], add_bucket, out);
    else
        spread_walk(holdings->spreads[function], add_bucket, out);
    return true;
}

static bool has_function(const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        if (function->calls > 0 || function->total_ticks > 0 || function->self_ticks > 0 ||
            function->running > 0)
            return true;
    }
    return false;
}

static bool has_checkpoint(const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->checkpoint_count; i++)
        if (snapshot->checkpoints[i].count > 0 || !snapshot->checkpoints[i].has_pair) /* an average */
            return true;
    return false;
}

bool snapshot_has_some(const struct snapshot *snapshot)
{
    return has_function(snapshot) || has_checkpoint(snapshot) || snapshot->sample_total > 0 ||
           snapshot->message_count > 0;
}

bool snapshot_is_of_agent(const struct snapshot_source *source)
{
    return !source->dialect || !strcmp(source->dialect, "miniprof") || !strcmp(source->dialect, "auto");
}

bool snapshot_context_is_idle(const struct snapshot *snapshot, uint32_t context)
{
    return context < snapshot->context_count && !strcmp(snapshot->contexts[context].kind, "idle");
}
