/* window_log.c - lists kept windows.
 *
 * There may be many small ones, and users look for the slowest. So the newest are kept, and of the older ones
 * those with the longest calls. */
#include "profile/window_log.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

void kept_fini(struct kept *kept)
{
    free(kept->newest);
}

void kept_clear(struct kept *kept)
{
    kept->first = kept->count = kept->longest_count = 0;
    kept->told = kept->missed_told = kept->missed_counted = 0;
}

/* Removes the oldest window from the ring. It is kept if it is longer than the shortest one kept so far. */
static void retire_window(struct kept *kept)
{
    const struct snapshot_kept *oldest = &kept->newest[kept->first];
    struct snapshot_kept *shortest = &kept->longest[0];
    for (uint32_t i = 1; i < kept->longest_count; i++)
        if (kept->longest[i].duration_ticks < shortest->duration_ticks)
            shortest = &kept->longest[i];
    if (kept->longest_count < KEPT_LONGEST_MAX)
        kept->longest[kept->longest_count++] = *oldest;
    else if (oldest->duration_ticks > shortest->duration_ticks)
        *shortest = *oldest;
    kept->first = (kept->first + 1) % KEPT_NEWEST_MAX;
    kept->count--;
}

/* Adds a window. Returns NULL when memory is used up; then it is only counted. */
static struct snapshot_kept *add_window(struct kept *kept, uint64_t ticks)
{
    uint64_t number = kept->told++;
    if (!kept->newest)
        kept->newest = scarcity_watch(malloc(KEPT_NEWEST_MAX * sizeof *kept->newest));
    if (!kept->newest)
        return NULL;
    if (kept->count == KEPT_NEWEST_MAX)
        retire_window(kept);
    struct snapshot_kept *row = &kept->newest[(kept->first + kept->count++) % KEPT_NEWEST_MAX];
    *row = (struct snapshot_kept){.number = number, .from_ticks = ticks, .to_ticks = ticks};
    return row;
}

static struct snapshot_kept *open_one(const struct kept *kept)
{
    if (kept->count == 0)
        return NULL;
    struct snapshot_kept *last = &kept->newest[(kept->first + kept->count - 1) % KEPT_NEWEST_MAX];
    return last->is_open ? last : NULL;
}

bool kept_is_open(const struct kept *kept, uint64_t *newest_ticks)
{
    const struct snapshot_kept *row = open_one(kept);
    if (row)
        *newest_ticks = row->to_ticks;
    return row;
}

void kept_pass(struct kept *kept, uint64_t ticks, uint64_t lost, uint64_t sequence)
{
    struct snapshot_kept *row = open_one(kept);
    if (!row)
        return;
    if (ticks > row->to_ticks)
        row->to_ticks = ticks;
    row->lost += lost;
    kept->changed = sequence;
}

void kept_break(struct kept *kept, uint64_t sequence)
{
    struct snapshot_kept *row = open_one(kept);
    if (!row)
        return;
    row->is_open = row->is_whole = false;
    kept->changed = sequence;
}

bool kept_count_missed(struct kept *kept, uint32_t missed, uint64_t sequence)
{
    uint64_t before = kept_missed(kept);
    /* A smaller number than before belongs to a new run. */
    kept->missed_counted += missed - (missed >= kept->missed_heard ? kept->missed_heard : 0);
    kept->missed_heard = missed;
    if (kept_missed(kept) == before)
        return false;
    kept->changed = sequence;
    return true;
}

uint64_t kept_missed(const struct kept *kept)
{
    return kept->missed_counted > kept->missed_told ? kept->missed_counted : kept->missed_told;
}

/* Stores why the open window was kept. The trigger is the end of a slow call. The window may begin after the
 * start of that call. */
static void tell_reason(struct kept *kept, struct snapshot_kept *row, const struct event *event,
                        uint32_t function)
{
    row->reason = event->window.reason;
    row->trigger_ticks = event->ticks;
    row->missed = event->window.missed;
    kept->missed_told += event->window.missed;
    if (row->reason != WINDOW_SLOW)
        return;
    row->function = function;
    row->duration_ticks = event->window.duration;
}

void kept_hear(struct kept *kept, const struct event *event, uint32_t function, uint64_t sequence)
{
    struct snapshot_kept *row;
    if (event->window.stage == WINDOW_BEGINS) {
        kept_break(kept, sequence);
        row = add_window(kept, event->ticks);
        if (row)
            row->is_open = row->is_excerpt = row->is_whole = true;
    } else {
        row = open_one(kept);
    }
    kept->changed = sequence;
    if (!row)
        return;
    if (event->window.stage == WINDOW_TELLS)
        tell_reason(kept, row, event, function);
    if (event->window.stage != WINDOW_ENDS)
        return;
    kept_pass(kept, event->ticks, 0, sequence);
    row->is_open = false;
    row->is_whole = event->window.is_whole;
}

void kept_list(struct kept *kept, uint32_t function, uint64_t end_ticks, uint64_t duration_ticks,
               uint64_t sequence)
{
    uint64_t start = end_ticks > duration_ticks ? end_ticks - duration_ticks : 0;
    struct snapshot_kept *row = add_window(kept, start);
    kept->changed = sequence;
    if (!row)
        return;
    row->to_ticks = row->trigger_ticks = end_ticks;
    row->reason = WINDOW_SLOW;
    row->function = function;
    row->duration_ticks = duration_ticks;
    row->is_whole = true;
}

static int by_number(const void *left, const void *right)
{
    const struct snapshot_kept *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

struct snapshot_kept *kept_freeze(const struct kept *kept, uint32_t *n)
{
    *n = kept->longest_count + kept->count;
    struct snapshot_kept *rows = malloc(*n * sizeof *rows + 1);
    if (!rows)
        return NULL;
    for (uint32_t i = 0; i < kept->longest_count; i++)
        rows[i] = kept->longest[i];
    for (uint32_t i = 0; i < kept->count; i++)
        rows[kept->longest_count + i] = kept->newest[(kept->first + i) % KEPT_NEWEST_MAX];
    qsort(rows, *n, sizeof *rows, by_number);
    return rows;
}
