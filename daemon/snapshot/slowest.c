/* slowest.c - finds the slowest calls of all functions on the timeline. */
#include "snapshot/slowest.h"

#include "base/scarcity.h"

#include <stdlib.h>

enum {
    CALLS_LEAST = 10,       /* of a function: with fewer, the usual time is unknown */
    CALLS_FOR_P99 = 100,    /* with fewer the p99 is the longest call */
    CANDIDATES_MOST = 1024, /* functions that are checked for nested calls */
};

/* A slow call takes more than this many tenths of the usual time. */
enum { OVER_TENTHS = 12 };

struct search {
    const struct snapshot *snapshot;
    uint64_t from_ticks, to_ticks;
    struct slow_call *longest; /* by function; later the n slow calls, the slowest first */
    size_t n;
    bool *nested; /* for each of these: it lies inside another slow call */
};

static struct slow_call call_of(const struct snapshot_span *span)
{
    return (struct slow_call){.start_ticks = span->start_ticks,
                              .duration_ticks = span->duration_ticks,
                              .function = span->function,
                              .context = (uint16_t)span->context,
                              .depth = span->depth};
}

static void look_at(void *user, const struct snapshot_span *span)
{
    struct search *search = user;
    if (span->function >= search->snapshot->function_count || span->is_cut ||
        span->start_ticks < search->from_ticks || span->start_ticks > search->to_ticks)
        return;
    struct slow_call *longest = &search->longest[span->function];
    if (span->duration_ticks > longest->duration_ticks)
        *longest = call_of(span);
}

static uint64_t ticks_over_usual(const struct slow_call *call)
{
    return call->duration_ticks - call->usual_ticks;
}

/* Fills in the usual time. Returns true if the call took longer. */
static bool is_slow(const struct snapshot_function *function, struct slow_call *call)
{
    if (function->kind != KIND_FUNCTION || !(function->known & FUNCTION_EACH) ||
        function->calls < CALLS_LEAST)
        return false;
    call->has_p99 = function->calls >= CALLS_FOR_P99;
    call->usual_ticks = call->has_p99 ? function->p99_ticks : 2 * function->p50_ticks;
    uint64_t most = call->has_p99
                        ? call->usual_ticks / 10 * OVER_TENTHS + call->usual_ticks % 10 * OVER_TENTHS / 10
                        : call->usual_ticks;
    return call->duration_ticks > most;
}

static int slowest_first(const void *left, const void *right)
{
    const struct slow_call *a = left, *b = right;
    if (ticks_over_usual(a) != ticks_over_usual(b))
        return ticks_over_usual(a) > ticks_over_usual(b) ? -1 : 1;
    return a->function < b->function ? -1 : a->function > b->function;
}

static bool is_inside(const struct slow_call *inner, const struct slow_call *outer)
{
    return inner->context == outer->context && inner->depth > outer->depth &&
           inner->start_ticks >= outer->start_ticks &&
           inner->start_ticks + inner->duration_ticks <= outer->start_ticks + outer->duration_ticks;
}

/* Marks the calls of the list that lie inside this call, if it is slow. Here, all slow calls of a function
 * count, not only its slowest. */
static void look_around(void *user, const struct snapshot_span *span)
{
    struct search *search = user;
    if (span->function >= search->snapshot->function_count)
        return;
    struct slow_call outer = call_of(span);
    if (!is_slow(&search->snapshot->functions[span->function], &outer))
        return;
    for (size_t i = 0; i < search->n; i++)
        search->nested[i] |= is_inside(&search->longest[i], &outer);
}

/* Copies the calls that lie inside no other slow call to `out`. Returns how many were written, at most
 * `max`. */
static size_t copy_outer(const struct search *search, struct slow_call *out, size_t max)
{
    size_t kept = 0;
    for (size_t i = 0; i < search->n && kept < max; i++)
        if (!search->nested[i])
            out[kept++] = search->longest[i];
    return kept;
}

bool slowest_find(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                  struct slow_call *calls, size_t max, size_t *n)
{
    struct slow_call *longest = calloc(snapshot->function_count + 1, sizeof *longest);
    bool nested[CANDIDATES_MOST] = {false};
    struct search search = {.snapshot = snapshot,
                            .from_ticks = from_ticks,
                            .to_ticks = to_ticks,
                            .longest = longest,
                            .nested = nested};
    *n = 0;
    if (!scarcity_note(longest))
        return false;
    snapshot_timeline_each(snapshot, look_at, &search);
    size_t found = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (longest[i].duration_ticks > 0 && is_slow(&snapshot->functions[i], &longest[i]))
            longest[found++] = longest[i];
    qsort(longest, found, sizeof *longest, slowest_first);
    search.n = found < CANDIDATES_MOST ? found : CANDIDATES_MOST;
    if (search.n > 0)
        snapshot_timeline_each(snapshot, look_around, &search);
    *n = copy_outer(&search, calls, max);
    free(longest);
    return true;
}
