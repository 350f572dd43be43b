/* senders.c - the known senders. */
#include "dialect/syst/senders.h"

#include <string.h>

static bool is_same(const struct syst_sender *a, const struct syst_sender *b)
{
    if (a->has_guid != b->has_guid || a->master != b->master || a->channel != b->channel)
        return false;
    return a->has_guid ? !memcmp(&a->guid, &b->guid, sizeof a->guid) : a->origin == b->origin;
}

static uint32_t hash_of(const struct syst_sender *sender)
{
    uint32_t hash = (uint32_t)sender->master << 16 | sender->channel;
    hash = (hash ^ (sender->has_guid ? 0x80u : sender->origin)) * 0x9E3779B1u;
    for (size_t i = 0; sender->has_guid && i < sizeof sender->guid.bytes; i++)
        hash = (hash ^ sender->guid.bytes[i]) * 0x01000193u;
    return hash ^ hash >> 15;
}

struct syst_heard *syst_senders_find(struct syst_senders *senders, const struct syst_sender *sender,
                                     const struct syst_collateral *collateral)
{
    uint32_t at = hash_of(sender) % SYST_SENDERS_SLOTS;
    for (; senders->slot[at]; at = (at + 1) % SYST_SENDERS_SLOTS)
        if (is_same(&senders->heard[senders->slot[at] - 1].sender, sender))
            return &senders->heard[senders->slot[at] - 1];
    if (senders->n == SYST_SENDERS_MAX)
        return NULL;
    struct syst_heard *heard = &senders->heard[senders->n++];
    senders->slot[at] = (uint16_t)senders->n;
    *heard = (struct syst_heard){.sender = *sender, .client = syst_collateral_find(collateral, sender)};
    return heard;
}

void syst_senders_clear(struct syst_senders *senders)
{
    senders->n = 0;
    memset(senders->slot, 0, sizeof senders->slot);
}

uint32_t syst_senders_context(const struct syst_senders *senders, const struct syst_heard *heard,
                              uint16_t unit)
{
    return (uint32_t)(heard - senders->heard) << SYST_UNIT_BITS | unit;
}

void syst_heard_set_build(struct syst_heard *heard, uint64_t build, const struct syst_collateral *collateral)
{
    heard->sender.has_build = true;
    heard->sender.build = build;
    heard->client = syst_collateral_find(collateral, &heard->sender);
}
