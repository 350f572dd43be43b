/* channels.c - finds out which channels of a transport carry SyS-T. */
#include "dialect/syst/channels.h"

#include <stddef.h>

/* Returns the channel; NULL when there are too many. The last one used is kept first, since it is usually
 * used again. */
static struct syst_channel *find(struct syst_channels *channels, uint16_t master, uint16_t channel)
{
    struct syst_channel *first = channels->channel;
    for (uint32_t i = 0; i < channels->n; i++) {
        struct syst_channel found = channels->channel[i];
        if (found.master != master || found.channel != channel)
            continue;
        channels->channel[i] = *first;
        *first = found;
        return first;
    }
    if (channels->n == SYST_CHANNELS_MAX)
        return NULL;
    channels->channel[channels->n++] = *first;
    *first = (struct syst_channel){.master = master, .channel = channel};
    return first;
}

uint64_t syst_channels_see(struct syst_channels *channels, uint16_t master, uint16_t channel, bool is_good)
{
    struct syst_channel *seen = find(channels, master, channel);
    uint64_t damage = !is_good;
    if (seen && (is_good || !seen->has_good)) {
        damage = is_good ? seen->bad : 0;
        seen->bad = is_good ? 0 : seen->bad + 1;
        seen->has_good |= is_good;
    }
    return damage;
}
