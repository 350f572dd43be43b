/* framing.h - how SyS-T messages come over a serial line: what all framings have in common. */
#ifndef DIALECT_SYST_FRAMING_H
#define DIALECT_SYST_FRAMING_H

#include "dialect/dialect.h"
#include "dialect/syst/message.h"

/* One message's bytes, and what its transport knows about it. */
struct syst_frame {
    const uint8_t *bytes;
    size_t n;
    bool has_time; /* the next two */
    uint64_t time; /* of the transport's clock */
    uint64_t hz;   /* 0: unknown */
    bool has_channel;
    uint16_t master, channel;
};

/* Where a framing puts what it finds. */
struct syst_out {
    void (*message)(void *user, const struct syst_frame *frame);
    void (*lost)(void *user); /* something is missing before the next message */
    void *user;
    struct dialect_health *health; /* bytes skipped and boundaries lost are counted by the framing */
};

#endif
