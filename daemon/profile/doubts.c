/* doubts.c - calls whose caller is in doubt. */
#include "profile/doubts.h"

#include "base/scarcity.h"

#include <stdlib.h>

void doubts_fini(struct doubts *doubts)
{
    map_fini(&doubts->by_node);
    free(doubts->rows);
}

void doubts_clear(struct doubts *doubts)
{
    map_clear(&doubts->by_node);
    doubts->count = 0;
}

static struct doubt *row_of(const struct doubts *doubts, uint32_t node)
{
    uint32_t row = doubts->count > 0 ? map_find(&doubts->by_node, node) : MAP_NONE;
    return row == MAP_NONE ? NULL : &doubts->rows[row];
}

struct doubt *doubts_find(const struct doubts *doubts, uint32_t node)
{
    struct doubt *found = row_of(doubts, node);
    return found && doubt_is_left(found) ? found : NULL;
}

struct doubt *doubts_at(struct doubts *doubts, uint32_t node, uint32_t depth)
{
    struct doubt *found = row_of(doubts, node);
    if (found)
        return found;
    if (doubts->count == doubts->capacity) {
        uint32_t capacity = doubts->capacity ? doubts->capacity * 2 : 16;
        if (!scarcity_grow(&doubts->rows, capacity, sizeof *doubts->rows))
            return NULL;
        doubts->capacity = capacity;
    }
    if (!map_set(&doubts->by_node, node, doubts->count))
        return NULL;
    doubts->rows[doubts->count] = (struct doubt){.node = node, .depth = depth};
    return &doubts->rows[doubts->count++];
}

void doubts_sweep(struct doubts *doubts)
{
    uint32_t kept = 0, rows = doubts->count;
    for (uint32_t i = 0; i < rows; i++) {
        if (doubt_is_left(&doubts->rows[i]))
            doubts->rows[kept++] = doubts->rows[i];
    }
    if (kept == rows)
        return;
    map_clear(&doubts->by_node);
    doubts->count = kept;
    for (uint32_t i = 0; i < kept; i++) /* cannot fail: there was room for more */
        map_set(&doubts->by_node, doubts->rows[i].node, i);
}
