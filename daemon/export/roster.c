/* roster.c - selects the functions that have their own metrics; the others are summed up. */
#include "export/roster.h"

#include "export/busiest.h"

#include <stdlib.h>
#include <string.h>

void roster_init(struct roster *roster, uint32_t most)
{
    *roster = (struct roster){.most = most};
}

void roster_fini(struct roster *roster)
{
    free(roster->is_listed);
    *roster = (struct roster){0};
}

/* Forgets the list when a profile is cleared, since row indices then start again. */
static void forget_roster(struct roster *roster, uint64_t cleared_at)
{
    if (roster->room > 0)
        memset(roster->is_listed, 0, roster->room);
    memset(roster->carried, 0, sizeof roster->carried);
    roster->seen = roster->listed = 0;
    roster->has_sum = false;
    roster->cleared_at = cleared_at;
}

static bool make_room(struct roster *roster, uint32_t rows)
{
    if (rows <= roster->room)
        return true;
    uint8_t *is_listed = realloc(roster->is_listed, rows);
    if (!is_listed)
        return false;
    memset(is_listed + roster->room, 0, rows - roster->room);
    roster->is_listed = is_listed;
    roster->room = rows;
    return true;
}

static uint64_t value_of(const struct figure *figure, const struct snapshot_function *function)
{
    return function->known & figure->known ? figure_u64(figure, function) : 0;
}

/* Lists a function. If it existed before, its values so far stay in the sum. */
static void list_function(struct roster *roster, const struct snapshot_function *function, uint32_t row)
{
    roster->is_listed[row] = true;
    roster->listed++;
    for (size_t i = 0; row < roster->seen && i < ROSTER_FIGURES && figures_function[i].key; i++)
        if (figures_function[i].adds_up)
            roster->carried[i] += value_of(&figures_function[i], function);
}

bool roster_follow(struct roster *roster, const struct snapshot *snapshot)
{
    uint32_t rows = snapshot->function_count;
    if (roster->cleared_at != snapshot->cleared_at || rows < roster->seen)
        forget_roster(roster, snapshot->cleared_at);
    const struct snapshot_function **order = malloc((rows ? rows : 1) * sizeof *order);
    if (!order || !make_room(roster, rows)) {
        free(order);
        return false;
    }
    for (uint32_t row = 0; row < rows; row++)
        order[row] = &snapshot->functions[row];
    if (rows > roster->most)
        qsort(order, rows, sizeof *order, busiest_first);
    for (uint32_t i = 0; i < rows && i < roster->most; i++) {
        uint32_t row = (uint32_t)(order[i] - snapshot->functions);
        if (!roster->is_listed[row] && roster->listed / ROSTER_STAYS < roster->most)
            list_function(roster, order[i], row);
    }
    roster->seen = rows;
    roster->has_sum |= roster->listed < rows;
    free(order);
    return true;
}

bool roster_sum(const struct roster *roster, const struct snapshot *snapshot, const struct figure *figure,
                uint64_t *sum)
{
    size_t place = (size_t)(figure - figures_function);
    *sum = place < ROSTER_FIGURES ? roster->carried[place] : 0;
    bool is_known = *sum > 0;
    for (uint32_t row = 0; row < snapshot->function_count; row++) {
        if (roster->is_listed[row])
            continue;
        const struct snapshot_function *function = &snapshot->functions[row];
        *sum += value_of(figure, function);
        is_known |= (function->known & figure->known) != 0;
    }
    return roster->has_sum && is_known;
}
