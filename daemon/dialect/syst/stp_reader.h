/* stp_reader.h - from the packets of a MIPI System Trace Protocol stream to messages. */
#ifndef DIALECT_SYST_STP_READER_H
#define DIALECT_SYST_STP_READER_H

#include "dialect/syst/framing.h"
#include "dialect/syst/stp_packet.h"

enum {
    SYST_STP_SENDERS_OPEN = 64, /* pairs of master and channel that are in the middle of a message */
    SYST_STP_PART = 64,         /* bytes */
    SYST_STP_PARTS = 1280,      /* one message of the longest, and room for others */
    SYST_STP_MESSAGE_MAX = SYST_MESSAGE_MAX + 8,
};

/* A message that has begun and not ended. Its bytes are in parts, each of which names the next. */
struct syst_stp_open {
    bool is_open;
    bool is_doubted; /* the target reported an error: it is believed when its length says that all is there */
    uint16_t master, channel;
    uint16_t first, last; /* parts */
    uint32_t touched;     /* when a packet of it came last, by reader->packets_n */
    size_t n;             /* bytes */
    uint64_t start_time;
};

/* The packet that is being read, and the messages. A reader's zero is its start state except for the order of
 * nibbles: lost until ASYNC. */
struct syst_stp_reader {
    struct syst_stp_packets packets;
    uint16_t master, channel;
    uint16_t sure_master, sure_channel; /* of the last message that was complete */
    uint32_t packets_n;
    uint8_t current; /* the open message of master and channel, from 1 on; 0: there is none */
    uint8_t open_n;
    struct syst_stp_open open[SYST_STP_SENDERS_OPEN];
    uint16_t parts_used, parts_free; /* ever used; the first that is free again, from 1 on */
    uint16_t next[SYST_STP_PARTS];   /* part, from 1 on */
    uint8_t part[SYST_STP_PARTS][SYST_STP_PART];
    uint8_t whole[SYST_STP_MESSAGE_MAX]; /* a message put together */
};

/* Takes the next nibble, and tells `out` of the message that it ends, or that the boundary is lost. */
void syst_stp_reader_feed(struct syst_stp_reader *reader, uint8_t nibble, const struct syst_out *out);

/* Gives up the messages that are being read, and waits for a mark. */
void syst_stp_reader_lose(struct syst_stp_reader *reader, const struct syst_out *out);

/* No more nibbles will follow: messages that lack their flag only are reported. What a capture's end cuts is
 * no damage. */
void syst_stp_reader_finish(struct syst_stp_reader *reader, const struct syst_out *out);

/* Makes the reader what zero is, without touching the memory that holds bytes, and sets the order. */
void syst_stp_reader_clear(struct syst_stp_reader *reader, bool most_first);

/* Goes on as one that has just read the code of a message's first packet, its value `header`, and that a
 * stamp of 16 nibbles follows, of the sender whose message was complete last. Messages that had begun are
 * given up. */
void syst_stp_reader_start(struct syst_stp_reader *reader, uint32_t header, const struct syst_out *out);

/* True when the next nibbles mean nothing to it. */
bool syst_stp_reader_is_lost(const struct syst_stp_reader *reader);

/* True when the message that is being read has more bytes than it says. */
bool syst_stp_reader_is_too_long(const struct syst_stp_reader *reader);

#endif
