/* timeline.c - finds the calls that overlap a window, merged to what a screen can show.
 *
 * A window of a million calls on a screen of a thousand columns is mostly calls narrower than a column. So
 * each lane (context and depth) of the window is divided into columns. Calls at least as long as a column are
 * reported one by one; shorter ones are merged with all others that start in their column. The column width
 * follows from the requested maximum of rows. Stretches in which a context did not run are reported in the
 * same way, with a lane for each kind. */
#include "snapshot/timeline.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

enum { LANES_MAX = 1024 };

static uint64_t end_of(const struct timeline_call *call)
{
    return call->start_ticks + call->duration_ticks;
}

bool snapshot_timeline_range(const struct snapshot *snapshot, uint64_t *from_ticks, uint64_t *to_ticks)
{
    const struct snapshot_timeline *timeline = snapshot->timeline;
    *from_ticks = UINT64_MAX;
    *to_ticks = 0;
    if (!timeline || timeline->count == 0)
        return false;
    for (uint32_t i = 0; i < timeline->count; i++) {
        if (timeline->views[i].from_ticks < *from_ticks)
            *from_ticks = timeline->views[i].from_ticks;
        if (timeline->views[i].to_ticks > *to_ticks)
            *to_ticks = timeline->views[i].to_ticks;
    }
    return true;
}

/* The window, and how it is divided. */
struct window {
    uint64_t from, to;
    uint64_t column_ticks; /* 0: every call is a row of its own */
    uint32_t columns;
    bool of_away;              /* finds stretches in which contexts did not run, instead of calls */
    uint32_t lanes[LANES_MAX]; /* context << 16 | kind << 12 | depth, ascending; calls are of kind 0 */
    uint32_t lane_count;
    struct merged {
        uint64_t start, end, busy, longest;
        uint32_t function, calls;
        bool is_cut;
    } * cells; /* lane_count x columns */
};

enum { KIND_SHIFT = 12, DEPTH_MASK = (1 << KIND_SHIFT) - 1 };

static bool is_away(const struct timeline_call *call)
{
    return (call->place & TIMELINE_TIES) == TIMELINE_AWAY;
}

static bool is_told_away(const struct timeline_call *call)
{
    return is_away(call) && call->function != AWAY_UNKNOWN;
}

static uint32_t lane_of(const struct timeline_call *call)
{
    uint32_t kind = is_away(call) ? call->function : 0;
    return (uint32_t)call->context << 16 | kind << KIND_SHIFT | timeline_depth(call);
}

/* Returns the index of the lane, or where to insert it. */
static uint32_t lane_index(const struct window *window, uint32_t lane)
{
    uint32_t low = 0, high = window->lane_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (window->lanes[middle] < lane)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool lane_known(const struct window *window, uint32_t index, uint32_t lane)
{
    return index < window->lane_count && window->lanes[index] == lane;
}

static void learn_lane(struct window *window, uint32_t lane)
{
    uint32_t at = lane_index(window, lane);
    if (lane_known(window, at, lane) || window->lane_count == LANES_MAX)
        return;
    memmove(&window->lanes[at + 1], &window->lanes[at], (window->lane_count - at) * sizeof window->lanes[0]);
    window->lanes[at] = lane;
    window->lane_count++;
}

static bool is_call(const struct timeline_call *call)
{
    uint32_t tie = call->place & TIMELINE_TIES;
    return tie != TIMELINE_CUT && tie != TIMELINE_VERDICT && tie != TIMELINE_AWAY;
}

typedef void (*call_fn)(void *user, const struct timeline_call *call);

/* Calls `each` for the window's calls, or for its stretches in which a context did not run. */
static void each_in(const struct snapshot_timeline *timeline, const struct window *window, call_fn each,
                    void *user)
{
    bool (*is_wanted)(const struct timeline_call *) = window->of_away ? is_told_away : is_call;
    uint64_t from = window->from, to = window->to;
    for (uint32_t v = 0; v < timeline->count; v++) {
        const struct timeline_view *view = &timeline->views[v];
        if (view->to_ticks < from || view->from_ticks > to)
            continue;
        for (uint32_t i = 0; i < view->count; i++)
            if (view->calls[i].start_ticks <= to && end_of(&view->calls[i]) >= from &&
                is_wanted(&view->calls[i]))
                each(user, &view->calls[i]);
    }
}

static struct snapshot_span span_of(const struct timeline_call *call)
{
    return (struct snapshot_span){.start_ticks = call->start_ticks,
                                  .duration_ticks = call->duration_ticks,
                                  .busy_ticks = call->duration_ticks,
                                  .longest_ticks = call->duration_ticks,
                                  .function = call->function,
                                  .context = call->context,
                                  .calls = 1,
                                  .depth = timeline_depth(call),
                                  .is_cut = timeline_is_at_edge(call)};
}

/* Cuts the span to the range. Returns false when nothing is left. */
static bool cut_to(const struct snapshot_range *range, struct snapshot_span *span)
{
    uint64_t start = span->start_ticks, end = start + span->duration_ticks;
    if (!range->is_set)
        return true;
    if (start < range->held_from_ticks)
        start = range->held_from_ticks;
    if (end > range->to_ticks)
        end = range->to_ticks;
    if (end < start || (end == start && span->duration_ticks > 0))
        return false;
    span->start_ticks = start;
    span->duration_ticks = span->busy_ticks = span->longest_ticks = end - start;
    return true;
}

void snapshot_timeline_each(const struct snapshot *snapshot, snapshot_span_fn each, void *user)
{
    const struct snapshot_timeline *timeline = snapshot->timeline;
    for (uint32_t v = 0; timeline && v < timeline->count; v++) {
        const struct timeline_view *view = &timeline->views[v];
        for (uint32_t i = 0; i < view->count; i++) {
            struct snapshot_span span = span_of(&view->calls[i]);
            if (is_call(&view->calls[i]) && cut_to(&snapshot->range, &span))
                each(user, &span);
        }
    }
}

struct survey {
    struct window *window;
    size_t calls;
};

static void survey_call(void *user, const struct timeline_call *call)
{
    struct survey *survey = user;
    survey->calls++;
    learn_lane(survey->window, lane_of(call));
}

struct filling {
    struct window *window;
    struct snapshot_span *spans;
    size_t n, max;
};

static void add_span(struct filling *filling, struct snapshot_span span)
{
    if (filling->n < filling->max)
        filling->spans[filling->n++] = span;
}

static void merge_call(struct window *window, uint32_t lane, const struct timeline_call *call)
{
    uint64_t start = call->start_ticks < window->from ? window->from : call->start_ticks;
    uint64_t column = (start - window->from) / window->column_ticks;
    if (column >= window->columns)
        column = window->columns - 1;
    struct merged *cell = &window->cells[(size_t)lane * window->columns + column];
    if (cell->calls == 0 || call->start_ticks < cell->start)
        cell->start = call->start_ticks;
    if (end_of(call) > cell->end)
        cell->end = end_of(call);
    if (cell->calls == 0 || call->duration_ticks > cell->longest) {
        cell->longest = call->duration_ticks;
        cell->function = call->function;
        cell->is_cut = timeline_is_at_edge(call);
    }
    cell->busy += call->duration_ticks;
    cell->calls++;
}

static void fill_call(void *user, const struct timeline_call *call)
{
    struct filling *filling = user;
    struct window *window = filling->window;
    uint32_t lane = lane_index(window, lane_of(call));
    if (!lane_known(window, lane, lane_of(call)))
        return;
    if (window->column_ticks > 0 && call->duration_ticks < window->column_ticks) {
        merge_call(window, lane, call);
        return;
    }
    add_span(filling, span_of(call));
}

static struct snapshot_span merged_span(const struct merged *cell, uint32_t lane)
{
    uint64_t duration = cell->end - cell->start;
    /* Calls of one depth do not overlap in what a target reports, but may after damage. */
    return (struct snapshot_span){.start_ticks = cell->start,
                                  .duration_ticks = duration,
                                  .busy_ticks = cell->busy < duration ? cell->busy : duration,
                                  .longest_ticks = cell->longest,
                                  .function = cell->function,
                                  .context = lane >> 16,
                                  .calls = cell->calls,
                                  .depth = lane & DEPTH_MASK,
                                  .is_cut = cell->is_cut};
}

static void add_merged(struct filling *filling)
{
    struct window *window = filling->window;
    for (uint32_t lane = 0; lane < window->lane_count; lane++) {
        for (uint32_t column = 0; column < window->columns; column++) {
            const struct merged *cell = &window->cells[(size_t)lane * window->columns + column];
            if (cell->calls > 0)
                add_span(filling, merged_span(cell, window->lanes[lane]));
        }
    }
}

static int by_lane_and_start(const void *left, const void *right)
{
    const struct snapshot_span *a = left, *b = right;
    if (a->context != b->context)
        return a->context < b->context ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->start_ticks < b->start_ticks ? -1 : a->start_ticks > b->start_ticks;
}

/* `window` has the time range and what to find. */
static size_t tell_window(const struct snapshot *snapshot, struct window window, struct snapshot_span *spans,
                          size_t max)
{
    const struct snapshot_timeline *timeline = snapshot->timeline;
    if (!timeline || window.from > window.to || max == 0)
        return 0;
    struct survey survey = {.window = &window};
    each_in(timeline, &window, survey_call, &survey);
    if (survey.calls > max) {
        /* A lane has at most one more call as long as a column than it has columns, and one merged call for
         * each column. */
        uint64_t columns = max / window.lane_count;
        window.columns = columns > 4 ? (uint32_t)(columns - 2) / 2 : 1;
        window.column_ticks = (window.to - window.from) / window.columns + 1;
        window.cells =
            scarcity_note(calloc((size_t)window.lane_count * window.columns, sizeof *window.cells));
        if (!window.cells)
            return 0;
    }
    struct filling filling = {.window = &window, .spans = spans, .max = max};
    each_in(timeline, &window, fill_call, &filling);
    if (window.cells)
        add_merged(&filling);
    free(window.cells);
    qsort(spans, filling.n, sizeof *spans, by_lane_and_start);
    return filling.n;
}

size_t snapshot_timeline_window(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                                struct snapshot_span *spans, size_t max)
{
    return tell_window(snapshot, (struct window){.from = from_ticks, .to = to_ticks}, spans, max);
}

size_t snapshot_timeline_away(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                              struct snapshot_span *spans, size_t max)
{
    return tell_window(snapshot, (struct window){.from = from_ticks, .to = to_ticks, .of_away = true}, spans,
                       max);
}
