/* ledger.h - accounts for everything received: shown, pending, or known to be missing. Only these counts decide
 * whether a profile is complete.
 *
 * Calls, ticks and missing data are counted since the user last cleared the profile. Sums that must be equal are
 * compared at each snapshot. A difference is a bug of this program, and is reported. */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unit of an account, which also determines its object in the JSON. */
enum ledger_unit { LEDGER_BYTES, LEDGER_CALLS, LEDGER_TICKS, LEDGER_RECORDS, LEDGER_TIMES };

/* The side of an account. Only the last two make a profile incomplete. */
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
    const char *sentence; /* NULL: the account does not mean that data is missing */
    const char *what;     /* description of its content; NULL if it has `sentence` */
};
extern const struct ledger_row ledger_rows[ACCOUNTS];

/* Why counts were discarded without an order of the user. */
enum ledger_cause {
    BY_TELLING, /* the target changed its mode or clock, or counts from 0 again: old and new counts do not add up */
    BY_ELF, /* the ELF was replaced by another build */
    CAUSES,
};

/* How often counts were discarded: their calls, and self time of functions. */
struct ledger_cleared {
    uint64_t times, calls, own_ns; /* own_ns is 0 if the tick rate is unknown */
};

/* Sums that must be equal, a bit each. */
enum ledger_identity {
    HOLDS_BYTES = 1, /* of a dialect with packets: BYTES_CAME and the other accounts of bytes */
    HOLDS_CALLS = 2, /* CALLS_TOLD and the other accounts of calls */
    HOLDS_TREE = 4,  /* TICKS_OWN and TICKS_TREE; not if the tree is estimated */
    HOLDS_RAN = 8,   /* TICKS_TREE and TICKS_RAN; only if the contexts' running times are known */
};

/* The ledger. Zero is empty. */
struct ledger {
    uint64_t booked[ACCOUNTS];
    struct ledger_cleared cleared[CAUSES];
    uint32_t held, broken; /* enum ledger_identity: those compared, and those found unequal */
};

/* Subtracts the losses of `before`. */
void ledger_since(struct ledger *ledger, const struct ledger *before);

/* Compares the sums of `identities`, and sets `held` and `broken`. */
void ledger_hold(struct ledger *ledger, uint32_t identities);

enum { LEDGER_SENTENCE = 200, LEDGER_REASONS_MAX = ACCOUNTS + CAUSES + 1 };

/* Writes a sentence about one account's missing data. False when nothing is missing. */
bool ledger_reason(const struct ledger *ledger, enum ledger_account account, char out[LEDGER_SENTENCE]);

/* Writes the reasons why the profile is incomplete to `out`, which has room for `room` sentences. Returns their number,
 * 0 when nothing is known to be missing. */
size_t ledger_reasons(const struct ledger *ledger, char (*out)[LEDGER_SENTENCE], size_t room);

#endif
