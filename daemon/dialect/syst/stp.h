/* stp.h - reads messages in a MIPI System Trace Protocol stream, in either order of nibbles. */
#ifndef DIALECT_SYST_STP_H
#define DIALECT_SYST_STP_H

#include "dialect/syst/stp_finder.h"

/* Bytes are buffered until the order of nibbles in a value is known. */
enum { SYST_STP_WINDOW = 4096 };

/* The evidence for an order. */
struct syst_stp_evidence {
    int sum;
    uint32_t messages; /* complete ones */
};

/* All zero is the initial state. */
struct syst_stp {
    bool is_ready, is_decided; /* is_ready: the finders are set up; is_decided: the order is known */
    bool most_first;           /* the order, once decided */
    bool has_good;             /* there was a good message in that order */
    uint8_t bad_n;             /* successive bad messages */
    struct syst_stp_evidence evidence[2]; /* for each order: least, or most, significant nibble first */
    struct syst_stp_finder finder[2];
    size_t window_n;
    uint8_t window[SYST_STP_WINDOW];
};

/* syst_stp_feed() reads any run of bytes and sends messages to `out`. syst_stp_finish() sends what is still
 * buffered, since no more bytes follow. */
void syst_stp_feed(struct syst_stp *stp, const uint8_t *bytes, size_t n, const struct syst_out *out);
void syst_stp_finish(struct syst_stp *stp, const struct syst_out *out);

/* Resets it to the initial state. */
void syst_stp_clear(struct syst_stp *stp);

/* True when these bytes contain the mark that begins such a stream and is repeated in it. */
bool syst_stp_is_in(const uint8_t *bytes, size_t n);

#endif
