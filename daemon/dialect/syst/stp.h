/* stp.h - messages in a MIPI System Trace Protocol stream of nibbles, whichever order they come in. */
#ifndef DIALECT_SYST_STP_H
#define DIALECT_SYST_STP_H

#include "dialect/syst/stp_finder.h"

/* Bytes are held until it is clear in which order the nibbles of a value come. */
enum { SYST_STP_WINDOW = 4096 };

/* What speaks for an order. */
struct syst_stp_evidence {
    int sum;
    uint32_t messages; /* ended */
};

/* Zero is the start state. */
struct syst_stp {
    bool is_ready, is_decided;            /* the finders are; which of them is right */
    bool most_first;                      /* which, once that is decided */
    bool has_good;                        /* a message of the order decided on was good */
    uint8_t bad_n;                        /* messages in a row that were not */
    struct syst_stp_evidence evidence[2]; /* for each order, least significant nibble first and most */
    struct syst_stp_finder finder[2];
    size_t window_n;
    uint8_t window[SYST_STP_WINDOW];
};

/* syst_stp_feed() takes any run of bytes and tells `out` of messages; syst_stp_finish() tells what was held
 * back, since no more bytes will follow. */
void syst_stp_feed(struct syst_stp *stp, const uint8_t *bytes, size_t n, const struct syst_out *out);
void syst_stp_finish(struct syst_stp *stp, const struct syst_out *out);

/* Makes it what zero is. */
void syst_stp_clear(struct syst_stp *stp);

/* Tells whether these bytes contain the mark that such a stream begins with and repeats. */
bool syst_stp_is_in(const uint8_t *bytes, size_t n);

#endif
