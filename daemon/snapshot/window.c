/* window.c - makes a snapshot of a time range.
 *
 * Functions and nodes are the same as in the whole profile, so ids are the same in both. Only their counts
 * are computed again. */
#include "snapshot/snapshot_private.h"

#include "snapshot/correction.h"
#include "snapshot/durations.h"
#include "snapshot/figures.h"
#include "snapshot/recount.h"
#include "snapshot/stack.h"
#include "snapshot/timeline.h"
#include "snapshot/turns.h"

#include <stdlib.h>
#include <string.h>

enum { HISTOGRAM_BLOCKS = 131072 }; /* of 128 bytes, same limit as for a whole profile */

/* Resets what rows count, and keeps what they stand for. Figures without times are unknown in a range. */
static void forget_counts(struct snapshot_holdings *holdings)
{
    const struct snapshot *snapshot = &holdings->snapshot;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        struct snapshot_function *row = &holdings->functions[i];
        row->known &= FUNCTION_FRAME |
                      (row->known & FUNCTION_EACH ? FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_EACH : 0);
        for (const struct figure *figure = figures_function; figure->key; figure++)
            if (figure->known != FUNCTION_FRAME)
                figure_set_u64(figure, row, 0);
        row->min_ticks = UINT64_MAX;
    }
    for (uint32_t i = 0; i < snapshot->node_count; i++) {
        struct snapshot_node *node = &holdings->nodes[i];
        node->calls = node->total_ticks = node->self_ticks = 0;
    }
}

static void tell_percentiles(struct snapshot_holdings *holdings)
{
    for (uint32_t i = 0; i < holdings->snapshot.function_count; i++) {
        struct snapshot_function *row = &holdings->functions[i];
        if (row->calls == 0)
            continue;
        /* In mode tree they are known inside of windows. */
        row->known |= FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_EACH;
        durations_tell(&holdings->window_histograms[i], row);
    }
}

/* Counts the range in the rows of `holdings`, which are copies of the whole profile's. */
static bool count_window(struct snapshot_holdings *holdings)
{
    const struct snapshot *snapshot = &holdings->snapshot;
    struct recount_rows rows = {.functions = holdings->functions,
                                .nodes = holdings->nodes,
                                .histograms = holdings->window_histograms,
                                .period = calloc(snapshot->function_count + 1, sizeof *rows.period),
                                .contexts = holdings->contexts,
                                .node_count = snapshot->node_count,
                                .context_count = snapshot->context_count,
                                .budget.blocks_left = HISTOGRAM_BLOCKS};
    forget_counts(holdings);
    bool counted = rows.period && (!snapshot->timeline ||
                                   recount_timeline(snapshot->timeline, snapshot->range.held_from_ticks,
                                                    snapshot->range.to_ticks, &rows));
    for (uint32_t i = 0; counted && i < snapshot->function_count; i++)
        period_tell(&rows.period[i], &holdings->functions[i]);
    periods_fini(&rows.periods);
    free(rows.period);
    if (!counted)
        return false;
    tell_percentiles(holdings);
    const struct stack_rows stacks = {.nodes = holdings->nodes,
                                      .node_count = snapshot->node_count,
                                      .functions = holdings->functions,
                                      .function_count = snapshot->function_count,
                                      .contexts = holdings->contexts,
                                      .context_count = snapshot->context_count,
                                      .is_estimated = holdings->base->call_tree_estimated};
    const struct correction_costs costs = correction_costs(snapshot);
    return stack_fill(&stacks) && correction_fill(&costs, holdings->nodes, snapshot->node_count,
                                                  holdings->functions, snapshot->function_count);
}

static void pick_messages(struct snapshot_holdings *holdings, const struct snapshot *whole)
{
    struct snapshot *snapshot = &holdings->snapshot;
    const struct snapshot_message **picked = holdings->window_messages;
    snapshot->message_count = 0;
    for (uint32_t i = 0; i < whole->message_count; i++) {
        const struct snapshot_message *message = whole->messages[i];
        if (message->ticks >= snapshot->range.from_ticks && message->ticks <= snapshot->range.to_ticks)
            picked[snapshot->message_count++] = message;
    }
    snapshot->messages = picked;
}

static bool copy_rows(struct snapshot_holdings *holdings, const struct snapshot *whole)
{
    holdings->functions =
        snapshot_own(holdings, malloc(whole->function_count * sizeof *holdings->functions + 1));
    holdings->nodes = snapshot_own(holdings, malloc(whole->node_count * sizeof *holdings->nodes + 1));
    holdings->window_messages =
        snapshot_own(holdings, malloc((whole->message_count + 1) * sizeof *holdings->window_messages));
    holdings->window_histograms = calloc(whole->function_count + 1, sizeof *holdings->window_histograms);
    holdings->contexts = snapshot_own(holdings, calloc(whole->context_count + 1, sizeof *holdings->contexts));
    if (holdings->lacks_memory || !holdings->window_histograms)
        return false;
    if (whole->function_count > 0)
        memcpy(holdings->functions, whole->functions, whole->function_count * sizeof *holdings->functions);
    memcpy(holdings->nodes, whole->nodes, whole->node_count * sizeof *holdings->nodes);
    if (whole->context_count > 0)
        memcpy(holdings->contexts, whole->contexts, whole->context_count * sizeof *holdings->contexts);
    turns_count(whole->turns, holdings->snapshot.range.held_from_ticks, holdings->snapshot.range.to_ticks,
                holdings->contexts, whole->context_count);
    return true;
}

struct snapshot *snapshot_window(struct snapshot *whole, uint64_t from_ticks, uint64_t to_ticks)
{
    struct snapshot_holdings *holdings = calloc(1, sizeof *holdings);
    if (!holdings)
        return NULL;
    uint64_t held = whole->timeline ? whole->timeline->gone_ticks : 0;
    struct snapshot *snapshot = &holdings->snapshot;
    atomic_init(&holdings->references, 1);
    *snapshot = *whole;
    snapshot->holdings = holdings;
    snapshot->range = (struct snapshot_range){.is_set = true,
                                              .from_ticks = from_ticks,
                                              .to_ticks = to_ticks,
                                              .held_from_ticks = from_ticks > held ? from_ticks : held};
    holdings->base = snapshot_ref(whole);
    if (!copy_rows(holdings, whole)) {
        snapshot_unref(snapshot);
        return NULL;
    }
    snapshot->functions = holdings->functions;
    snapshot->nodes = holdings->nodes;
    snapshot->contexts = holdings->contexts;
    snapshot->arc_count = snapshot->site_count = snapshot->pc_count = 0;
    snapshot->sample_total = 0;
    snapshot->call_tree_estimated = false;
    snapshot->source.provides &= ~(uint32_t)(PROVIDES_ARCS | PROVIDES_SAMPLES);
    pick_messages(holdings, whole);
    if (count_window(holdings))
        return snapshot;
    snapshot_unref(snapshot);
    return NULL;
}
