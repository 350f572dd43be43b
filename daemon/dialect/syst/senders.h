/* senders.h - the known senders: clients by GUID, or by origin, master and channel, and the contexts they run
 * in. */
#ifndef DIALECT_SYST_SENDERS_H
#define DIALECT_SYST_SENDERS_H

#include "dialect/syst/clock.h"
#include "dialect/syst/collateral.h"

/* Limit of senders, and the size of their hash table. */
enum { SYST_SENDERS_MAX = 2048, SYST_SENDERS_SLOTS = 2 * SYST_SENDERS_MAX, SYST_UNIT_BITS = 11 };

/* One sender. */
struct syst_heard {
    struct syst_sender sender;
    struct syst_clock clock;
    const struct syst_client *client; /* in the collateral; or NULL. Looked up again after a BUILD message */
    bool build_is_unknown;            /* no client matches the build of the last BUILD message */
};

/* All known senders. All zero is the initial state. */
struct syst_senders {
    uint32_t n;
    uint16_t slot[SYST_SENDERS_SLOTS]; /* hash table: index + 1; 0: empty */
    struct syst_heard heard[SYST_SENDERS_MAX];
};

/* Returns the row of a sender, which is added if it is new; NULL when there are too many. Collateral is still
 * found then, see syst_collateral_find(). */
struct syst_heard *syst_senders_find(struct syst_senders *senders, const struct syst_sender *sender,
                                     const struct syst_collateral *collateral);

/* Removes all. */
void syst_senders_clear(struct syst_senders *senders);

/* Returns the context number of a sender's unit. Each unit has its own stack. */
uint32_t syst_senders_context(const struct syst_senders *senders, const struct syst_heard *heard,
                              uint16_t unit);

/* Stores the build of a BUILD message, and looks up the sender's collateral again. */
void syst_heard_set_build(struct syst_heard *heard, uint64_t build, const struct syst_collateral *collateral);

#endif
