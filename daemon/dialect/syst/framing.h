/* framing.h - how SyS-T messages are sent over a serial line: the interface of all framings. */
#ifndef DIALECT_SYST_FRAMING_H
#define DIALECT_SYST_FRAMING_H

#include "dialect/dialect.h"
#include "dialect/syst/message.h"

/* One message's bytes, and its data from the transport. */
struct syst_frame {
    const uint8_t *bytes;
    size_t n;
    bool has_time; /* `time` and `hz` are valid */
    uint64_t time; /* of the transport's clock */
    uint64_t hz;   /* 0 when unknown */
    bool has_channel;
    uint16_t master, channel;
};

/* Receives what a framing finds. */
struct syst_out {
    void (*message)(void *user, const struct syst_frame *frame);
    void (*lost)(void *user); /* something is missing before the next message */
    void *user;
    struct dialect_health *health; /* the framing counts skipped bytes and lost boundaries */
};

#endif
