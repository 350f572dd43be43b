/* loss.c - computes how many records the target counted that never arrived. */
#include "session/loss.h"

static void note_most(struct loss *loss)
{
    if (loss_total(loss) > loss->most)
        loss->most = loss_total(loss);
}

/* Records missing in this run, except those that packets showed. */
static uint64_t missing_besides(const struct loss *loss)
{
    return loss->missing > loss->rejected ? loss->missing - loss->rejected : 0;
}

/* Adds this run's loss to the total, and drops the counts it was computed from. */
static void end_run(struct loss *loss)
{
    *loss = (struct loss){.settled = loss_total(loss),
                          .doubted = loss->doubted + (loss->is_doubtful ? missing_besides(loss) : 0),
                          .last_records = loss->last_records,
                          .most = loss->most};
}

static void begin_run(struct loss *loss, uint64_t captured, uint64_t records)
{
    loss->has_start = true;
    loss->captured = captured;
    loss->records = records;
}

/* True if the last STATUS was at the start of a run, from which no records have arrived. */
static bool has_just_begun(const struct loss *loss, uint64_t records)
{
    return loss->has_start && loss->last_captured == 0 && loss->records == records;
}

static void compare_captured(struct loss *loss, uint64_t captured, uint64_t records)
{
    uint64_t counted = captured - loss->captured, came = records - loss->records;
    loss->missing = counted > came ? counted - came : 0;
    loss->is_doubtful = came == 0;
    note_most(loss);
}

void loss_hear(struct loss *loss, uint64_t captured, unsigned usage_percent, uint64_t records,
               bool counts_sums)
{
    if (loss->has_last && captured < loss->last_captured)
        end_run(loss);
    if (records > loss->last_records) /* it sends records, so those before were records, too */
        loss_confirm(loss);
    loss->last_records = records;
    bool is_same = loss->has_last && captured == loss->last_captured;
    bool begins = captured == 0 && !has_just_begun(loss, records);
    if (usage_percent == 0 && begins) { /* even if no STATUS came in an earlier run */
        end_run(loss);
        begin_run(loss, captured, records);
    }
    loss->has_last = true;
    loss->last_captured = captured;
    if (usage_percent > 0 || (captured > 0 && !is_same) || counts_sums)
        return;
    if (!loss->has_start)
        begin_run(loss, captured, records);
    compare_captured(loss, captured, records);
}

void loss_reject(struct loss *loss, uint64_t records)
{
    loss->rejected += records;
    note_most(loss);
}

void loss_restart(struct loss *loss, uint64_t records)
{
    struct loss begun = *loss;
    end_run(loss);
    if (has_just_begun(&begun, records)) {
        begin_run(loss, 0, records);
        loss->has_last = true;
    }
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
        loss->missing = 0;
    loss->doubted = 0;
    loss->is_doubtful = false;
    end_run(loss);
}

uint64_t loss_total(const struct loss *loss)
{
    return loss->settled + loss->rejected + (loss->is_doubtful ? 0 : missing_besides(loss));
}

uint64_t loss_most(const struct loss *loss)
{
    return loss->most;
}
