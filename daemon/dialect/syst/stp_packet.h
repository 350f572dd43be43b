/* stp_packet.h - reads packets from the nibbles of a MIPI System Trace Protocol stream (STPv2). */
#ifndef DIALECT_SYST_STP_PACKET_H
#define DIALECT_SYST_STP_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SYST_STP_ASYNC_RUN = 21 }; /* number of nibbles F in the stream's own mark, before a 0 */

/* Kind of a packet. */
enum syst_stp_kind {
    SYST_STP_OTHER, /* skipped by its length */
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
    SYST_STP_RESERVED,     /* of unknown length */
};

/* A row of the tables of operation codes: what follows the code. */
struct syst_stp_packet {
    uint8_t kind;
    uint8_t nibbles; /* of its value */
    bool has_time;   /* a stamp follows the value */
    bool is_marked;
};

/* The kind of stamps, from VERSION. */
enum syst_stp_stamps {
    SYST_STP_ABSOLUTE, /* the low nibbles of a clock (STPv2NAT) */
    SYST_STP_DELTA,    /* ticks since the last stamp (STPv2NATDELTA) */
    SYST_STP_GRAY,     /* the low nibbles of a clock in gray code (STPv2GRAY) */
    SYST_STP_LEGACY,   /* two nibbles of unknown time (STPv1) */
    SYST_STP_UNKNOWN,
};

/* State of the packet reader. All zero is the initial state, except for `most_first`: lost until ASYNC. */
struct syst_stp_packets {
    bool most_first; /* the most significant nibble of a value comes first, as in the standard */
    uint8_t told;    /* enum syst_stp_told_order, from VERSION */
    uint8_t state;   /* what the next nibble belongs to */
    uint8_t run;     /* nibbles F just read, at most 21 */
    uint8_t stamps;  /* enum syst_stp_stamps */
    struct syst_stp_packet packet; /* the current packet, or the last one */
    uint8_t got, wanted;           /* nibbles read so far; nibbles of the stamp */
    bool is_aside;                 /* the stamp is the value of a TIME packet */
    uint64_t value, stamp;
    uint64_t time, hz; /* time of the newest stamp; hz: 0 when not reported */
};

enum syst_stp_told_order { SYST_STP_NOT_TOLD, SYST_STP_TOLD_LEAST, SYST_STP_TOLD_MOST };

/* The result of a nibble. */
enum syst_stp_step {
    SYST_STP_INSIDE, /* nothing yet */
    SYST_STP_PACKET, /* packets->packet is complete, with its value and time */
    SYST_STP_LOST,   /* not a packet: everything is unknown until ASYNC */
    SYST_STP_SYNC,   /* ASYNC, where it is expected */
    SYST_STP_RESYNC, /* unexpected ASYNC: what was read since the last packet was not a packet */
};

/* Reads the next nibble. */
enum syst_stp_step syst_stp_packets_feed(struct syst_stp_packets *packets, uint8_t nibble);

/* Waits for ASYNC. Returns false when it already did. */
bool syst_stp_packets_lose(struct syst_stp_packets *packets);

/* Continues as if it had just read the code of a D32TS packet, its value, and a stamp size of 16 nibbles. */
void syst_stp_packets_start(struct syst_stp_packets *packets, uint32_t value);

/* In turn: true when nibbles are ignored until ASYNC; true when the first packet of a message is being read;
 * true when its stamp begins with the next nibble. */
bool syst_stp_packets_are_lost(const struct syst_stp_packets *packets);
bool syst_stp_packets_are_starting(const struct syst_stp_packets *packets);
bool syst_stp_packets_are_at_stamp(const struct syst_stp_packets *packets);

#endif
