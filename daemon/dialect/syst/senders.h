/* senders.h - the senders seen so far: clients by GUID, or by origin and the transport's numbers, and
 * the contexts they run in. */
#ifndef DIALECT_SYST_SENDERS_H
#define DIALECT_SYST_SENDERS_H

#include "dialect/syst/clock.h"
#include "dialect/syst/collateral.h"

/* Senders that are told apart, and the places of a hash table of them. */
enum { SYST_SENDERS_MAX = 2048, SYST_SENDERS_SLOTS = 2 * SYST_SENDERS_MAX, SYST_UNIT_BITS = 11 };

/* One sender. */
struct syst_heard {
    struct syst_sender sender;
    struct syst_clock clock;
    const struct syst_client *client; /* the collateral's, NULL none; found again when a build is reported */
    bool build_is_unknown;            /* no client of its is of the build that was reported last */
};

/* All senders seen. Zero is the start state. */
struct syst_senders {
    uint32_t n;
    uint16_t slot[SYST_SENDERS_SLOTS]; /* which one, from 1 on; 0: none */
    struct syst_heard heard[SYST_SENDERS_MAX];
};

/* Finds the place of a sender, which is a new one when it was not seen before. NULL when there are too many:
 * the collateral knows the sender all the same, see syst_collateral_find(). */
struct syst_heard *syst_senders_find(struct syst_senders *senders, const struct syst_sender *sender,
                                     const struct syst_collateral *collateral);

/* Forgets all. */
void syst_senders_clear(struct syst_senders *senders);

/* Finds the context number of a sender's unit: stacks of different units do not mix. */
uint32_t syst_senders_context(const struct syst_senders *senders, const struct syst_heard *heard,
                              uint16_t unit);

/* Takes in what a BUILD message says: other collateral may explain the sender from now on. */
void syst_heard_build(struct syst_heard *heard, uint64_t build, const struct syst_collateral *collateral);

#endif
