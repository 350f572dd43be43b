/* stp_reader.h - puts messages together from the packets of a MIPI System Trace Protocol stream. */
#ifndef DIALECT_SYST_STP_READER_H
#define DIALECT_SYST_STP_READER_H

#include "dialect/syst/framing.h"
#include "dialect/syst/stp_packet.h"

enum {
    SYST_STP_SENDERS_OPEN = 64, /* pairs of master and channel with an open message */
    SYST_STP_PART = 64,         /* bytes */
    SYST_STP_PARTS = 1280,      /* the longest message, and room for others */
    SYST_STP_MESSAGE_MAX = SYST_MESSAGE_MAX + 8,
};

/* A message that has begun but not ended. Its bytes are in a linked list of parts. */
struct syst_stp_open {
    bool is_open;
    bool is_doubted; /* the target reported an error: only accepted if it is complete by its length */
    uint16_t master, channel;
    uint16_t first, last; /* parts */
    uint32_t touched;     /* its last packet, by reader->packets_n */
    size_t n;             /* bytes */
    uint64_t start_time;
};

/* The current packet, and the messages. All zero is the initial state, except for the order of nibbles: lost
 * until ASYNC. */
struct syst_stp_reader {
    struct syst_stp_packets packets;
    uint16_t master, channel;
    uint16_t sure_master, sure_channel; /* of the last complete message */
    uint32_t packets_n;
    uint8_t current; /* the open message of master and channel, from 1 on; 0: none */
    uint8_t open_n;
    struct syst_stp_open open[SYST_STP_SENDERS_OPEN];
    uint16_t parts_used, parts_free; /* number ever used; the first free one, from 1 on */
    uint16_t next[SYST_STP_PARTS];   /* next part, from 1 on */
    uint8_t part[SYST_STP_PARTS][SYST_STP_PART];
    uint8_t whole[SYST_STP_MESSAGE_MAX]; /* a message with its parts joined */
};

/* Reads the next nibble. Sends a complete message, or the loss of the boundary, to `out`. */
void syst_stp_reader_feed(struct syst_stp_reader *reader, uint8_t nibble, const struct syst_out *out);

/* Drops the open messages, and waits for a mark. */
void syst_stp_reader_lose(struct syst_stp_reader *reader, const struct syst_out *out);

/* No more nibbles follow: reports messages that only lack their flag. Messages cut off by the end of a
 * capture do not count as damage. */
void syst_stp_reader_finish(struct syst_stp_reader *reader, const struct syst_out *out);

/* Resets the reader to the initial state, without touching the buffers, and sets the order. */
void syst_stp_reader_clear(struct syst_stp_reader *reader, bool most_first);

/* Continues as if it had just read the code of a message's first packet, its value `header`, and a stamp size
 * of 16 nibbles, from the sender of the last complete message. Open messages are dropped. */
void syst_stp_reader_start(struct syst_stp_reader *reader, uint32_t header, const struct syst_out *out);

/* True when nibbles are ignored until the next mark. */
bool syst_stp_reader_is_lost(const struct syst_stp_reader *reader);

/* True when the current message has more bytes than its length allows. */
bool syst_stp_reader_is_too_long(const struct syst_stp_reader *reader);

#endif
