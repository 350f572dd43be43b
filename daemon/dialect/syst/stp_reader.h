/* stp_reader.h - from the nibbles of a MIPI System Trace Protocol stream to messages. */
#ifndef DIALECT_SYST_STP_READER_H
#define DIALECT_SYST_STP_READER_H

#include "dialect/syst/framing.h"

enum { SYST_STP_ASYNC_RUN = 21 }; /* nibbles F of the stream's own mark, before a 0 */

/* The packet, and the message, that are being read. Zero is the start state: lost until a mark. */
struct syst_stp_reader {
    uint8_t state; /* what the next nibble is */
    uint8_t run;   /* of nibbles F until now, at most 21 */
    struct syst_stp_packet {
        uint8_t kind, nibbles;
        bool has_time, starts, ends;
    } packet;       /* being read */
    uint8_t got;    /* its nibbles so far */
    uint8_t wanted; /* nibbles of its time stamp */
    uint64_t value, time_part;
    bool inside; /* of a message */
    size_t n;
    uint8_t bytes[SYST_MESSAGE_MAX + 8];
    uint64_t time, start_time, hz;
    uint16_t master, channel;
};

/* Takes the next nibble, and tells `out` of the message that it ends, or that the boundary is lost. */
void syst_stp_reader_feed(struct syst_stp_reader *reader, uint8_t nibble, const struct syst_out *out);

/* Gives up the message that is being read, and waits for a mark. */
void syst_stp_reader_lose(struct syst_stp_reader *reader, const struct syst_out *out);

/* Goes on as one that has just read the code of a message's first packet, its value `header`, and that a
 * stamp of 16 nibbles follows. */
void syst_stp_reader_start(struct syst_stp_reader *reader, uint32_t header, const struct syst_out *out);

/* Whether the next nibbles mean nothing to it; whether they are of a message; whether they are the stamp of a
 * message's first packet, from its first nibble on. */
bool syst_stp_reader_is_lost(const struct syst_stp_reader *reader);
bool syst_stp_reader_is_in_message(const struct syst_stp_reader *reader);
bool syst_stp_reader_is_at_start(const struct syst_stp_reader *reader);

#endif
