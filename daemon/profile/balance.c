/* balance.c - fills in the ledger of a snapshot: compares what arrived, by the profile and the link, with
 * what the snapshot's rows show. */
#include "profile/balance.h"

#include "base/scarcity.h"

#include <string.h>

static void book_bytes(const struct snapshot_link *link, uint64_t *booked)
{
    uint64_t between = link->bytes_between;
    booked[ACCOUNT_BYTES_LOST] = between;
    if (!link->has_packets)
        return;
    booked[ACCOUNT_BYTES_CAME] = link->bytes;
    booked[ACCOUNT_BYTES_AGAIN] = link->bytes_again;
    booked[ACCOUNT_BYTES_ENCODING] = link->bytes_encoding;
    booked[ACCOUNT_BYTES_READ] = link->bytes_read;
    booked[ACCOUNT_BYTES_BEFORE] = link->bytes_outside - between;
    booked[ACCOUNT_BYTES_BETWEEN] = between;
    booked[ACCOUNT_BYTES_CUT] = link->bytes_cut;
    booked[ACCOUNT_BYTES_WAITING] = link->bytes_waiting;
}

uint64_t balance_calls_told(const struct profile *profile)
{
    return profile->calls_told > 0 ? profile->calls_told : profile->arc_calls_told;
}

static void book_calls(const struct profile *profile, uint64_t *booked)
{
    const struct livestacks *stacks = &profile->livestacks;
    booked[ACCOUNT_CALLS_TOLD] = balance_calls_told(profile) + profile->carried.told;
    booked[ACCOUNT_CALLS_SHOWN] = functions_calls(&profile->functions);
    booked[ACCOUNT_CALLS_RUNNING] = livestacks_running(stacks);
    booked[ACCOUNT_CALLS_WAITING] = profile->placement.count;
    booked[ACCOUNT_CALLS_UNFINISHED] = stacks->unfinished + profile->carried.unfinished;
    booked[ACCOUNT_CALLS_REFUSED] = stacks->refused + profile->carried.refused;
    for (int cause = 0; cause < CAUSES; cause++)
        booked[ACCOUNT_CALLS_CLEARED] += profile->cleared[cause].calls;
}

static void book_ticks(const struct snapshot *snapshot, uint64_t *booked)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        booked[ACCOUNT_TICKS_OWN] += function->self_ticks;
        if (function->kind == KIND_OUTSIDE)
            booked[ACCOUNT_TICKS_OUTSIDE] += function->self_ticks;
        if (function->kind == KIND_UNKNOWN)
            booked[ACCOUNT_TICKS_UNKNOWN] += function->self_ticks;
    }
    for (uint32_t i = 0; i < snapshot->node_count; i++)
        booked[ACCOUNT_TICKS_TREE] += snapshot->nodes[i].self_ticks;
    booked[ACCOUNT_TICKS_RAN] = snapshot_known_ticks(snapshot);
}

static void book_missing(struct profile *profile, const struct snapshot *snapshot, struct ledger *ledger)
{
    const struct snapshot_link *link = &snapshot->link;
    uint64_t *booked = ledger->booked;
    booked[ACCOUNT_RECORDS_LOST] = link->records_lost;
    booked[ACCOUNT_PACKETS_BAD] =
        link->crc_errors + link->framing_errors + link->malformed + link->unsupported_version;
    booked[ACCOUNT_BYTES_DROPPED] = link->bytes_dropped;
    booked[ACCOUNT_TICKS_UNTOLD] = link->ticks_untold;
    booked[ACCOUNT_ROWS_UNTOLD] = link->rows_untold;
    booked[ACCOUNT_WINDOWS_LOST] = link->windows_lost;
    booked[ACCOUNT_RECORDS_UNTIMED] = link->records_without_time;
    booked[ACCOUNT_SHORTAGES] = scarcity_count();
    booked[ACCOUNT_RECORDS_UNSHOWN] = link->records;
    if (profile->was_cleared)
        profile->before = *ledger;
    profile->was_cleared = false;
    ledger_since(ledger, &profile->before);
    booked[ACCOUNT_OVERFLOWS] = link->losses_of_unknown_size;
    booked[ACCOUNT_CALLERS_UNKNOWN] = link->unplaced_calls;
    booked[ACCOUNT_TIMES_BACKWARDS] = link->out_of_order;
    booked[ACCOUNT_CALLS_OVERLAP] = link->overlaps;
    if (snapshot->target.description.tasks > 1 && placement_has_some(&profile->placement))
        booked[ACCOUNT_CALLS_OF_ANY_TASK] = profile->calls_told;
    booked[ACCOUNT_ROWS_MERGED] = link->over_limit;
    booked[ACCOUNT_CALLS_MERGED] = profile->counted.crowded;
    booked[ACCOUNT_ENDS_MISSING] = link->orphan_exits + link->missing_exits;
}

/* Returns which sums must be equal. When arcs arrive besides calls, they count the same calls again. */
static uint32_t identities_of(const struct profile *profile, const struct snapshot *snapshot)
{
    bool has_times = snapshot->context_count > 0;
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        has_times &= snapshot->contexts[i].has_times;
    return (snapshot->link.has_packets ? HOLDS_BYTES : 0u) |
           (profile->calls_told == 0 || profile->arc_calls_told == 0 ? HOLDS_CALLS : 0u) |
           (!snapshot->call_tree_estimated ? HOLDS_TREE : 0u) |
           (!snapshot->call_tree_estimated && has_times ? HOLDS_RAN : 0u);
}

/* True when any function was seen, even without calls or time. */
static bool knows_a_function(const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].kind == KIND_FUNCTION && snapshot->functions[i].known)
            return true;
    return false;
}

/* True when the snapshot shows anything of what arrived, or why it does not. */
static bool shows_something(const struct profile *profile, const struct snapshot *snapshot)
{
    const uint64_t *booked = snapshot->ledger.booked;
    return booked[ACCOUNT_CALLS_TOLD] > 0 || booked[ACCOUNT_TICKS_OWN] > 0 ||
           booked[ACCOUNT_ENDS_MISSING] > 0 || snapshot->arc_count > 0 || snapshot->sample_total > 0 ||
           snapshot->checkpoint_count > 0 || snapshot->message_count > 0 || profile->messages.dropped > 0 ||
           profile->kept.told > 0 || knows_a_function(snapshot);
}

void balance_fill(struct profile *profile, struct snapshot *snapshot)
{
    struct ledger *ledger = &snapshot->ledger;
    *ledger = (struct ledger){0};
    book_bytes(&snapshot->link, ledger->booked);
    book_missing(profile, snapshot, ledger);
    book_calls(profile, ledger->booked);
    book_ticks(snapshot, ledger->booked);
    if (shows_something(profile, snapshot))
        ledger->booked[ACCOUNT_RECORDS_UNSHOWN] = 0;
    memcpy(ledger->cleared, profile->cleared, sizeof ledger->cleared);
    ledger_hold(ledger, identities_of(profile, snapshot));
}
