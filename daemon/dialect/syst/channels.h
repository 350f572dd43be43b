/* channels.h - which channels of a transport carry SyS-T: trace hardware carries other things as well, and
 * what is no message there is no damage. */
#ifndef DIALECT_SYST_CHANNELS_H
#define DIALECT_SYST_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

/* More channels than these are taken for ones that carry SyS-T. */
enum { SYST_CHANNELS_MAX = 256 };

/* What came over a channel. */
struct syst_channel {
    uint16_t master, channel;
    bool has_good; /* a message, at least */
    uint64_t bad;  /* what was none, before the first one */
};

/* Zero is the start state. */
struct syst_channels {
    uint32_t n;
    struct syst_channel channel[SYST_CHANNELS_MAX];
};

/* Something came over a channel, which is a message or not. Returns how much of what is no message, so far
 * and not returned yet, is damage: a channel without any message has none. */
uint64_t syst_channels_see(struct syst_channels *channels, uint16_t master, uint16_t channel, bool is_good);

#endif
