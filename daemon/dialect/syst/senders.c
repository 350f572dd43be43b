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
    if (senders->n < SYST_SENDERS_MAX)
        senders->n++;
    struct syst_heard *heard = &senders->heard[senders->n - 1];
    *heard = (struct syst_heard){.sender = *sender, .client = syst_collateral_find(collateral, sender)};
    return heard;
}

uint32_t syst_senders_context(struct syst_senders *senders, const struct syst_heard *heard, uint16_t unit)
{
    uint16_t place = (uint16_t)(heard - senders->heard);
    for (uint32_t i = 0; i < senders->context_n; i++)
        if (senders->contexts[i].heard == place && senders->contexts[i].unit == unit)
            return i;
    if (senders->context_n == SYST_CONTEXTS_MAX)
        return SYST_CONTEXTS_MAX - 1;
    senders->contexts[senders->context_n] = (struct syst_context){place, unit};
    return senders->context_n++;
}

void syst_heard_build(struct syst_heard *heard, uint64_t build, const struct syst_collateral *collateral)
{
    heard->sender.has_build = true;
    heard->sender.build = build;
    heard->client = syst_collateral_find(collateral, &heard->sender);
}
