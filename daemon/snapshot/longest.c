/* longest.c - finds the longest calls and examples, among the timeline's calls and the outliers. */
#include "snapshot/longest.h"

#include "snapshot/snapshot_private.h"
#include "snapshot/outliers.h"

#include <string.h>

struct search {
    uint32_t function;
    const struct snapshot_histogram *histogram;
    struct longest_call *longest, *examples;
    size_t n, max;
};

static void keep_longest(struct search *search, const struct longest_call *call)
{
    size_t at = search->n;
    while (at > 0 && search->longest[at - 1].duration_ticks < call->duration_ticks)
        at--;
    if (at >= search->max)
        return;
    if (search->n < search->max)
        search->n++;
    memmove(&search->longest[at + 1], &search->longest[at], (search->n - 1 - at) * sizeof search->longest[0]);
    search->longest[at] = *call;
}

/* Returns the example of the bucket that contains the duration; NULL when none does. */
static struct longest_call *example_for(const struct search *search, uint64_t duration_ticks)
{
    size_t low = 0, high = search->histogram->n;
    while (low < high) { /* the first bucket whose end is not below */
        size_t middle = (low + high) / 2;
        if (search->histogram->buckets[middle].high_ticks < duration_ticks)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_in = low < search->histogram->n && search->histogram->buckets[low].low_ticks <= duration_ticks;
    return is_in ? &search->examples[low] : NULL;
}

static void look_at(void *user, const struct snapshot_span *span)
{
    struct search *search = user;
    if (span->function != search->function || span->is_cut)
        return;
    const struct longest_call call = {.start_ticks = span->start_ticks,
                                      .duration_ticks = span->duration_ticks,
                                      .context = (uint16_t)span->context,
                                      .depth = span->depth,
                                      .is_there = true,
                                      .is_held = true};
    struct longest_call *example = example_for(search, call.duration_ticks);
    if (example)
        *example = call;
    if (search->n < search->max || call.duration_ticks > search->longest[search->n - 1].duration_ticks)
        keep_longest(search, &call);
}

static struct longest_call call_of(const struct outlier *outlier)
{
    return (struct longest_call){.start_ticks = outlier->start_ticks,
                                 .duration_ticks = outlier->duration_ticks,
                                 .caller = outlier->caller,
                                 .context = outlier->context,
                                 .depth = outlier->depth,
                                 .has_caller = outlier->caller != OUTLIER_NO_CALLER,
                                 .is_there = true};
}

static bool is_same(const struct longest_call *a, const struct longest_call *b)
{
    return a->start_ticks == b->start_ticks && a->duration_ticks == b->duration_ticks &&
           a->context == b->context && a->depth == b->depth;
}

/* Adds an outlier. If the same call was found on the timeline, only its caller is added. */
static void add_kept(struct search *search, const struct longest_call *kept)
{
    for (size_t i = 0; i < search->n; i++) {
        if (!is_same(&search->longest[i], kept))
            continue;
        search->longest[i].caller = kept->caller;
        search->longest[i].has_caller = kept->has_caller;
        return;
    }
    keep_longest(search, kept);
}

static void add_outliers(struct search *search, const struct outliers *outliers)
{
    for (uint32_t i = 0; i < outliers->longest_count; i++) {
        const struct longest_call kept = call_of(&outliers->longest[i]);
        add_kept(search, &kept);
    }
    for (uint32_t i = 0; i < outliers->first_count; i++) {
        struct longest_call *example = example_for(search, outliers->firsts[i].duration_ticks);
        if (example && !example->is_there)
            *example = call_of(&outliers->firsts[i]);
    }
}

static const struct outliers *outliers_of(const struct snapshot *snapshot, uint32_t function)
{
    const struct snapshot_holdings *holdings = snapshot->holdings;
    while (holdings->base && !holdings->outliers)
        holdings = holdings->base->holdings;
    return holdings->outliers && !snapshot->range.is_set ? holdings->outliers[function] : NULL;
}

size_t snapshot_longest(const struct snapshot *snapshot, uint32_t function,
                        const struct snapshot_histogram *histogram, struct longest_call *longest, size_t max,
                        struct longest_call *examples)
{
    struct search search = {
        .function = function, .histogram = histogram, .longest = longest, .examples = examples, .max = max};
    for (size_t i = 0; i < histogram->n; i++)
        examples[i] = (struct longest_call){.is_there = false};
    if (max == 0)
        return 0;
    snapshot_timeline_each(snapshot, look_at, &search);
    const struct outliers *outliers = outliers_of(snapshot, function);
    if (outliers)
        add_outliers(&search, outliers);
    return search.n;
}
