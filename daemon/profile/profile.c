/* profile.c - adds up the events of a target: calls, arcs, samples, checkpoints, messages. */
#include "profile/profile.h"

#include "profile/estimate.h"
#include "profile/profile_private.h"
#include "symbol/symtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finished calls wait this long for a caller that may return soon, before they are shown below a placeholder.
 * A call that moved there and back in each round of a loop would be unreadable, so only long calls and
 * callers that never return get placeholders. The very first calls are shown soon, since the user is waiting,
 * and a main loop never returns. */
enum { PATIENCE_MS = 1000, FIRST_PATIENCE_MS = 100 };

static const struct profile_limits default_limits = {
    .functions = 65536,
    .nodes = 1048576,
    .timeline_calls = 1048576,
    .pending_calls = 65536,
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
    if (!limits)
        limits = &default_limits;
    bool whole = functions_init(&profile->functions, limit_or(limits->functions, default_limits.functions));
    whole &= calltree_init(&profile->tree, limit_or(limits->nodes, default_limits.nodes));
    whole &=
        timeline_init(&profile->timeline, limit_or(limits->timeline_calls, default_limits.timeline_calls));
    whole &= timeline_init(&profile->turns, limit_or(limits->timeline_calls, default_limits.timeline_calls));
    whole &= placement_init(&profile->placement, &profile->tree, &profile->functions, &profile->timeline,
                            limit_or(limits->pending_calls, default_limits.pending_calls));
    livestacks_init(&profile->livestacks, &profile->tree, &profile->functions, &profile->timeline,
                    &profile->turns);
    profile->livestacks.kept = &profile->kept;
    profile->livestacks.bounds = profile->placement.bounds = &profile->bounds;
    counted_init(&profile->counted, &profile->tree, &profile->functions, &profile->livestacks);
    arcs_init(&profile->arcs);
    samples_init(&profile->samples);
    moments_init(&profile->moments);
    whole &= messages_init(&profile->messages);
    whole &= marks_init(&profile->marks);
    if (!whole) {
        profile_free(profile);
        return NULL;
    }
    witness_restart(&profile->witness);
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
    kept_fini(&profile->kept);
    bounds_fini(&profile->bounds);
    moments_fini(&profile->moments);
    marks_fini(&profile->marks);
    messages_fini(&profile->messages);
    samples_fini(&profile->samples);
    arcs_fini(&profile->arcs);
    counted_fini(&profile->counted);
    livestacks_fini(&profile->livestacks);
    placement_fini(&profile->placement);
    timeline_fini(&profile->timeline);
    timeline_fini(&profile->turns);
    calltree_fini(&profile->tree);
    functions_fini(&profile->functions);
    free(profile);
}

/* Returns the function of an ENTER or EXIT. */
static uint32_t function_of(struct profile *profile, const struct event *event)
{
    if (event->flags & EVENT_BY_NAME)
        return functions_named(&profile->functions, event->named.name, event->named.n);
    return functions_at(&profile->functions, event->call.address);
}

/* Adds a measured pair of checkpoints to the timeline under the pair's name, in the lane of the calibration
 * index at its end. */
static void show_span(void *user, const struct marks_span *span)
{
    struct profile *profile = user;
    const struct snapshot_checkpoint *row = &profile->marks.rows[span->row];
    char unnamed[64];
    if (row->topic == row->to_topic)
        snprintf(unnamed, sizeof unnamed, "topic %u: %u to %u", row->topic, row->from, row->to);
    else
        snprintf(unnamed, sizeof unnamed, "topic %u: %u to topic %u: %u", row->topic, row->from,
                 row->to_topic, row->to);
    const char *name = row->name ? row->name : unnamed;
    timeline_add(&profile->timeline,
                 &(struct timeline_call){.start_ticks = span->start_ticks,
                                         .duration_ticks = span->duration_ticks,
                                         .function = functions_pair(&profile->functions, span->row, name),
                                         .context = (uint16_t)span->calibration,
                                         .place = TIMELINE_STRETCH});
}

/* Calls were reported: discards the estimated tree. One link may carry dialects that count calls and others
 * that report them. */
static void trust_calls(struct profile *profile)
{
    if (profile->measured)
        return;
    profile->measured = true;
    livestacks_retell_rest(&profile->livestacks);
    estimate_forget(&profile->tree, &profile->functions);
}

/* Updates the moments. Events without a time of their own get the newest time. */
static void note_moment(struct profile *profile, const struct event *event)
{
    struct moments *moments = &profile->moments;
    switch (event->kind) {
    case EVENT_ENTER:
    case EVENT_EXIT:
    case EVENT_SWITCH:
    case EVENT_NODE:
    case EVENT_TEXT: moments_pass(moments, event->ticks); break;
    case EVENT_MARK:
        moments_pass(moments, event->ticks);
        moments_checkpoint(moments, event,
                           marks_name(&profile->marks, event->mark.topic, event->mark.checkpoint));
        break;
    case EVENT_LOST:
        if (event->lost.records > 0 || !event->lost.stacks_told)
            moments_lose(moments, event->lost.records);
        if (event->lost.line_was_away)
            moments_mark(moments, MARKER_RECONNECT, 1);
        break;
    case EVENT_RESET: moments_restart(moments); break;
    case EVENT_RUN: moments_begin_run(moments); break;
    case EVENT_STATUS:
        moments_hear_profiling(moments, event->status.profiling, livestacks_running(&profile->livestacks));
        break;
    case EVENT_CLOSED:
        moments_hear_profiling(moments, false, livestacks_running(&profile->livestacks));
        break;
    default: break;
    }
}

/* Adds the hooks of other cores. Those before the first STATUS are not counted, since nothing was measured
 * then. A smaller number than before means that the target restarted. */
static void hear_other_cores(struct profile *profile, uint32_t hooks)
{
    struct other_cores *cores = &profile->other_cores;
    uint32_t before = !cores->is_told ? hooks : hooks >= cores->heard ? cores->heard : 0;
    profile->changed |= !cores->is_told || hooks != before;
    cores->hooks += hooks - before;
    cores->heard = hooks;
    cores->is_told = true;
}

/* Reads a STATUS, which may show whether records are missing. */
static void hear_status(struct profile *profile, const struct event *event)
{
    if (!event->status.profiling)
        placement_break(&profile->placement);
    if (event->status.has_triggers)
        profile->changed |=
            kept_count_missed(&profile->kept, event->status.triggers_missed, profile->functions.sequence);
    if (event->status.has_cores)
        hear_other_cores(profile, event->status.other_core_hooks);
    if (event->status.losses_told)
        return;
    enum verdict verdict = witness_hear(&profile->witness, event);
    /* If nothing has arrived yet and the buffer is empty, overflows happened before this profile. */
    bool waits =
        profile->witness.gap_waits && (profile->moments.has_newest || event->status.buffer_usage_percent > 0);
    bool overflowed = moments_hear_overflows(&profile->moments, event->status.buffer_overflows, waits);
    profile->changed |= overflowed;
    if (overflowed || profile->moments.gap_waits)
        placement_break(&profile->placement);
    if (verdict == VERDICT_NONE)
        return;
    placement_judge(&profile->placement, verdict == VERDICT_COMPLETE);
    profile->changed = true;
}

/* Events about running calls. Their time counts, even if they never become complete calls. */
enum { TELL_CALLS = 1 << EVENT_ENTER | 1 << EVENT_OPEN | 1 << EVENT_STACK };

/* Applies events about stacks: begins and ends of calls, and what the target counts. Returns false for any
 * other event. */
static bool apply_live(struct profile *profile, const struct event *event)
{
    struct livestacks *stacks = &profile->livestacks;
    if (1u << event->kind & TELL_CALLS &&
        !(event->flags & EVENT_KEPT)) /* those of a window are counted elsewhere */
        trust_calls(profile);
    switch (event->kind) {
    case EVENT_ENTER:
        profile->calls_told += !(event->flags & EVENT_KEPT);
        livestacks_enter(stacks, event->context, function_of(profile, event), event->ticks);
        return true;
    case EVENT_EXIT:
        livestacks_exit(stacks, event->context, function_of(profile, event), event->ticks,
                        event->flags & EVENT_ENDS_INNER);
        return true;
    case EVENT_OPEN:
        livestacks_name(stacks, event->context, event->depth, function_of(profile, event), event->ticks);
        return true;
    case EVENT_STACK:
        if (event->stack.low + event->stack.unknown + event->stack.high == 0)
            contexts_empty(&profile->contexts, stacks, event->context);
        livestacks_reshape(stacks, event->context, event->stack.low, event->stack.unknown, event->stack.high,
                           event->ticks, event->flags & EVENT_ENDS_NOW);
        return true;
    case EVENT_SWITCH:
        livestacks_switch(stacks, event->context, event->flags & EVENT_INTERRUPT, event->flags & EVENT_WAITS,
                          event->ticks);
        return true;
    case EVENT_CONTEXT:
        contexts_learn(&profile->contexts, event, stacks, profile->counted.has_some);
        return true;
    case EVENT_NODE:
        trust_calls(profile);
        profile->bounds.is_tree = true;
        if (counted_add(&profile->counted, event))
            profile->calls_told += event->node->calls;
        return true;
    case EVENT_OUTSIDE:
        if (event->outside.is_flat)
            profile->estimate_due = true;
        else
            trust_calls(profile); /* first, since it discards the estimate */
        counted_add_outside(&profile->counted, event);
        profile->calls_told += event->outside.other_calls;
        return true;
    case EVENT_BELOW:
        trust_calls(profile);
        counted_add_below(&profile->counted, event);
        return true;
    case EVENT_EVICTED:
        trust_calls(profile);
        counted_add_evicted(&profile->counted, event);
        profile->calls_told += event->evicted.calls;
        return true;
    case EVENT_RECOUNT: counted_restart(&profile->counted); return true;
    default: return false;
    }
}

/* Ends the open window, since the next events do not belong to it. */
static void break_window(struct profile *profile)
{
    uint64_t newest_ticks;
    if (!kept_is_open(&profile->kept, &newest_ticks))
        return;
    kept_break(&profile->kept, profile->functions.sequence);
    livestacks_end_window(&profile->livestacks, newest_ticks);
}

static void apply_window(struct profile *profile, const struct event *event)
{
    bool is_slow = event->window.stage == WINDOW_TELLS && event->window.reason == WINDOW_SLOW;
    uint32_t function = is_slow ? functions_at(&profile->functions, event->window.address) : 0;
    uint64_t newest_ticks;
    if (event->window.stage == WINDOW_BEGINS) {
        break_window(profile);
        livestacks_abandon(&profile->livestacks);
        profile->livestacks.shows_only = true;
    }
    if (event->window.stage == WINDOW_ENDS && kept_is_open(&profile->kept, &newest_ticks))
        livestacks_end_window(&profile->livestacks,
                              event->ticks > newest_ticks ? event->ticks : newest_ticks);
    kept_hear(&profile->kept, event, function, profile->functions.sequence);
}

/* Applies an event inside a window. It only goes to the timeline, since the target counts the same calls
 * itself. Ignored when the window was dropped by clearing the profile. */
static void apply_kept(struct profile *profile, const struct event *event)
{
    uint64_t newest_ticks;
    if (!kept_is_open(&profile->kept, &newest_ticks))
        return;
    if (event->kind == EVENT_LOST) {
        moments_gap(&profile->moments, event->ticks, event->lost.to_ticks, event->lost.records);
        livestacks_lose_turn(&profile->livestacks, event->ticks);
        kept_pass(&profile->kept, event->lost.to_ticks, event->lost.records, profile->functions.sequence);
    } else if (apply_live(profile, event)) {
        kept_pass(&profile->kept, event->ticks, 0, profile->functions.sequence);
    }
}

/* Events are missing, and maybe also ends of what was running. */
static void lose_events(struct profile *profile, const struct event *event)
{
    witness_break(&profile->witness);
    placement_judge(&profile->placement, false);
    if (event->lost.records > 0 || !event->lost.stacks_told)
        placement_break(&profile->placement);
    if (!event->lost.stacks_told)
        break_window(profile);
    if (!event->lost.stacks_told)
        livestacks_abandon(&profile->livestacks);
    else if (event->ticks > 0)
        livestacks_lose_turn(&profile->livestacks, event->ticks);
    marks_abandon(&profile->marks);
}

/* Events about stacks, outside a window, while one is open: another dialect reports the same contexts without
 * counting them. Both cannot be followed at once. */
enum {
    TELL_STACKS = 1 << EVENT_ENTER | 1 << EVENT_EXIT | 1 << EVENT_OPEN | 1 << EVENT_STACK | 1 << EVENT_SWITCH
};

static void add_arc(struct profile *profile, const struct event *event)
{
    if (event->flags & EVENT_BY_ENTRY) {
        profile->calls_told += event->arc.calls;
        arcs_add_by_entry(&profile->arcs, &profile->functions, event->arc.from, event->arc.to,
                          event->arc.calls, event->arc.ticks);
        counted_ran(&profile->counted, event->context, event->arc.ticks);
    } else {
        arcs_add(&profile->arcs, &profile->functions, event->arc.from, event->arc.to, event->arc.calls,
                 event->flags & EVENT_INTERRUPT, !profile_arcs_are_doubles(profile));
        profile->arc_calls_told += event->arc.calls;
    }
    profile->estimate_due = true;
}

static void apply_rare(struct profile *profile, const struct event *event)
{
    struct functions *functions = &profile->functions;
    if (event->flags & EVENT_KEPT) {
        apply_kept(profile, event);
        profile->changed = true;
        return;
    }
    note_moment(profile, event);
    if (1u << event->kind & TELL_STACKS)
        break_window(profile);
    if (apply_live(profile, event)) {
        profile->changed = true;
        return;
    }
    switch (event->kind) {
    case EVENT_ARC: add_arc(profile, event); break;
    case EVENT_SAMPLE:
        samples_add(&profile->samples, functions, event->sample.address, event->sample.count,
                    event->sample.bytes);
        profile->samples.hz = event->sample.hz;
        profile->estimate_due = true;
        break;
    case EVENT_TEXT:
        contexts_hear(&profile->contexts, event);
        messages_add(&profile->messages, event, functions->sequence);
        break;
    case EVENT_MARK:
    case EVENT_PLAN:
    case EVENT_AVERAGE: marks_add(&profile->marks, event, functions->sequence, show_span, profile); break;
    case EVENT_STATUS: hear_status(profile, event); return;
    case EVENT_DESCRIPTION:
        measured_settings_hear(&profile->settings, event->description,
                               profile->functions.count > 0 || profile->placement.count > 0);
        break;
    case EVENT_CLOCK:
        if (event->clock.other_unit)
            profile_discard(profile, BY_TELLING);
        profile->ticks_per_second = event->clock.ticks_per_second;
        if (!event->clock.other_unit)
            return;
        break;
    case EVENT_ANSWER: /* it may be the answer to a start or a stop */
        if (event->answer.ack)
            placement_break(&profile->placement);
        return;
    case EVENT_LOST: lose_events(profile, event); break;
    case EVENT_WINDOW: apply_window(profile, event); break;
    case EVENT_RESET:
        break_window(profile);
        witness_restart(&profile->witness);
        placement_abandon(&profile->placement);
        livestacks_abandon(&profile->livestacks);
        marks_abandon(&profile->marks);
        break;
    default: return;
    }
    profile->changed = true;
}

/* Lists those of n finished calls that exceed the trigger. */
static void list_slow(struct profile *profile, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t duration = events[i].call.duration;
        if (duration <= profile->kept.watch.ticks)
            continue;
        uint32_t function = functions_at(&profile->functions, events[i].call.address);
        if (kept_is_watched(&profile->kept, &profile->functions, function, duration))
            kept_list(&profile->kept, function, events[i].ticks + duration, duration,
                      profile->functions.sequence);
    }
}

/* Adds the calls at the start of the n events; returns how many there are. */
static size_t apply_calls(struct profile *profile, const struct event *events, size_t n)
{
    uint64_t latest_end, out_of_order = profile->placement.out_of_order;
    size_t calls = placement_add(&profile->placement, events, n, &latest_end);
    if (profile->kept.watch.address)
        list_slow(profile, events, calls);
    witness_pass(&profile->witness, calls);
    profile->calls_told += calls;
    if (profile->placement.out_of_order != out_of_order) {
        witness_doubt(&profile->witness);
        bounds_break(&profile->bounds);
        moments_lose(&profile->moments, 0);
    }
    moments_pass(&profile->moments, latest_end);
    profile->changed = true;
    return calls;
}

void profile_apply(struct profile *profile, const struct event *events, size_t n)
{
    bounds_begin(&profile->bounds, events, n);
    for (size_t i = 0; i < n;) {
        if (events[i].kind != EVENT_CALL) {
            apply_rare(profile, &events[i++]);
            continue;
        }
        trust_calls(profile);
        moments_pass(&profile->moments, events[i].ticks + events[i].call.duration); /* ends an open gap */
        i += apply_calls(profile, events + i, n - i);
    }
    placement_end_batch(&profile->placement);
}

void profile_tick(struct profile *profile, uint64_t now_ms)
{
    struct placement *placement = &profile->placement;
    if (placement->count == 0) {
        profile->waiting = false;
        return;
    }
    if (!profile->waiting)
        profile->waiting_since_ms = now_ms;
    if (!profile->waiting || placement->count != profile->waited)
        profile->grew_ms = now_ms;
    profile->waiting = true;
    profile->waited = placement->count;
    if (now_ms - profile->grew_ms >= PATIENCE_MS) { /* whatever runs, nothing more is reported */
        profile_finish(profile);
        return;
    }
    uint64_t patience_ms = profile->tree.count <= 1 ? FIRST_PATIENCE_MS : PATIENCE_MS;
    if (placement_settle(placement, now_ms - profile->waiting_since_ms >= patience_ms)) {
        profile->changed = true;
        profile->waiting_since_ms = now_ms;
        profile->waited = placement->count;
        profile->waiting = placement->count > 0;
    }
}

void profile_finish(struct profile *profile)
{
    if (profile->placement.count > 0)
        profile->changed = true;
    placement_flush(&profile->placement);
    profile->waiting = false;
}

void profile_set_symbols(struct profile *profile, struct symtab *symtab)
{
    placement_flush(&profile->placement);
    functions_rename(&profile->functions, symtab ? symtab_ref(symtab) : NULL);
    bounds_rename(&profile->bounds, &profile->functions);
    profile->changed = true;
}

void profile_watch(struct profile *profile, uint64_t address, uint64_t ticks)
{
    profile->kept.watch = (struct kept_watch){address & ~UINT64_C(1), ticks};
}

bool profile_changed(const struct profile *profile)
{
    return profile->changed || profile->placement.count > 0;
}

/* ---- limits ---- */

bool profile_add_bound(struct profile *profile, const struct bound *bound, uint32_t *id, struct error *err)
{
    if (!bounds_add(&profile->bounds, bound, &profile->functions, id, err))
        return false;
    profile->changed = true;
    return true;
}

void profile_keep_bound(struct profile *profile, uint32_t id)
{
    bounds_keep(&profile->bounds, id);
}

bool profile_remove_bound(struct profile *profile, uint32_t id)
{
    bool was_there = bounds_remove(&profile->bounds, id, &profile->functions);
    profile->changed |= was_there;
    return was_there;
}

void profile_set_clock(struct profile *profile, uint64_t hz)
{
    bounds_set_clock(&profile->bounds, hz);
}

static const struct snapshot_bound *bound_of(const struct profile *profile, uint32_t id)
{
    for (uint32_t i = 0; i < profile->bounds.count; i++)
        if (profile->bounds.rows[i].told.id == id)
            return &profile->bounds.rows[i].told;
    return NULL;
}

bool profile_breached(struct profile *profile, struct snapshot_breach *worst, char *limit, size_t size)
{
    if (!breaches_news(&profile->bounds.breaches, worst))
        return false;
    const struct snapshot_bound *told = bound_of(profile, worst->bound);
    *limit = '\0';
    if (told)
        bound_write(&told->bound, limit, size);
    return true;
}

uint64_t profile_calls_of(const struct profile *profile, const char *name, uint32_t *row)
{
    const struct functions *functions = &profile->functions;
    if (*row < functions->count && bounds_name_means(name, &functions->rows[*row]))
        return functions->rows[*row].calls;
    for (uint32_t id = 0; id < functions->count; id++)
        if (bounds_name_means(name, &functions->rows[id])) {
            *row = id;
            return functions->rows[id].calls;
        }
    return 0;
}

const char *profile_bound_doubt(const struct profile *profile, uint32_t id)
{
    const struct snapshot_bound *told = bound_of(profile, id);
    return told && told->is_missing ? told->detail : "";
}
