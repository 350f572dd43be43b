/* profile.c - what everything the target said adds up to. */
#include "profile/profile.h"

#include "base/clock.h"
#include "profile/arcs.h"
#include "snapshot/blocks.h"
#include "profile/contexts.h"
#include "profile/estimate.h"
#include "profile/livestacks.h"
#include "profile/marks.h"
#include "profile/messages.h"
#include "profile/moments.h"
#include "profile/samples.h"
#include "snapshot/holdings.h"
#include "profile/stacks.h"
#include "snapshot/timeline.h"
#include "symbol/symtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A finished call waits this long for a caller that may return soon; then it is shown below a placeholder. */
enum { PATIENCE_MS = 100 };

static const struct profile_limits default_limits = {
    .functions = 65536,
    .nodes = 1048576,
    .timeline_calls = 1048576,
    .pending_calls = 65536,
};

struct profile {
    struct functions functions;
    struct calltree tree;
    struct timeline timeline;
    struct stacks stacks;
    struct livestacks livestacks;
    struct arcs arcs;
    struct samples samples;
    struct messages messages;
    struct marks marks;
    struct moments moments;
    struct contexts contexts;
    bool measured;       /* calls came, one by one: the tree is made of these, not of arcs and samples */
    bool estimate_due;   /* arcs or samples came that the tree does not show yet */
    uint64_t sequence;   /* of the last snapshot */
    uint64_t cleared_at; /* of the snapshot that first shows the rows of now */
    bool changed;
    bool waiting; /* calls are pending since `waiting_since_ms` */
    uint64_t waiting_since_ms;
};

static uint32_t limit_or(uint32_t wanted, uint32_t fallback)
{
    return wanted ? wanted : fallback;
}

struct profile *profile_new(const struct profile_limits *limits)
{
    struct profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return NULL;
    const struct profile_limits none = {0};
    if (!limits)
        limits = &none;
    bool whole = functions_init(&profile->functions, limit_or(limits->functions, default_limits.functions));
    whole &= calltree_init(&profile->tree, limit_or(limits->nodes, default_limits.nodes));
    whole &=
        timeline_init(&profile->timeline, limit_or(limits->timeline_calls, default_limits.timeline_calls));
    whole &= stacks_init(&profile->stacks, &profile->tree, &profile->functions, &profile->timeline,
                         limit_or(limits->pending_calls, default_limits.pending_calls));
    livestacks_init(&profile->livestacks, &profile->tree, &profile->functions, &profile->timeline);
    arcs_init(&profile->arcs);
    samples_init(&profile->samples);
    moments_init(&profile->moments);
    whole &= messages_init(&profile->messages);
    whole &= marks_init(&profile->marks);
    if (!whole) {
        profile_free(profile);
        return NULL;
    }
    profile->cleared_at = 1;
    profile->functions.sequence = 1;
    profile->changed = true;
    return profile;
}

void profile_free(struct profile *profile)
{
    if (!profile)
        return;
    contexts_fini(&profile->contexts);
    moments_fini(&profile->moments);
    marks_fini(&profile->marks);
    messages_fini(&profile->messages);
    samples_fini(&profile->samples);
    arcs_fini(&profile->arcs);
    livestacks_fini(&profile->livestacks);
    stacks_fini(&profile->stacks);
    timeline_fini(&profile->timeline);
    calltree_fini(&profile->tree);
    functions_fini(&profile->functions);
    free(profile);
}

/* The function that an ENTER or EXIT is about. */
static uint32_t function_of(struct profile *profile, const struct event *event)
{
    if (event->flags & EVENT_BY_NAME)
        return functions_named(&profile->functions, event->named.name, event->named.n);
    return functions_at(&profile->functions, event->call.address);
}

/* A stretch between two checkpoints stands on the timeline under the name of its pair, in a lane per
 * calibration index. */
static void show_span(void *user, const struct marks_span *span)
{
    struct profile *profile = user;
    const struct snapshot_checkpoint *row = &profile->marks.rows[span->row];
    char unnamed[64];
    snprintf(unnamed, sizeof unnamed, "topic %u: %u to %u", row->topic, row->from, row->to);
    const char *name = row->name ? row->name : unnamed;
    timeline_add(&profile->timeline,
                 &(struct timeline_call){.start_ticks = span->start_ticks,
                                         .duration_ticks = span->duration_ticks,
                                         .function = functions_pair(&profile->functions, span->row, name),
                                         .context = (uint16_t)span->calibration,
                                         .place = TIMELINE_STRETCH});
}

/* One link may carry dialects that count calls and others that tell them; what is told is no guess. */
static void trust_calls(struct profile *profile)
{
    if (profile->measured)
        return;
    profile->measured = true;
    estimate_forget(&profile->tree, &profile->functions);
}

/* Events without a time of their own stand at the newest there is. */
static void note_moment(struct profile *profile, const struct event *event)
{
    struct moments *moments = &profile->moments;
    switch (event->kind) {
    case EVENT_ENTER:
    case EVENT_EXIT:
    case EVENT_TEXT: moments_pass(moments, event->ticks); break;
    case EVENT_MARK:
        moments_pass(moments, event->ticks);
        moments_checkpoint(moments, event,
                           marks_name(&profile->marks, event->mark.topic, event->mark.checkpoint));
        break;
    case EVENT_LOST:
        moments_lose(moments, event->lost.records);
        if (event->lost.line_was_away)
            moments_mark(moments, MARKER_RECONNECT, 1);
        break;
    case EVENT_RESET:
        moments_mark(moments, MARKER_RESET, 1);
        moments->has_overflows = false; /* it counts anew */
        break;
    case EVENT_STATUS:
        profile->changed |= moments_hear_overflows(moments, event->status.buffer_overflows);
        break;
    default: break;
    }
}

static void apply_rare(struct profile *profile, const struct event *event)
{
    struct functions *functions = &profile->functions;
    note_moment(profile, event);
    switch (event->kind) {
    case EVENT_ENTER:
        trust_calls(profile);
        livestacks_enter(&profile->livestacks, event->context, function_of(profile, event), event->ticks);
        break;
    case EVENT_EXIT:
        livestacks_exit(&profile->livestacks, event->context, function_of(profile, event), event->ticks);
        break;
    case EVENT_ARC:
        arcs_add(&profile->arcs, functions, event->arc.from, event->arc.to, event->arc.calls);
        profile->estimate_due = true;
        break;
    case EVENT_SAMPLE:
        samples_add(&profile->samples, functions, event->sample.address, event->sample.count,
                    event->sample.bytes);
        profile->estimate_due = true;
        break;
    case EVENT_TEXT:
        contexts_hear(&profile->contexts, event);
        messages_add(&profile->messages, event, functions->sequence);
        break;
    case EVENT_MARK:
    case EVENT_PLAN:
    case EVENT_AVERAGE: marks_add(&profile->marks, event, functions->sequence, show_span, profile); break;
    case EVENT_LOST:
        stacks_end_batch(&profile->stacks);
        livestacks_abandon(&profile->livestacks);
        marks_abandon(&profile->marks);
        break;
    case EVENT_RESET:
        stacks_abandon(&profile->stacks);
        livestacks_abandon(&profile->livestacks);
        marks_abandon(&profile->marks);
        break;
    default: return;
    }
    profile->changed = true;
}

void profile_apply(struct profile *profile, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n;) {
        if (events[i].kind != EVENT_CALL) {
            apply_rare(profile, &events[i++]);
            continue;
        }
        trust_calls(profile);
        moments_pass(&profile->moments, events[i].ticks + events[i].call.duration); /* a gap ends there */
        uint64_t latest_end;
        i += stacks_add(&profile->stacks, events + i, n - i, &latest_end);
        moments_pass(&profile->moments, latest_end);
        profile->changed = true;
    }
    stacks_end_batch(&profile->stacks);
}

void profile_tick(struct profile *profile, uint64_t now_ms)
{
    if (profile->stacks.count == 0) {
        profile->waiting = false;
    } else if (!profile->waiting) {
        profile->waiting = true;
        profile->waiting_since_ms = now_ms;
    } else if (now_ms - profile->waiting_since_ms >= PATIENCE_MS) {
        profile_finish(profile);
    }
}

void profile_finish(struct profile *profile)
{
    if (profile->stacks.count > 0)
        profile->changed = true;
    stacks_flush(&profile->stacks);
    profile->waiting = false;
}

void profile_set_symbols(struct profile *profile, struct symtab *symtab)
{
    stacks_flush(&profile->stacks);
    functions_rename(&profile->functions, symtab ? symtab_ref(symtab) : NULL);
    profile->changed = true;
}

void profile_clear(struct profile *profile)
{
    stacks_clear(&profile->stacks);
    livestacks_clear(&profile->livestacks);
    arcs_clear(&profile->arcs);
    samples_clear(&profile->samples);
    messages_clear(&profile->messages);
    marks_clear(&profile->marks);
    moments_clear(&profile->moments);
    contexts_clear(&profile->contexts);
    profile->estimate_due = profile->measured = false;
    timeline_clear(&profile->timeline);
    calltree_clear(&profile->tree);
    functions_clear(&profile->functions);
    profile->cleared_at = profile->sequence + 1;
    profile->waiting = false;
    profile->changed = true;
}

bool profile_changed(const struct profile *profile)
{
    return profile->changed || profile->stacks.count > 0;
}

static void *copy(const void *rows, size_t n, size_t size)
{
    void *out = malloc(n * size + 1);
    if (out && n > 0)
        memcpy(out, rows, n * size);
    return out;
}

static void count_trouble(const struct profile *profile, struct snapshot_link *link)
{
    link->unplaced_calls = profile->stacks.segments.unplaced;
    link->orphan_exits = profile->livestacks.orphan_exits;
    link->missing_exits = profile->livestacks.missing_exits;
    link->over_limit = profile->stacks.over_limit + profile->livestacks.over_limit +
                       profile->tree.over_limit + profile->functions.over_limit + profile->arcs.over_limit +
                       profile->marks.over_limit;
}

/* Copies the rows. False when memory is used up. */
static bool copy_rows(struct profile *profile, struct snapshot_holdings *holdings)
{
    const struct functions *functions = &profile->functions;
    const struct arcs *arcs = &profile->arcs;
    const struct samples *samples = &profile->samples;
    struct snapshot *snapshot = &holdings->snapshot;
    snapshot->functions = holdings->functions =
        blocks_copy(functions->rows, functions->count, sizeof *functions->rows,
                    offsetof(struct snapshot_function, changed), &holdings->function_blocks);
    snapshot->function_count = functions->count;
    snapshot->function_blocks = holdings->function_blocks;
    holdings->spreads = functions_share_spreads(functions);
    snapshot->nodes = holdings->nodes =
        blocks_copy(profile->tree.nodes, profile->tree.count, sizeof *profile->tree.nodes,
                    offsetof(struct snapshot_node, changed), &holdings->node_blocks);
    snapshot->node_count = profile->tree.count;
    snapshot->node_blocks = holdings->node_blocks;
    if (holdings->nodes && holdings->node_blocks)
        livestacks_add_running(&profile->livestacks, holdings->nodes, holdings->node_blocks,
                               functions->sequence);
    snapshot->contexts = holdings->contexts =
        contexts_freeze(&profile->contexts, &profile->livestacks, profile->measured ? NULL : &profile->marks,
                        functions->sequence, &snapshot->context_count);
    snapshot->arcs = holdings->arcs = copy(arcs->rows, arcs->count, sizeof *arcs->rows);
    snapshot->arc_count = arcs->count;
    snapshot->sites = holdings->sites = copy(arcs->sites, arcs->site_count, sizeof *arcs->sites);
    snapshot->site_count = arcs->site_count;
    snapshot->pcs = holdings->pcs = copy(samples->rows, samples->count, sizeof *samples->rows);
    snapshot->pc_count = samples->count;
    snapshot->sample_total = samples->total;
    snapshot->call_tree_estimated = !profile->measured && (arcs->count > 0 || samples->total > 0);
    snapshot->checkpoints = holdings->checkpoints =
        copy(profile->marks.rows, profile->marks.count, sizeof *profile->marks.rows);
    snapshot->checkpoint_count = profile->marks.count;
    holdings->mark_names = names_ref(profile->marks.names);
    snapshot->messages = holdings->messages = messages_freeze(&profile->messages);
    snapshot->message_count = holdings->messages ? profile->messages.count : 0;
    snapshot->messages_dropped = profile->messages.dropped;
    snapshot->timeline = holdings->timeline = timeline_freeze(&profile->timeline);
    if (holdings->timeline)
        holdings->timeline->open = livestacks_open(&profile->livestacks, &holdings->timeline->open_count);
    snapshot->moments = holdings->moments = moments_freeze(&profile->moments);
    holdings->symtab = functions->symtab ? symtab_ref(functions->symtab) : NULL;
    holdings->names = names_ref(functions->names);
    return holdings->functions && holdings->function_blocks && holdings->spreads && holdings->nodes &&
           holdings->node_blocks && holdings->contexts && holdings->arcs && holdings->sites &&
           holdings->pcs && holdings->checkpoints && holdings->messages && holdings->timeline &&
           holdings->moments;
}

struct snapshot *profile_freeze(struct profile *profile, const struct snapshot_source *source,
                                const struct snapshot_target *target, const struct snapshot_link *link)
{
    if (!functions_settle(&profile->functions, profile->sequence))
        return NULL;
    struct snapshot_holdings *holdings = calloc(1, sizeof *holdings);
    if (!holdings)
        return NULL;
    if (profile->estimate_due && !profile->measured)
        estimate_fill(&profile->tree, &profile->functions, &profile->arcs);
    profile->estimate_due = false;
    atomic_init(&holdings->references, 1);
    struct snapshot *snapshot = &holdings->snapshot;
    *snapshot = (struct snapshot){
        .holdings = holdings,
        .source = *source,
        .target = *target,
        .link = *link,
        .sequence = profile->sequence + 1,
        .cleared_at = profile->cleared_at,
        .captured_at_wall_ns = clock_wall_ns(),
    };
    count_trouble(profile, &snapshot->link);
    if (!target->has_match)
        snapshot->target.has_match =
            arcs_judge_program(&profile->arcs, profile->functions.symtab, &snapshot->target.elf_match);
    bool whole = copy_rows(profile, holdings);
    if (whole) {
        profile->sequence++;
        profile->functions.sequence = profile->sequence + 1;
        profile->changed = false;
    }
    if (whole)
        return snapshot;
    snapshot_unref(snapshot);
    return NULL;
}
