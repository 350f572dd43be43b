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
    if (records > loss->last_records) /* it tells records, so those of before were some, too */
        loss_confirm(loss);
    loss->last_records = records;
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
        loss->has_start = loss->has_last = true;
        loss->records = records;
        return;
    }
    loss->missing = counted > came ? counted - came : 0;
    loss->is_doubtful = came == 0;
    note_most(loss);
}

void loss_reject(struct loss *loss, uint64_t records)
{
    loss->rejected += records;
    note_most(loss);
}

void loss_restart(struct loss *loss)
{
    *loss = (struct loss){.settled = loss_total(loss),
                          .doubted = loss->doubted + (loss->is_doubtful ? loss->missing : 0),
                          .last_records = loss->last_records,
                          .most = loss->most};
}

void loss_confirm(struct loss *loss)
{
    loss->settled += loss->doubted;
    loss->doubted = 0;
    loss->is_doubtful = false;
    note_most(loss);
}

void loss_hear_sums(struct loss *loss)
{
    if (loss->is_doubtful)
        loss->has_start = loss->has_last = false;
    loss->missing = loss->is_doubtful ? 0 : loss->missing;
    loss->doubted = 0;
    loss->is_doubtful = false;
}

uint64_t loss_total(const struct loss *loss)
{
    uint64_t missing = loss->is_doubtful ? 0 : loss->missing;
    return loss->settled + (missing > loss->rejected ? missing : loss->rejected);
}

uint64_t loss_most(const struct loss *loss)
{
    return loss->most;
}
