/* stp.h - messages in a MIPI System Trace Protocol stream of nibbles. */
#ifndef DIALECT_SYST_STP_H
#define DIALECT_SYST_STP_H

#include "dialect/syst/stp_reader.h"

/* So many bytes from a mark inside of a message on are held until it is clear what they are; then the message
 * is believed. */
enum { SYST_STP_HOLD = 4096 };

/* What is being read, and while that is in doubt what else it may be. Zero is the start state. */
struct syst_stp {
    struct syst_stp_reader reader; /* the one that is believed */
    struct syst_stp_reader other;  /* reads from the mark on */
    uint64_t recent;               /* the last eight bytes, the newest lowest */
    uint8_t proofs;                /* good messages in a row that the other one read */
    uint8_t readings;              /* of held bytes since there was no doubt */
    size_t held_n;                 /* 0: there is no doubt */
    uint8_t held[SYST_STP_HOLD + 1];
    struct syst_stp_place {
        uint64_t time, hz;
        uint16_t master, channel;
    } before; /* the mark */
};

/* syst_stp_feed() takes any run of bytes and tells `out` of messages; syst_stp_finish() counts what stays
 * unfinished, since no more bytes will follow. */
void syst_stp_feed(struct syst_stp *stp, const uint8_t *bytes, size_t n, const struct syst_out *out);
void syst_stp_finish(struct syst_stp *stp, const struct syst_out *out);

/* Tells whether these bytes contain the mark that such a stream begins with and repeats. */
bool syst_stp_is_in(const uint8_t *bytes, size_t n);

#endif
