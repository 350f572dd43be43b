/* channels.h - finds out which channels of a transport carry SyS-T. Trace hardware also carries other data,
 * which is not damage. */
#ifndef DIALECT_SYST_CHANNELS_H
#define DIALECT_SYST_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

/* Further channels are assumed to carry SyS-T. */
enum { SYST_CHANNELS_MAX = 256 };

/* What arrived on a channel. */
struct syst_channel {
    uint16_t master, channel;
    bool has_good; /* at least one message */
    uint64_t bad;  /* packets that were not messages, before the first message */
};

/* All zero is the initial state. */
struct syst_channels {
    uint32_t n;
    struct syst_channel channel[SYST_CHANNELS_MAX];
};

/* Records a packet on a channel, which is a message (`is_good`) or not. Returns how many packets that are not
 * messages count as damage and were not returned yet. On a channel without any message, they do not count. */
uint64_t syst_channels_see(struct syst_channels *channels, uint16_t master, uint16_t channel, bool is_good);

#endif
