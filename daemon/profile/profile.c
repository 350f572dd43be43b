/* profile.c - what everything the target said adds up to. */
#include "profile/profile.h"

#include "base/clock.h"
#include "profile/snapshot_private.h"
#include "profile/stacks.h"
#include "symbol/symtab.h"

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
    stacks_fini(&profile->stacks);
    timeline_fini(&profile->timeline);
    calltree_fini(&profile->tree);
    functions_fini(&profile->functions);
    free(profile);
}

void profile_apply(struct profile *profile, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct event *event = &events[i];
        switch (event->kind) {
        case EVENT_CALL:
            stacks_add(&profile->stacks, event->call.address, event->ticks, event->call.duration,
                       event->depth);
            profile->changed = true;
            break;
        case EVENT_RESET:
            stacks_abandon(&profile->stacks);
            profile->changed = true;
            break;
        default: break;
        }
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
    calltree_forget_addresses(&profile->tree);
    profile->changed = true;
}

void profile_clear(struct profile *profile)
{
    stacks_clear(&profile->stacks);
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
    if (out)
        memcpy(out, rows, n * size);
    return out;
}

/* CALL events of today's dialects come from one stack. */
static const struct snapshot_context only_context = {.name = "main", .kind = "unknown", .changed = 1};

struct snapshot *profile_freeze(struct profile *profile, const struct snapshot_source *source,
                                const struct snapshot_target *target, const struct snapshot_link *link)
{
    struct snapshot_private *private = calloc(1, sizeof *private);
    if (!private)
        return NULL;
    const struct functions *functions = &profile->functions;
    functions_refresh_percentiles(&profile->functions, profile->sequence);
    atomic_init(&private->references, 1);
    struct snapshot *snapshot = &private->snapshot;
    *snapshot = (struct snapshot){
        .private = private,
        .source = *source,
        .target = *target,
        .link = *link,
        .sequence = profile->sequence + 1,
        .cleared_at = profile->cleared_at,
        .captured_at_wall_ns = clock_wall_ns(),
        .functions = private->functions = copy(functions->rows, functions->count, sizeof *functions->rows),
        .function_count = functions->count,
        .nodes = private->nodes = copy(profile->tree.nodes, profile->tree.count, sizeof *profile->tree.nodes),
        .node_count = profile->tree.count,
        .contexts = private->contexts = copy(&only_context, 1, sizeof only_context),
        .context_count = 1,
        .timeline = private->timeline = timeline_freeze(&profile->timeline),
    };
    private->symtab = functions->symtab ? symtab_ref(functions->symtab) : NULL;
    private->names = names_ref(functions->names);
    snapshot->link.unplaced_calls = profile->stacks.unplaced;
    snapshot->link.over_limit = profile->stacks.over_limit + profile->tree.over_limit + functions->over_limit;
    if (!private->functions || !private->nodes || !private->contexts || !private->timeline) {
        snapshot_unref(snapshot);
        return NULL;
    }
    profile->sequence++;
    profile->functions.sequence = profile->sequence + 1;
    profile->changed = false;
    return snapshot;
}

static void add_bucket(void *user, uint64_t low, uint64_t high, uint64_t count)
{
    struct snapshot_histogram *out = user;
    out->buckets[out->n++] = (struct snapshot_bucket){low, high, count};
}

bool profile_histogram(const struct profile *profile, uint32_t function, struct snapshot_histogram *out)
{
    if (function >= profile->functions.count)
        return false;
    *out = (struct snapshot_histogram){.buckets =
                                           malloc(sizeof *out->buckets * HISTOGRAM_OCTAVES * HISTOGRAM_FINE)};
    if (!out->buckets)
        return false;
    histogram_walk(&profile->functions.histograms[function], add_bucket, out);
    return true;
}
