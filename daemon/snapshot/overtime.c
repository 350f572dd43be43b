/* overtime.c - how one function did over time. */
#include "snapshot/overtime.h"

#include "base/scarcity.h"
#include "snapshot/start.h"
#include "snapshot/timeline.h"

#include <stdlib.h>

/* One call, with what is measured up to its start. */
struct begun {
    uint64_t start_ticks, duration_ticks, period_ticks;
    uint16_t context, depth;
    bool has_period;
};

struct walk {
    const struct overtime_stretch *stretch;
    bool may_recur;
    struct begun *rows; /* NULL: they are only counted */
    size_t n;
    uint64_t epoch;                           /* breaks so far */
    struct start last[SNAPSHOT_CONTEXTS_MAX]; /* a run is 1 more than the breaks before it */
};

static bool is_break(const struct timeline_call *call)
{
    uint32_t tie = call->place & TIMELINE_TIES;
    return tie == TIMELINE_CUT || (tie == TIMELINE_VERDICT && call->function == TIMELINE_BREAKS);
}

static bool is_wanted(const struct walk *walk, const struct timeline_call *call)
{
    uint32_t tie = call->place & TIMELINE_TIES;
    return call->function == walk->stretch->function && tie != TIMELINE_VERDICT && tie != TIMELINE_AWAY &&
           call->start_ticks >= walk->stretch->from_ticks && call->start_ticks <= walk->stretch->to_ticks;
}

static void take(struct walk *walk, const struct timeline_call *call)
{
    if (is_break(call)) {
        walk->epoch++;
        return;
    }
    if (!is_wanted(walk, call))
        return;
    if (walk->rows) {
        struct begun *row = &walk->rows[walk->n];
        struct start *last = &walk->last[call->context % SNAPSHOT_CONTEXTS_MAX];
        uint64_t since;
        *row = (struct begun){.start_ticks = call->start_ticks,
                              .duration_ticks = call->duration_ticks,
                              .context = call->context,
                              .depth = timeline_depth(call)};
        row->has_period = start_follows(last, walk->epoch + 1, call->start_ticks, &since) && !walk->may_recur;
        row->period_ticks = row->has_period ? since : 0;
    }
    walk->n++;
}

static void walk_timeline(struct walk *walk, const struct snapshot_timeline *timeline)
{
    for (uint32_t v = 0; timeline && v < timeline->count; v++)
        for (uint32_t i = 0; i < timeline->views[v].count; i++)
            take(walk, &timeline->views[v].calls[i]);
}

uint64_t overtime_step(uint64_t from_ticks, uint64_t to_ticks, uint32_t columns)
{
    return (to_ticks - from_ticks) / columns + 1;
}

static int by_start(const void *left, const void *right)
{
    const struct begun *a = left, *b = right;
    return a->start_ticks < b->start_ticks ? -1 : a->start_ticks > b->start_ticks;
}

static int by_duration(const void *left, const void *right)
{
    const struct begun *a = left, *b = right;
    if (a->duration_ticks != b->duration_ticks)
        return a->duration_ticks < b->duration_ticks ? -1 : 1;
    return -by_start(left, right); /* of equals the first is the last, where the longest is looked for */
}

/* Those of one column, in any order. */
static struct overtime_column column_of(struct begun *rows, size_t n, uint32_t column)
{
    qsort(rows, n, sizeof *rows, by_duration);
    const struct begun *longest = &rows[n - 1];
    struct overtime_column out = {.column = column,
                                  .calls = n,
                                  .min_ticks = rows[0].duration_ticks,
                                  .p50_ticks = rows[(n * 50 + 99) / 100 - 1].duration_ticks,
                                  .p99_ticks = rows[(n * 99 + 99) / 100 - 1].duration_ticks,
                                  .max_ticks = longest->duration_ticks,
                                  .start_ticks = longest->start_ticks,
                                  .context = longest->context,
                                  .depth = longest->depth};
    for (size_t i = 0; i < n; i++) {
        out.periods += rows[i].has_period;
        out.period_ticks += rows[i].period_ticks;
    }
    return out;
}

static size_t cut(struct begun *rows, size_t n, const struct overtime_stretch *stretch,
                  struct overtime_column *columns)
{
    size_t count = 0;
    qsort(rows, n, sizeof *rows, by_start);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t column = (rows[i].start_ticks - stretch->from_ticks) / stretch->step_ticks;
        for (end = i + 1;
             end < n && (rows[end].start_ticks - stretch->from_ticks) / stretch->step_ticks == column;)
            end++;
        columns[count++] = column_of(&rows[i], end - i, (uint32_t)column);
    }
    return count;
}

struct overtime_column *snapshot_over_time(const struct snapshot *snapshot,
                                           const struct overtime_stretch *stretch, size_t *n)
{
    *n = 0;
    struct overtime_column *columns = NULL;
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return NULL;
    walk->stretch = stretch;
    walk->may_recur = snapshot->functions[stretch->function].may_recur;
    walk_timeline(walk, snapshot->timeline);
    size_t count = walk->n;
    uint64_t most = (stretch->to_ticks - stretch->from_ticks) / stretch->step_ticks + 1;
    walk->rows = malloc((count + 1) * sizeof *walk->rows);
    columns = malloc(((most > 0 && most < count ? most : count) + 1) * sizeof *columns);
    walk->n = walk->epoch = 0;
    if (walk->rows && columns) {
        walk_timeline(walk, snapshot->timeline);
        *n = cut(walk->rows, count, stretch, columns);
    } else {
        free(columns);
        columns = NULL;
    }
    free(walk->rows);
    free(walk);
    return columns;
}
