/* senders.h - who has been heard so far: clients by GUID, or by origin and the transport's numbers, and
 * the contexts they run in. */
#ifndef DIALECT_SYST_SENDERS_H
#define DIALECT_SYST_SENDERS_H

#include "dialect/syst/clock.h"
#include "dialect/syst/collateral.h"

/* All origins of one line, and clients beside them. */
enum { SYST_SENDERS_MAX = 512, SYST_UNIT_BITS = 11 };

/* One sender that was heard. */
struct syst_heard {
    struct syst_sender sender;
    struct syst_clock clock;
    const struct syst_client *client; /* the collateral's, NULL none; found anew when a build is told */
    bool build_is_unknown;            /* no client of its is of the build that was told last */
};

/* All that were heard. Zero is the start state. */
struct syst_senders {
    struct syst_heard heard[SYST_SENDERS_MAX];
    uint32_t n;
};

/* Finds the place of a sender, which is a new one when it was not heard before. NULL when there are too many.
 */
struct syst_heard *syst_senders_find(struct syst_senders *senders, const struct syst_sender *sender,
                                     const struct syst_collateral *collateral);

/* Finds the context number of a sender's unit: stacks of different units do not mix. */
uint32_t syst_senders_context(const struct syst_senders *senders, const struct syst_heard *heard,
                              uint16_t unit);

/* Takes in what a BUILD message says: other collateral may explain the sender from now on. */
void syst_heard_build(struct syst_heard *heard, uint64_t build, const struct syst_collateral *collateral);

#endif
