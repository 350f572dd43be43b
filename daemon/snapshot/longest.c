/* longest.c - calls worth a look, found among those of the timeline. */
#include "snapshot/longest.h"

#include <string.h>

struct search {
    uint32_t function;
    const struct snapshot_histogram *histogram;
    struct snapshot_span *longest, *examples;
    size_t n, max;
};

static void keep_longest(struct search *search, const struct snapshot_span *span)
{
    size_t at = search->n;
    while (at > 0 && search->longest[at - 1].duration_ticks < span->duration_ticks)
        at--;
    if (at >= search->max)
        return;
    if (search->n < search->max)
        search->n++;
    memmove(&search->longest[at + 1], &search->longest[at], (search->n - 1 - at) * sizeof search->longest[0]);
    search->longest[at] = *span;
}

static void keep_example(struct search *search, const struct snapshot_span *span)
{
    size_t low = 0, high = search->histogram->n;
    while (low < high) { /* the first bucket that does not end before */
        size_t middle = (low + high) / 2;
        if (search->histogram->buckets[middle].high_ticks < span->duration_ticks)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < search->histogram->n && search->histogram->buckets[low].low_ticks <= span->duration_ticks)
        search->examples[low] = *span;
}

static void look_at(void *user, const struct snapshot_span *span)
{
    struct search *search = user;
    if (span->function != search->function)
        return;
    keep_example(search, span);
    if (search->n < search->max || span->duration_ticks > search->longest[search->n - 1].duration_ticks)
        keep_longest(search, span);
}

size_t snapshot_longest(const struct snapshot *snapshot, uint32_t function,
                        const struct snapshot_histogram *histogram, struct snapshot_span *longest, size_t max,
                        struct snapshot_span *examples)
{
    struct search search = {
        .function = function, .histogram = histogram, .longest = longest, .examples = examples, .max = max};
    for (size_t i = 0; i < histogram->n; i++)
        examples[i] = (struct snapshot_span){.calls = 0};
    if (max > 0)
        snapshot_timeline_each(snapshot, look_at, &search);
    return search.n;
}
