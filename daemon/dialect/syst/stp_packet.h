/* stp_packet.h - from the nibbles of a MIPI System Trace Protocol stream (STPv2) to packets. */
#ifndef DIALECT_SYST_STP_PACKET_H
#define DIALECT_SYST_STP_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SYST_STP_ASYNC_RUN = 21 }; /* nibbles F of the stream's own mark, before a 0 */

/* What a packet is for. */
enum syst_stp_kind {
    SYST_STP_OTHER, /* nothing of it is needed but its length */
    SYST_STP_DATA,
    SYST_STP_FLAG,
    SYST_STP_MASTER8,
    SYST_STP_MASTER16,
    SYST_STP_CHANNEL8,
    SYST_STP_CHANNEL16,
    SYST_STP_MASTER_ERROR,
    SYST_STP_CHANNEL_ERROR,
    SYST_STP_GLOBAL_ERROR,
    SYST_STP_FREQUENCY,
    SYST_STP_VERSION,
    SYST_STP_VERSION_MORE, /* its two nibbles from STP 2.2 on */
    SYST_STP_USER,         /* its length comes first */
    SYST_STP_TIME,         /* a clock, a kind of stamp, and a stamp */
    SYST_STP_RESERVED,     /* it is unknown its length */
};

/* A row of the table of operation codes: what follows the code. */
struct syst_stp_packet {
    uint8_t kind;
    uint8_t nibbles; /* of its value */
    bool has_time;   /* a stamp follows the value */
    bool is_marked;
};

/* What stamps are, as VERSION tells. */
enum syst_stp_stamps {
    SYST_STP_ABSOLUTE, /* the low nibbles of a clock (STPv2NAT) */
    SYST_STP_DELTA,    /* ticks since the stamp before (STPv2NATDELTA) */
    SYST_STP_GRAY,     /* the low nibbles of a clock in gray code (STPv2GRAY) */
    SYST_STP_LEGACY,   /* two nibbles, whose time is unknown (STPv1) */
    SYST_STP_UNKNOWN,
};

/* What is being read. Zero is the start state except for `most_first`: lost until ASYNC. */
struct syst_stp_packets {
    bool most_first; /* the most significant nibble of a value comes first, as the standard has it */
    uint8_t told;    /* enum syst_stp_told_order, by VERSION */
    uint8_t state;   /* what the next nibble is */
    uint8_t run;     /* of nibbles F until now, at most 21 */
    uint8_t stamps;  /* enum syst_stp_stamps */
    struct syst_stp_packet packet; /* being read, or read last */
    uint8_t got, wanted;           /* its nibbles so far; nibbles of its stamp */
    bool is_aside;                 /* the stamp is the value of a TIME packet */
    uint64_t value, stamp;
    uint64_t time, hz; /* of the newest stamp; 0 Hz: not reported */
};

enum syst_stp_told_order { SYST_STP_NOT_TOLD, SYST_STP_TOLD_LEAST, SYST_STP_TOLD_MOST };

/* What a nibble ends. */
enum syst_stp_step {
    SYST_STP_INSIDE, /* nothing yet */
    SYST_STP_PACKET, /* packets->packet, with its value and time */
    SYST_STP_LOST,   /* no packet is so: nothing is known until ASYNC */
    SYST_STP_SYNC,   /* ASYNC, where one may stand */
    SYST_STP_RESYNC, /* ASYNC in the middle of something: what was read since the last packet was none */
};

/* Takes the next nibble. */
enum syst_stp_step syst_stp_packets_feed(struct syst_stp_packets *packets, uint8_t nibble);

/* Waits for ASYNC; false when it does already. */
bool syst_stp_packets_lose(struct syst_stp_packets *packets);

/* Goes on as one that has just read the code of a D32TS packet, its value, and that a stamp of 16 nibbles
 * follows. */
void syst_stp_packets_start(struct syst_stp_packets *packets, uint32_t value);

/* True when nibbles mean nothing until ASYNC; whether a packet that begins a message is being read; whether
 * its stamp is, from its first nibble on. */
bool syst_stp_packets_are_lost(const struct syst_stp_packets *packets);
bool syst_stp_packets_are_starting(const struct syst_stp_packets *packets);
bool syst_stp_packets_are_at_stamp(const struct syst_stp_packets *packets);

#endif
