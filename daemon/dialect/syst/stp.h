/* stp.h - messages in a MIPI System Trace Protocol stream of nibbles. */
#ifndef DIALECT_SYST_STP_H
#define DIALECT_SYST_STP_H

#include "dialect/syst/framing.h"

/* The packet, and the message, that are being read. Zero is the start state. */
struct syst_stp {
    uint8_t state; /* what the next nibble is */
    uint8_t run;   /* of nibbles F until now, at most 21 */
    struct syst_stp_packet {
        uint8_t kind, nibbles;
        bool has_time, starts, ends;
    } packet;       /* being read */
    uint8_t got;    /* its nibbles so far */
    uint8_t wanted; /* nibbles of its time stamp */
    uint64_t value, time_part;
    uint64_t recent; /* the last eight bytes, the newest lowest */
    bool inside;     /* of a message */
    size_t n;
    uint8_t bytes[SYST_MESSAGE_MAX + 8];
    bool has_time; /* the message that is gathered has one */
    uint64_t time, start_time, hz;
    uint16_t master, channel;
};

/* syst_stp_feed() takes any run of bytes and tells `out` of messages; syst_stp_finish() counts what stays
 * unfinished, since no more bytes will follow. */
void syst_stp_feed(struct syst_stp *stp, const uint8_t *bytes, size_t n, const struct syst_out *out);
void syst_stp_finish(struct syst_stp *stp, const struct syst_out *out);

/* Tells whether these bytes contain the mark that such a stream begins with and repeats. */
bool syst_stp_is_in(const uint8_t *bytes, size_t n);

#endif
