/* moments.c - lists the gaps and markers of a window, merged by screen column. */
#include "snapshot/moments.h"

#include "base/text.h"
#include "snapshot/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The window, divided into columns. */
struct columns {
    uint64_t from, to, width_ticks;
};

static struct columns columns_of(uint64_t from_ticks, uint64_t to_ticks)
{
    return (struct columns){from_ticks, to_ticks, (to_ticks - from_ticks) / SNAPSHOT_COLUMNS + 1};
}

static uint64_t column_at(const struct columns *columns, uint64_t ticks)
{
    return ticks < columns->from ? 0 : (ticks - columns->from) / columns->width_ticks;
}

size_t snapshot_gaps(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                     struct snapshot_gap *gaps)
{
    const struct columns columns = columns_of(from_ticks, to_ticks);
    size_t n = 0;
    for (uint32_t i = 0; i < snapshot->moments->gap_count; i++) {
        const struct moment *moment = &snapshot->moments->rows[i];
        if (moment->to_ticks < from_ticks || moment->from_ticks > to_ticks)
            continue;
        struct snapshot_gap *last = n > 0 ? &gaps[n - 1] : NULL;
        if (last && column_at(&columns, last->to_ticks) >= column_at(&columns, moment->from_ticks)) {
            last->records = last->records && moment->count ? last->records + moment->count : 0;
            if (moment->to_ticks >
                last->to_ticks) /* the gap of a kept window may end before an earlier row */
                last->to_ticks = moment->to_ticks;
        } else if (n < SNAPSHOT_GAPS_MAX) {
            gaps[n++] = (struct snapshot_gap){moment->from_ticks, moment->to_ticks, moment->count};
        }
    }
    return n;
}

/* Markers of one or more kinds. Those of the same kind in the same column are merged. */
struct markers {
    struct columns columns;
    struct snapshot_marker *rows;
    size_t n, last[MARKER_KINDS]; /* index of the kind's last, plus 1 */
};

/* Adds a marker. Returns its new row, for the text; NULL when it is outside, was merged, or has no room. */
static struct snapshot_marker *add_marker(struct markers *markers, enum snapshot_marker_kind kind,
                                          uint64_t ticks, uint64_t count)
{
    const struct columns *columns = &markers->columns;
    if (ticks < columns->from || ticks > columns->to)
        return NULL;
    struct snapshot_marker *last = markers->last[kind] ? &markers->rows[markers->last[kind] - 1] : NULL;
    if (last && column_at(columns, last->ticks) == column_at(columns, ticks)) {
        last->count += count;
        return NULL;
    }
    if (markers->n == SNAPSHOT_MARKERS_MAX)
        return NULL;
    struct snapshot_marker *row = &markers->rows[markers->n++];
    *row = (struct snapshot_marker){.ticks = ticks, .kind = kind, .count = count};
    markers->last[kind] = markers->n;
    return row;
}

static void add_moment(struct markers *markers, const struct moment *moment)
{
    struct snapshot_marker *row = add_marker(markers, moment->kind, moment->from_ticks, moment->count);
    const char *plural = moment->calls == 1 ? "" : "s";
    if (row && moment->kind == MARKER_STOP && moment->calls > 0)
        snprintf(row->text, sizeof row->text, "%" PRIu64 " call%s had not returned", moment->calls, plural);
    else if (row && moment->kind == MARKER_DISCARD)
        snprintf(row->text, sizeof row->text, "%" PRIu64 " call%s counted before", moment->calls, plural);
    else if (row && moment->name)
        text_clean_utf8(row->text, sizeof row->text, moment->name, strlen(moment->name));
    else if (row && moment->kind == MARKER_CHECKPOINT)
        snprintf(row->text, sizeof row->text, "topic %u: %u", moment->topic, moment->checkpoint);
}

/* The text is "value: limit". When the limit was deleted, the text stays empty. */
static void add_breach(struct markers *markers, const struct snapshot *snapshot,
                       const struct snapshot_breach *breach)
{
    const struct snapshot_bound *bound = snapshot_bound_find(&snapshot->bounds, breach->bound);
    struct snapshot_marker *row = add_marker(markers, MARKER_BREACH, breach->ticks, 1);
    char limit[BOUND_TEXT_SIZE], value[32], text[BOUND_TEXT_SIZE + 64];
    if (!row || !bound)
        return;
    bound_write(&bound->bound, limit, sizeof limit);
    bound_write_value(bound->bound.figure, breach->value, value, sizeof value);
    int n = snprintf(text, sizeof text, "%s: %s", value, limit);
    text_clean_utf8(row->text, sizeof row->text, text, (size_t)n);
}

static void stretch_range(uint64_t ticks, uint64_t *from_ticks, uint64_t *to_ticks)
{
    if (ticks < *from_ticks)
        *from_ticks = ticks;
    if (ticks > *to_ticks)
        *to_ticks = ticks;
}

bool snapshot_told_range(const struct snapshot *snapshot, uint64_t *from_ticks, uint64_t *to_ticks)
{
    const struct snapshot_moments *moments = snapshot->moments;
    bool has_calls = snapshot_timeline_range(snapshot, from_ticks, to_ticks);
    uint64_t oldest = has_calls ? *from_ticks : UINT64_MAX, newest = has_calls ? *to_ticks : 0;
    const uint32_t first = moments->gap_count + moments->marker_count; /* index of the first checkpoint */
    for (uint32_t i = 0; i < moments->checkpoint_count; i++)
        stretch_range(moments->rows[first + i].from_ticks, &oldest, &newest);
    for (uint32_t i = 0; i < snapshot->message_count; i++)
        if (!snapshot->messages[i]->is_call)
            stretch_range(snapshot->messages[i]->ticks, &oldest, &newest);
    if (!has_calls)
        *from_ticks = oldest;
    *to_ticks = newest;
    return oldest <= newest;
}

bool snapshot_first_ticks(const struct snapshot *snapshot, uint64_t *ticks)
{
    const struct snapshot_timeline *timeline = snapshot->timeline;
    uint64_t oldest, newest;
    *ticks = snapshot_told_range(snapshot, &oldest, &newest) ? oldest : UINT64_MAX;
    if (timeline && timeline->gone_ticks > 0 && timeline->gone_from_ticks < *ticks)
        *ticks = timeline->gone_from_ticks;
    if (snapshot->moments->first_ticks > 0 && snapshot->moments->first_ticks < *ticks)
        *ticks = snapshot->moments->first_ticks;
    return *ticks < UINT64_MAX;
}

static int by_ticks(const void *left, const void *right)
{
    const struct snapshot_marker *a = left, *b = right;
    if (a->ticks != b->ticks)
        return a->ticks < b->ticks ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

size_t snapshot_markers(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                        struct snapshot_marker *rows)
{
    const struct snapshot_moments *moments = snapshot->moments;
    struct markers markers = {.columns = columns_of(from_ticks, to_ticks), .rows = rows};
    for (uint32_t i = 0; i < moments->marker_count + moments->checkpoint_count; i++)
        add_moment(&markers, &moments->rows[moments->gap_count + i]);
    for (uint32_t i = 0; i < snapshot->message_count; i++) {
        const struct snapshot_message *message = snapshot->messages[i];
        struct snapshot_marker *row =
            message->is_call ? NULL : add_marker(&markers, MARKER_MESSAGE, message->ticks, 1);
        if (row)
            text_clean_utf8(row->text, sizeof row->text, message->text, strlen(message->text));
    }
    for (uint32_t i = 0; i < snapshot->bounds.breach_count; i++)
        add_breach(&markers, snapshot, &snapshot->bounds.breaches[i]);
    qsort(rows, markers.n, sizeof *rows, by_ticks);
    return markers.n;
}
