/* ledger.h - where everything goes that came: to what is shown, to what is pending, or to what is known to be
 * missing. True when a profile is complete is computed from this and nothing else that was counted.
 *
 * Calls and ticks are those since the user cleared the profile last, and so is what is missing. Sums that
 * have to be equal are compared whenever there is a snapshot: where they are not, that is a mistake of this
 * program, which is reported. */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is counted in an account, which also says where JSON has it. */
enum ledger_unit { LEDGER_BYTES, LEDGER_CALLS, LEDGER_TICKS, LEDGER_RECORDS, LEDGER_TIMES };

/* What an account says of what is in it. Only the last two make a profile incomplete. */
enum ledger_side { SIDE_CAME, SIDE_SHOWN, SIDE_PENDING, SIDE_MERGED, SIDE_IDLE, SIDE_LOSS, SIDE_DISCARDED };

enum ledger_account {
#define FLOW(name, unit, side, key, what)        ACCOUNT_##name,
#define ACCOUNT(name, unit, side, key, sentence) ACCOUNT_##name,
#include "ledger/accounts.h"
#undef ACCOUNT
#undef FLOW
    ACCOUNTS
};

struct ledger_row {
    const char *key; /* in JSON */
    enum ledger_unit unit;
    enum ledger_side side;
    const char *sentence; /* NULL: nothing is missing because of it */
    const char *what;     /* is in it, a sentence; NULL of one that has `sentence` */
};
extern const struct ledger_row ledger_rows[ACCOUNTS];

/* Why what was counted was discarded without an order of the user. */
enum ledger_cause {
    BY_TELLING, /* the target began to send calls in another way, by another clock, or to count from 0: these
                   do not add up */
    BY_ELF,     /* the ELF was replaced by one of another build */
    CAUSES,
};

/* How often, and what went: calls that had been reported, and own time of functions. */
struct ledger_cleared {
    uint64_t times, calls, own_ns; /* the last 0 where it is not known how long a tick is */
};

/* Sums that have to be equal, a bit each. */
enum ledger_identity {
    HOLDS_BYTES = 1, /* of a dialect with packets: BYTES_CAME and the other accounts of bytes */
    HOLDS_CALLS = 2, /* CALLS_TOLD and the other accounts of calls */
    HOLDS_TREE = 4,  /* TICKS_OWN and TICKS_TREE: not where the tree is a guess */
    HOLDS_RAN = 8,   /* TICKS_TREE and TICKS_RAN: where it is known how long contexts ran */
};

/* The books. Zero is empty. */
struct ledger {
    uint64_t booked[ACCOUNTS];
    struct ledger_cleared cleared[CAUSES];
    uint32_t held,
        broken; /* enum ledger_identity: those that were compared, and those of them that are not equal */
};

/* Takes from the accounts of what is missing what those of `before` had. */
void ledger_since(struct ledger *ledger, const struct ledger *before);

/* Compares the sums of `identities`, and says in `broken` which are not equal. */
void ledger_hold(struct ledger *ledger, uint32_t identities);

enum { LEDGER_SENTENCE = 200, LEDGER_REASONS_MAX = ACCOUNTS + CAUSES + 1 };

/* Writes what is missing by one account, a sentence. False: nothing is. */
bool ledger_reason(const struct ledger *ledger, enum ledger_account account, char out[LEDGER_SENTENCE]);

/* Writes why what is shown is not all, a sentence each, to `out`, which has room for `room`; how many. 0:
 * nothing is known to be missing. */
size_t ledger_reasons(const struct ledger *ledger, char (*out)[LEDGER_SENTENCE], size_t room);

#endif
