/* heldperiods.c - counts periods in buckets and finds an example for each bucket. */
#include "snapshot/heldperiods.h"

#include "snapshot/begun.h"
#include "snapshot/histogram.h"
#include "snapshot/period.h"

#include <stdlib.h>

/* Enough blocks for every octave, so no bucket is coarse. */
static const struct histogram_budget all_blocks = {HISTOGRAM_OCTAVES};

struct counting {
    struct histogram histogram;
    struct histogram_budget budget;
    struct period period;
};

static void count_held_period(void *user, const struct timeline_call *call,
                              const struct timeline_call *before)
{
    struct counting *counting = user;
    uint64_t since = before ? call->start_ticks - before->start_ticks : UINT64_MAX;
    if (since > PERIOD_MOST_TICKS)
        return;
    period_add(&counting->period, since);
    histogram_add(&counting->histogram, &counting->budget, since);
}

static void add_bucket(void *user, uint64_t low, uint64_t high, uint64_t n)
{
    struct snapshot_histogram *out = user;
    out->buckets[out->n++] = (struct snapshot_bucket){low, high, n};
}

static void keep_example(void *user, const struct timeline_call *call, const struct timeline_call *before)
{
    struct heldperiods *out = user;
    uint64_t since = before ? call->start_ticks - before->start_ticks : UINT64_MAX;
    if (since > PERIOD_MOST_TICKS)
        return;
    size_t low = 0, high = out->histogram.n;
    while (low < high) { /* the first bucket whose end is not below */
        size_t middle = (low + high) / 2;
        if (out->histogram.buckets[middle].high_ticks < since)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < out->histogram.n)
        out->examples[low] = (struct heldperiod){.start_ticks = before->start_ticks,
                                                 .duration_ticks = before->duration_ticks,
                                                 .period_ticks = since,
                                                 .context = before->context,
                                                 .depth = timeline_depth(before)};
}

static void write_held_periods(struct heldperiods *out, const struct counting *counting)
{
    static const double shares[] = {0.50, 0.90, 0.99};
    struct snapshot_function row = {0};
    uint64_t values[3];
    period_tell(&counting->period, &row);
    out->n = row.periods;
    if (out->n == 0)
        return;
    out->min_ticks = row.period_min_ticks;
    out->max_ticks = row.period_max_ticks;
    out->mean_ticks = row.period_mean_ticks;
    out->jitter_ticks = row.period_jitter_ticks;
    histogram_percentiles(&counting->histogram, out->n, out->min_ticks, out->max_ticks, shares, values, 3);
    out->p50_ticks = values[0];
    out->p90_ticks = values[1];
    out->p99_ticks = values[2];
    histogram_walk(&counting->histogram, add_bucket, &out->histogram);
}

bool heldperiods_find(const struct snapshot *snapshot, uint32_t function, uint64_t from_ticks,
                      uint64_t to_ticks, struct heldperiods *out)
{
    const size_t most = (size_t)HISTOGRAM_OCTAVES * HISTOGRAM_FINE;
    struct counting counting = {.budget = all_blocks};
    *out = (struct heldperiods){.histogram.buckets = malloc(most * sizeof *out->histogram.buckets),
                                .examples = malloc(most * sizeof *out->examples)};
    bool is_found = out->histogram.buckets && out->examples &&
                    begun_walk(snapshot, function, from_ticks, to_ticks, count_held_period, &counting);
    if (is_found) {
        write_held_periods(out, &counting);
        is_found = begun_walk(snapshot, function, from_ticks, to_ticks, keep_example, out);
    }
    histogram_fini(&counting.histogram, &counting.budget);
    if (!is_found)
        heldperiods_fini(out);
    return is_found;
}

void heldperiods_fini(struct heldperiods *periods)
{
    free(periods->histogram.buckets);
    free(periods->examples);
}
