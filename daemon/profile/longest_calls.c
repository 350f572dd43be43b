/* longest_calls.c - keeps the outliers of a function. */
#include "profile/longest_calls.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

void longest_fini(struct longest *longest, struct longest_budget *budget)
{
    budget->firsts_left += longest->first_count;
    free(longest->firsts);
    outliers_unref(longest->frozen);
    *longest = (struct longest){0};
}

uint64_t longest_keep(struct longest *longest, const struct outlier *call)
{
    uint32_t at = longest->count;
    while (at > 0 && longest->calls[at - 1].duration_ticks < call->duration_ticks)
        at--;
    if (at < OUTLIERS_LONGEST) {
        if (longest->count < OUTLIERS_LONGEST)
            longest->count++;
        memmove(&longest->calls[at + 1], &longest->calls[at],
                (longest->count - 1 - at) * sizeof longest->calls[0]);
        longest->calls[at] = *call;
        longest->is_changed = true;
    }
    return longest->count == OUTLIERS_LONGEST ? longest->calls[OUTLIERS_LONGEST - 1].duration_ticks : 0;
}

void longest_keep_first(struct longest *longest, struct longest_budget *budget, const struct outlier *call)
{
    if (budget->firsts_left == 0)
        return;
    if (longest->first_count == longest->first_room) {
        uint32_t room = longest->first_room ? 2 * longest->first_room : 8;
        if (!scarcity_grow(&longest->firsts, room, sizeof *longest->firsts))
            return;
        longest->first_room = room;
    }
    longest->firsts[longest->first_count++] = *call;
    budget->firsts_left--;
    longest->is_changed = true;
}

bool longest_settle(struct longest *longest)
{
    if (!longest->is_changed)
        return true;
    struct outliers *frozen = outliers_new(longest->first_count);
    if (!frozen)
        return false;
    frozen->longest_count = longest->count;
    memcpy(frozen->longest, longest->calls, sizeof frozen->longest);
    if (longest->first_count > 0)
        memcpy(frozen->firsts, longest->firsts, longest->first_count * sizeof frozen->firsts[0]);
    outliers_unref(longest->frozen);
    longest->frozen = frozen;
    longest->is_changed = false;
    return true;
}
