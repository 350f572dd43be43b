/* loss.c - how many records the target has counted that never came. */
#include "session/loss.h"

static void note_most(struct loss *loss)
{
    if (loss_total(loss) > loss->most)
        loss->most = loss_total(loss);
}

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
    if (counted == 0 && came > 0 &&
        captured == 0) { /* it counts from 0 again, and was not asked before that */
        loss_restart(loss);
        *loss = (struct loss){.has_start = true,
                              .records = records,
                              .has_last = true,
                              .settled = loss->settled,
                              .most = loss->most};
        return;
    }
    loss->missing = counted > came ? counted - came : 0;
    note_most(loss);
}

void loss_reject(struct loss *loss, uint64_t records)
{
    loss->rejected += records;
    note_most(loss);
}

void loss_restart(struct loss *loss)
{
    *loss = (struct loss){.settled = loss_total(loss), .most = loss->most};
}

uint64_t loss_total(const struct loss *loss)
{
    return loss->settled + (loss->missing > loss->rejected ? loss->missing : loss->rejected);
}

uint64_t loss_most(const struct loss *loss)
{
    return loss->most;
}
