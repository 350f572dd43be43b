/* loss.c - how many records the target has counted that never came. */
#include "session/loss.h"

void loss_hear(struct loss *loss, uint64_t captured, unsigned usage_percent, uint64_t records)
{
    if (loss->has_last && captured < loss->last_captured)
        loss_restart(loss);
    bool rests = usage_percent == 0 && (captured == 0 || (loss->has_last && captured == loss->last_captured));
    loss->has_last = true;
    loss->last_captured = captured;
    if (!rests)
        return;
    if (!loss->has_start) {
        loss->has_start = true;
        loss->captured = captured;
        loss->records = records;
    }
    uint64_t counted = captured - loss->captured, came = records - loss->records;
    loss->missing = counted > came ? counted - came : 0;
    if (loss_total(loss) > loss->most)
        loss->most = loss_total(loss);
}

void loss_restart(struct loss *loss)
{
    *loss = (struct loss){.settled = loss_total(loss), .most = loss->most};
}

uint64_t loss_total(const struct loss *loss)
{
    return loss->settled + loss->missing;
}

uint64_t loss_most(const struct loss *loss)
{
    return loss->most;
}
