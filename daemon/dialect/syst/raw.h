/* raw.h - messages back to back, with nothing between them. */
#ifndef DIALECT_SYST_RAW_H
#define DIALECT_SYST_RAW_H

#include "dialect/syst/framing.h"

/* Bytes of a long claim that are searched for messages that contradict it. */
enum { SYST_RAW_LOOK = 1024 };

/* What is not settled yet. Zero is the start state. */
struct syst_raw {
    uint8_t bytes[SYST_MESSAGE_MAX + SYST_RAW_LOOK];
    size_t front, n; /* what is not settled yet: n bytes from there */
    size_t looked;   /* into the claim at the front */
    bool searching;  /* the boundary is lost */
};

/* syst_raw_feed() takes any run of bytes and tells `out` of messages; syst_raw_finish() settles the rest,
 * since no more bytes will follow. */
void syst_raw_feed(struct syst_raw *raw, const uint8_t *bytes, size_t n, const struct syst_out *out);
void syst_raw_finish(struct syst_raw *raw, const struct syst_out *out);

/* Tells whether messages back to back are in these bytes, beyond what chance makes. Short forms alone never
 * are. */
bool syst_raw_is_in(const uint8_t *bytes, size_t n);

#endif
