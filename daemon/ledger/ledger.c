/* ledger.c - checks sums that must be equal, and writes sentences about missing data. */
#include "ledger/ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct ledger_row ledger_rows[ACCOUNTS] = {
#define FLOW(name, unit, side, key, what) [ACCOUNT_##name] = {key, LEDGER_##unit, SIDE_##side, NULL, what},
#define ACCOUNT(name, unit, side, key, sentence)                                                             \
    [ACCOUNT_##name] = {key, LEDGER_##unit, SIDE_##side, sentence, NULL},
#include "ledger/accounts.h"
#undef ACCOUNT
#undef FLOW
};

void ledger_since(struct ledger *ledger, const struct ledger *before)
{
    for (int i = 0; i < ACCOUNTS; i++)
        if (ledger_rows[i].side == SIDE_LOSS)
            ledger->booked[i] -=
                before->booked[i] < ledger->booked[i] ? before->booked[i] : ledger->booked[i];
}

/* True when the received amount in this unit equals the sum of the other accounts. */
static bool is_balanced(const struct ledger *ledger, enum ledger_unit unit)
{
    uint64_t came = 0, went = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        if (ledger_rows[i].unit == unit)
            *(ledger_rows[i].side == SIDE_CAME ? &came : &went) += ledger->booked[i];
    return came == went;
}

void ledger_hold(struct ledger *ledger, uint32_t identities)
{
    const uint64_t *booked = ledger->booked;
    uint32_t holds = (is_balanced(ledger, LEDGER_BYTES) ? HOLDS_BYTES : 0u) |
                     (is_balanced(ledger, LEDGER_CALLS) ? HOLDS_CALLS : 0u) |
                     (booked[ACCOUNT_TICKS_OWN] == booked[ACCOUNT_TICKS_TREE] ? HOLDS_TREE : 0u) |
                     (booked[ACCOUNT_TICKS_TREE] == booked[ACCOUNT_TICKS_RAN] ? HOLDS_RAN : 0u);
    ledger->held = identities;
    ledger->broken = identities & ~holds;
}

/* Copies the sentence with the number inserted. */
static void fill_sentence(char out[LEDGER_SENTENCE], const char *sentence, uint64_t number)
{
    size_t n = 0;
    for (; *sentence && n + 24 < LEDGER_SENTENCE; sentence++) {
        if (*sentence == '#')
            n += (size_t)snprintf(out + n, LEDGER_SENTENCE - n, "%" PRIu64, number);
        else if (*sentence != '~')
            out[n++] = *sentence;
        else if (number != 1)
            out[n++] = 's';
    }
    out[n] = 0;
}

static void write_cleared(char out[LEDGER_SENTENCE], enum ledger_cause cause,
                          const struct ledger_cleared *cleared)
{
    static const char *const whys[] = {
        [BY_TELLING] =
            "the target began to send calls in another way, by another clock, or to count from 0 again",
        [BY_ELF] = "the ELF was replaced by one of another build"};
    char time[48] = "", often[32] = "";
    bool is_long = cleared->own_ns >= 1000000;
    if (cleared->own_ns)
        snprintf(time, sizeof time, ": %.4g %s of own time", (double)cleared->own_ns / (is_long ? 1e9 : 1e3),
                 is_long ? "s" : "us");
    if (cleared->times > 1)
        snprintf(often, sizeof often, " (%" PRIu64 " times)", cleared->times);
    snprintf(out, LEDGER_SENTENCE, "%" PRIu64 " call%s had been counted when %s, and are not in here%s%s.",
             cleared->calls, cleared->calls == 1 ? "" : "s", whys[cause], often, time);
}

bool ledger_reason(const struct ledger *ledger, enum ledger_account account, char out[LEDGER_SENTENCE])
{
    const char *sentence = ledger_rows[account].sentence;
    bool is_missing = sentence && ledger->booked[account] > 0;
    if (is_missing)
        fill_sentence(out, sentence, ledger->booked[account]);
    return is_missing;
}

size_t ledger_reasons(const struct ledger *ledger, char (*out)[LEDGER_SENTENCE], size_t room)
{
    size_t n = 0;
    for (int i = 0; i < ACCOUNTS && n < room; i++)
        n += ledger_reason(ledger, (enum ledger_account)i, out[n]);
    for (int cause = 0; cause < CAUSES && n < room; cause++)
        if (ledger->cleared[cause].times > 0)
            write_cleared(out[n++], (enum ledger_cause)cause, &ledger->cleared[cause]);
    if (ledger->broken && n < room)
        snprintf(out[n++], LEDGER_SENTENCE,
                 "Sums that have to be equal are not (%" PRIu32
                 "): this is a mistake of miniprofd. Please report it, with a recording.",
                 ledger->broken);
    return n;
}
