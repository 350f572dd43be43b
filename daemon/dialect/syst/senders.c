/* senders.c - who has been heard so far. */
#include "dialect/syst/senders.h"

#include <string.h>

static bool is_same(const struct syst_sender *a, const struct syst_sender *b)
{
    if (a->has_guid != b->has_guid || a->master != b->master || a->channel != b->channel)
        return false;
    return a->has_guid ? !memcmp(&a->guid, &b->guid, sizeof a->guid) : a->origin == b->origin;
}

struct syst_heard *syst_senders_find(struct syst_senders *senders, const struct syst_sender *sender,
                                     const struct syst_collateral *collateral)
{
    for (uint32_t i = 0; i < senders->n; i++)
        if (is_same(&senders->heard[i].sender, sender))
            return &senders->heard[i];
    if (senders->n == SYST_SENDERS_MAX)
        return NULL;
    struct syst_heard *heard = &senders->heard[senders->n++];
    *heard = (struct syst_heard){.sender = *sender, .client = syst_collateral_find(collateral, sender)};
    return heard;
}

uint32_t syst_senders_context(const struct syst_senders *senders, const struct syst_heard *heard,
                              uint16_t unit)
{
    return (uint32_t)(heard - senders->heard) << SYST_UNIT_BITS | unit;
}

void syst_heard_build(struct syst_heard *heard, uint64_t build, const struct syst_collateral *collateral)
{
    heard->sender.has_build = true;
    heard->sender.build = build;
    heard->client = syst_collateral_find(collateral, &heard->sender);
}
