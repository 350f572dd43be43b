/* witness.c - finds out whether records are missing.
 *
 * An overflow that a STATUS reports lies among the records captured before it, of which many may wait in the
 * buffer still: what comes is in doubt until all of these are here. */
#include "profile/witness.h"

enum {
    NOT_WAITING =
        64,        /* records: more than a packet has, so they cannot be in a buffer no fuller than before */
    PATIENCE = 16, /* STATUS packets without proof; then missing records count as lost */
    PLENTY = 1024, /* records captured since: no buffer holds a hundred times as many */
};

void witness_restart(struct witness *witness)
{
    *witness = (struct witness){.has_mark = true, .has_status = true};
}

void witness_break(struct witness *witness)
{
    witness->has_mark = false;
}

void witness_doubt(struct witness *witness)
{
    witness->has_mark = false;
    witness->came = 0;
}

/* Returns the target's count minus our count; both wrap. */
static int32_t missing_of(const struct witness *witness, uint32_t captured)
{
    return (int32_t)(captured - (uint32_t)witness->came);
}

static void set_mark(struct witness *witness, int32_t missing, uint8_t usage)
{
    witness->has_mark = true;
    witness->mark_missing = missing;
    witness->mark_usage = usage;
    witness->unsettled = 0;
}

static void note_overflow(struct witness *witness, uint32_t captured, int32_t missing)
{
    witness->gap_waits = true;
    witness->gap_captured = captured;
    witness->gap_came = witness->came + (missing > 0 ? (uint32_t)missing : 0);
}

static bool gap_has_passed(const struct witness *witness, uint32_t captured, uint8_t usage, bool rests)
{
    if (rests || witness->came >= witness->gap_came)
        return true;
    return usage == 0 && captured - witness->gap_captured >= PLENTY;
}

/* Judges when no overflow was reported. */
static enum verdict judge_the_way(struct witness *witness, int32_t missing, uint8_t usage, bool rests)
{
    if (!witness->has_mark || missing < witness->mark_missing)
        return VERDICT_BROKEN;
    if (missing == witness->mark_missing && usage >= witness->mark_usage)
        return VERDICT_COMPLETE;
    bool lost = usage <= witness->mark_usage && (rests || missing - witness->mark_missing > NOT_WAITING);
    return lost || ++witness->unsettled >= PATIENCE ? VERDICT_BROKEN : VERDICT_NONE;
}

enum verdict witness_hear(struct witness *witness, const struct event *status)
{
    uint32_t captured = status->status.records_captured, overflows = status->status.buffer_overflows;
    uint8_t usage = status->status.buffer_usage_percent;
    bool fell = witness->has_status && (int32_t)(captured - witness->captured) < 0;
    if (fell)
        witness_doubt(witness);
    int32_t missing = missing_of(witness, captured);
    bool rests = usage == 0 && (captured == 0 || (witness->has_status && captured == witness->captured));
    bool overflowed = !witness->has_status || fell ? overflows > 0 : overflows != witness->overflows;
    enum verdict verdict = VERDICT_BROKEN;
    if (overflowed)
        note_overflow(witness, captured, missing);
    else if (witness->gap_waits)
        witness->gap_waits = !gap_has_passed(witness, captured, usage, rests);
    else if (!fell)
        verdict = judge_the_way(witness, missing, usage, rests);
    if (verdict == VERDICT_BROKEN)
        set_mark(witness, missing, usage);
    else if (verdict == VERDICT_COMPLETE)
        witness->unsettled = 0;
    witness->has_status = true;
    witness->overflows = overflows;
    witness->captured = captured;
    return verdict;
}
