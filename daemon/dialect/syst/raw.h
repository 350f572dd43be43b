/* raw.h - reads messages back to back, with nothing between them. */
#ifndef DIALECT_SYST_RAW_H
#define DIALECT_SYST_RAW_H

#include "dialect/syst/framing.h"

/* Bytes of a long claim that are searched for messages that contradict it. */
enum { SYST_RAW_LOOK = 1024 };

/* All zero is the initial state. */
struct syst_raw {
    uint8_t bytes[SYST_MESSAGE_MAX + SYST_RAW_LOOK];
    size_t front, n; /* undecided: n bytes from `front` on */
    size_t looked;   /* how far the claim at the front was searched */
    bool searching;  /* the boundary is lost */
};

/* syst_raw_feed() takes any run of bytes and reports messages to `out`; syst_raw_finish() settles the rest,
 * since no more bytes will follow. */
void syst_raw_feed(struct syst_raw *raw, const uint8_t *bytes, size_t n, const struct syst_out *out);
void syst_raw_finish(struct syst_raw *raw, const struct syst_out *out);

/* True when these bytes contain messages back to back that are not a coincidence. Short forms alone are not
 * enough. */
bool syst_raw_is_in(const uint8_t *bytes, size_t n);

#endif
