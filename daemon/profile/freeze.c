/* freeze.c - makes a snapshot of a profile: copies of its rows, and references to data that only grows or
 * never changes. */
#include "base/clock.h"
#include "base/scarcity.h"
#include "profile/balance.h"
#include "profile/estimate.h"
#include "profile/profile_private.h"
#include "snapshot/blocks.h"
#include "snapshot/correction.h"
#include "snapshot/snapshot_private.h"
#include "snapshot/stack.h"
#include "symbol/symtab.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void *own_copy(struct snapshot_holdings *holdings, const void *rows, size_t n, size_t size)
{
    void *out = snapshot_own(holdings, malloc(n * size + 1));
    if (out && n > 0)
        memcpy(out, rows, n * size);
    return out;
}

static void count_trouble(const struct profile *profile, struct snapshot_link *link)
{
    link->unplaced_calls = profile->placement.awaiting.unplaced;
    link->calls_discarded = 0;
    for (unsigned cause = 0; cause < CAUSES; cause++)
        link->calls_discarded += profile->cleared[cause].calls;
    link->out_of_order = profile->placement.out_of_order;
    link->overlaps = profile->placement.overlaps;
    link->losses_of_unknown_size = profile->moments.unknown_losses;
    link->orphan_exits = profile->livestacks.orphan_exits;
    link->missing_exits = profile->livestacks.missing_exits;
    link->windows = profile->kept.told;
    link->triggers_missed = kept_missed(&profile->kept);
    link->has_other_cores = profile->other_cores.is_told;
    link->other_core_hooks = profile->other_cores.hooks;
    link->over_limit = profile->placement.over_limit + profile->livestacks.over_limit +
                       profile->tree.over_limit + profile->functions.over_limit + profile->arcs.over_limit +
                       profile->marks.over_limit;
}

static void add_running(struct profile *profile, struct snapshot_holdings *holdings)
{
    struct livestacks_rows rows = {.functions = holdings->functions,
                                   .function_blocks = holdings->function_blocks,
                                   .nodes = holdings->nodes,
                                   .node_blocks = holdings->node_blocks,
                                   .sequence = profile->functions.sequence};
    livestacks_add_running(&profile->livestacks, &rows);
}

/* Members of a function's row that only a freeze computes, adjacent in the struct, and the bit of `known` for
 * them. */
struct worked_out {
    uint32_t bit;
    size_t at, size;
};

#define WORKED_OUT(bit, first, last)                                                                         \
    ((struct worked_out){bit, offsetof(struct snapshot_function, first),                                     \
                         offsetof(struct snapshot_function, last) + sizeof(uint64_t) -                       \
                             offsetof(struct snapshot_function, first)})

/* The profile has these members as of the last snapshot, since they may change without a call of the
 * function. Rows in which they changed are marked as changed. */
static inline void mark_worked_out(struct functions *functions, struct snapshot_holdings *holdings,
                                   struct worked_out members)
{
    for (uint32_t id = 0; id < functions->count; id++) {
        struct snapshot_function *kept = &functions->rows[id], *told = &holdings->functions[id];
        void *kept_members = (char *)kept + members.at, *told_members = (char *)told + members.at;
        if (!((kept->known ^ told->known) & members.bit) &&
            memcmp(kept_members, told_members, members.size) == 0)
            continue;
        kept->known = (kept->known & ~members.bit) | (told->known & members.bit);
        memcpy(kept_members, told_members, members.size);
        kept->changed = told->changed = holdings->function_blocks[id / SNAPSHOT_BLOCK] = functions->sequence;
    }
}

/* Returns false when memory is used up. */
static bool correct_functions(struct profile *profile, struct snapshot_holdings *holdings)
{
    struct functions *functions = &profile->functions;
    const struct snapshot *snapshot = &holdings->snapshot;
    const struct correction_costs costs = correction_costs(snapshot);
    bool is_known = costs.pair > 0;
    if (!is_known && !functions->corrected)
        return true;
    functions->corrected = is_known;
    if (!correction_fill(&costs, holdings->nodes, snapshot->node_count, holdings->functions,
                         snapshot->function_count))
        return false;
    mark_worked_out(functions, holdings, WORKED_OUT(FUNCTION_CORRECTED, corrected_total_ticks, hook_ticks));
    return true;
}

/* Returns false when memory is used up. */
static bool tell_stacks(struct profile *profile, struct snapshot_holdings *holdings)
{
    const struct snapshot *snapshot = &holdings->snapshot;
    const struct stack_rows rows = {.nodes = holdings->nodes,
                                    .node_count = snapshot->node_count,
                                    .functions = holdings->functions,
                                    .function_count = snapshot->function_count,
                                    .contexts = holdings->contexts,
                                    .context_count = snapshot->context_count,
                                    .is_estimated = snapshot->call_tree_estimated};
    if (!stack_fill(&rows))
        return false;
    mark_worked_out(&profile->functions, holdings, WORKED_OUT(FUNCTION_STACK, stack_bytes, stack_unknown));
    return true;
}

/* Judges the limits by the snapshot's rows, and copies them. In mode tree, the root has all the time that the
 * target counted. */
static void freeze_bounds(struct profile *profile, struct snapshot_holdings *holdings)
{
    struct bounds *bounds = &profile->bounds;
    struct snapshot *snapshot = &holdings->snapshot;
    const struct bounds_figures figures = {
        .functions = snapshot->functions,
        .newest_ticks = profile->moments.newest_ticks,
        .counted_ticks = bounds->is_tree ? snapshot->nodes[CALLTREE_ROOT].total_ticks : 0,
        .sequence = profile->functions.sequence};
    if (bounds->looked < snapshot->function_count && bounds->count > 0)
        bounds_look(bounds, &profile->functions);
    bounds_judge(bounds, &figures);
    snapshot->bounds = (struct snapshot_bounds){
        .count = bounds->count, .told = bounds->breaches.told, .changed = bounds->changed};
    snapshot->bounds.rows = snapshot_own(holdings, bounds_freeze(bounds));
    snapshot->bounds.breaches =
        snapshot_own(holdings, breaches_freeze(&bounds->breaches, &snapshot->bounds.breach_count));
}

/* Copies functions and nodes, with the counts of completed calls. */
static void copy_counted(const struct profile *profile, struct snapshot_holdings *holdings)
{
    const struct functions *functions = &profile->functions;
    const struct calltree *tree = &profile->tree;
    struct snapshot *snapshot = &holdings->snapshot;
    snapshot->functions = holdings->functions = snapshot_own(
        holdings, blocks_copy(functions->rows, functions->count, sizeof *functions->rows,
                              offsetof(struct snapshot_function, changed), &holdings->function_blocks));
    snapshot->function_count = functions->count;
    snapshot->function_blocks = snapshot_own(holdings, holdings->function_blocks);
    snapshot->nodes = holdings->nodes =
        snapshot_own(holdings, blocks_copy(tree->nodes, tree->count, sizeof *tree->nodes,
                                           offsetof(struct snapshot_node, changed), &holdings->node_blocks));
    snapshot->node_count = tree->count;
    snapshot->node_blocks = snapshot_own(holdings, holdings->node_blocks);
    holdings->spreads = functions_share_spreads(functions);
    holdings->outliers = functions_share_outliers(functions);
}

/* Copies the kept windows, and the settings: windows prove that a trigger was armed. */
static void copy_windows(struct profile *profile, struct snapshot_holdings *holdings)
{
    struct snapshot *snapshot = &holdings->snapshot;
    snapshot->windows.rows = snapshot_own(holdings, kept_freeze(&profile->kept, &snapshot->windows.count));
    snapshot->windows.are_all = profile->counted.has_some;
    snapshot->windows.told = profile->kept.told;
    snapshot->windows.missed = kept_missed(&profile->kept);
    snapshot->windows.changed = profile->kept.changed;
    measured_settings_tell(&profile->settings, snapshot->target.mode, &snapshot->windows,
                           &snapshot->measured_with);
}

static void copy_arcs_and_samples(const struct profile *profile, struct snapshot_holdings *holdings)
{
    const struct arcs *arcs = &profile->arcs;
    const struct samples *samples = &profile->samples;
    struct snapshot *snapshot = &holdings->snapshot;
    snapshot->arcs = own_copy(holdings, arcs->rows, arcs->count, sizeof *arcs->rows);
    snapshot->arc_count = arcs->count;
    snapshot->sites = own_copy(holdings, arcs->sites, arcs->site_count, sizeof *arcs->sites);
    snapshot->site_count = arcs->site_count;
    snapshot->pcs = own_copy(holdings, samples->rows, samples->count, sizeof *samples->rows);
    snapshot->pc_count = samples->count;
    snapshot->sample_total = samples->total;
    snapshot->sample_hz = samples->hz ? samples->hz : snapshot->target.ticks_per_second;
    snapshot->call_tree_estimated =
        !profile->measured && (arcs->count > 0 || samples->total > 0 || profile->counted.has_some);
}

/* Copies everything with a time: messages, calls, turns, moments. */
static void copy_times(struct profile *profile, struct snapshot_holdings *holdings)
{
    struct snapshot *snapshot = &holdings->snapshot;
    snapshot->messages = holdings->messages = messages_freeze(&profile->messages);
    snapshot->message_count = holdings->messages ? profile->messages.count : 0;
    snapshot->messages_dropped = profile->messages.dropped;
    snapshot->timeline = holdings->timeline = timeline_freeze(&profile->timeline);
    if (holdings->timeline)
        holdings->timeline->open = livestacks_open(&profile->livestacks, &holdings->timeline->open_count);
    snapshot->turns = holdings->turns = timeline_freeze(&profile->turns);
    if (holdings->turns)
        holdings->turns->open = livestacks_turns(&profile->livestacks, &holdings->turns->open_count);
    snapshot->moments = snapshot_own(holdings, moments_freeze(&profile->moments));
    snapshot->history = own_copy(holdings, &profile->history, 1, sizeof profile->history);
}

/* Copies the rows. Returns false when memory is used up. */
static bool copy_rows(struct profile *profile, struct snapshot_holdings *holdings)
{
    const struct functions *functions = &profile->functions;
    const struct marks *marks = &profile->marks;
    struct snapshot *snapshot = &holdings->snapshot;
    copy_counted(profile, holdings);
    if (holdings->lacks_memory)
        return false;
    add_running(profile, holdings);
    copy_windows(profile, holdings);
    snapshot->contexts = holdings->contexts = snapshot_own(
        holdings, contexts_freeze(&profile->contexts, &profile->livestacks, profile->measured ? NULL : marks,
                                  functions->sequence, &snapshot->context_count));
    copy_arcs_and_samples(profile, holdings);
    if (holdings->lacks_memory || !correct_functions(profile, holdings) || !tell_stacks(profile, holdings))
        return false;
    snapshot->checkpoints = own_copy(holdings, marks->rows, marks->count, sizeof *marks->rows);
    snapshot->checkpoint_count = marks->count;
    holdings->mark_names = names_ref(marks->names);
    copy_times(profile, holdings);
    holdings->symtab = functions->symtab ? symtab_ref(functions->symtab) : NULL;
    holdings->names = names_ref(functions->names);
    freeze_bounds(profile, holdings);
    return !holdings->lacks_memory && holdings->spreads && holdings->outliers && holdings->messages &&
           holdings->timeline && holdings->turns;
}

struct snapshot *profile_freeze(struct profile *profile, const struct snapshot_source *source,
                                const struct snapshot_target *target, const struct snapshot_link *link)
{
    if (profile->arc_calls_told > 0 && profile_arcs_are_doubles(profile))
        functions_forget_arc_calls(&profile->functions);
    if (!functions_settle(&profile->functions, profile->sequence))
        return NULL;
    struct snapshot_holdings *holdings = calloc(1, sizeof *holdings);
    if (!holdings)
        return NULL;
    if (profile->estimate_due && !profile->measured) {
        livestacks_retell_rest(&profile->livestacks);
        estimate_fill(&profile->tree, &profile->functions, &profile->arcs);
    }
    profile->estimate_due = false;
    livestacks_tell_rest(&profile->livestacks);
    atomic_init(&holdings->references, 1);
    struct snapshot *snapshot = &holdings->snapshot;
    *snapshot = (struct snapshot){
        .holdings = holdings,
        .source = *source,
        .target = *target,
        .link = *link,
        .sequence = profile->sequence + 1,
        .cleared_at = profile->cleared_at,
        .captured_at_wall_ns = source->recorded_wall_ns ? source->recorded_wall_ns : clock_wall_ns(),
        .frozen_ns = clock_monotonic_ns(),
    };
    count_trouble(profile, &snapshot->link);
    link_history_add(&profile->history, &snapshot->link, target->buffer_overflows,
                     source->state == STATE_CONNECTED, clock_monotonic_ms());
    if (!target->has_match)
        snapshot->target.has_match =
            arcs_judge_program(&profile->arcs, profile->functions.symtab, &snapshot->target.elf_match);
    if (!copy_rows(profile, holdings)) {
        snapshot_unref(snapshot);
        return NULL;
    }
    balance_fill(profile, snapshot);
    profile->sequence++;
    profile->functions.sequence = profile->sequence + 1;
    profile->changed = false;
    return snapshot;
}
