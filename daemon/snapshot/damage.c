/* damage.c - the times at which bytes of the line were damaged or missing. */
#include "snapshot/damage.h"

#include <string.h>

void snapshot_damage_add(struct snapshot_damage *damage, uint64_t from_ticks, uint64_t to_ticks)
{
    struct damage_stretch *at = damage->at, *last = damage->n ? &at[damage->n - 1] : NULL;
    if (last && from_ticks <= last->to_ticks) {
        last->to_ticks = to_ticks > last->to_ticks ? to_ticks : last->to_ticks;
        return;
    }
    if (damage->n == DAMAGE_MOST) { /* the two oldest become one, including the time between them */
        at[0].to_ticks = at[1].to_ticks;
        memmove(&at[1], &at[2], (DAMAGE_MOST - 2) * sizeof *at);
        damage->n--;
    }
    at[damage->n++] = (struct damage_stretch){from_ticks, to_ticks};
}

bool snapshot_damage_in(const struct snapshot_damage *damage, uint64_t from_ticks, uint64_t to_ticks)
{
    for (uint32_t i = 0; i < damage->n; i++)
        if (damage->at[i].from_ticks <= to_ticks && damage->at[i].to_ticks >= from_ticks)
            return true;
    return false;
}
