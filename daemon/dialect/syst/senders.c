/* sources.c - who has been heard so far. */
#include "dialect/syst/sources.h"

#include <string.h>

static bool is_same(const struct syst_source *a, const struct syst_source *b)
{
    if (a->has_guid != b->has_guid || a->master != b->master || a->channel != b->channel)
        return false;
    return a->has_guid ? !memcmp(&a->guid, &b->guid, sizeof a->guid) : a->origin == b->origin;
}

struct syst_heard *syst_sources_find(struct syst_sources *sources, const struct syst_source *source,
                                     const struct syst_collateral *collateral)
{
    for (uint32_t i = 0; i < sources->n; i++)
        if (is_same(&sources->heard[i].source, source))
            return &sources->heard[i];
    if (sources->n < SYST_SOURCES_MAX)
        sources->n++;
    struct syst_heard *heard = &sources->heard[sources->n - 1];
    *heard = (struct syst_heard){.source = *source, .client = syst_collateral_find(collateral, source)};
    return heard;
}

uint32_t syst_sources_context(struct syst_sources *sources, const struct syst_heard *heard, uint16_t unit)
{
    uint16_t place = (uint16_t)(heard - sources->heard);
    for (uint32_t i = 0; i < sources->context_n; i++)
        if (sources->contexts[i].heard == place && sources->contexts[i].unit == unit)
            return i;
    if (sources->context_n == SYST_CONTEXTS_MAX)
        return SYST_CONTEXTS_MAX - 1;
    sources->contexts[sources->context_n] = (struct syst_context){place, unit};
    return sources->context_n++;
}

void syst_heard_build(struct syst_heard *heard, uint64_t build, const struct syst_collateral *collateral)
{
    heard->source.has_build = true;
    heard->source.build = build;
    heard->client = syst_collateral_find(collateral, &heard->source);
}
