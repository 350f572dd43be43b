/* stp_finder.h - messages in a MIPI System Trace Protocol stream that may be damaged. */
#ifndef DIALECT_SYST_STP_FINDER_H
#define DIALECT_SYST_STP_FINDER_H

#include "dialect/syst/stp_reader.h"

/* Bytes behind a mark inside of a message that are kept until it is clear what they are; then the message
 * is believed. */
enum { SYST_STP_HOLD = 4096 };

/* What is being read, and while that is in doubt what else it may be. Zero is the start state except for the
 * order of nibbles. */
struct syst_stp_finder {
    struct syst_stp_reader reader; /* the one that is believed */
    struct syst_stp_reader other;  /* reads from the mark on */
    uint64_t recent;               /* the last eight bytes, the newest lowest */
    uint8_t proofs;                /* good messages in a row that the other one read */
    uint8_t readings;              /* of held bytes since there was no doubt */
    size_t held_n;                 /* 0: there is no doubt */
    uint8_t held[SYST_STP_HOLD + 1];
    struct syst_stp_place {
        uint64_t time, hz;
        uint8_t stamps;
        bool is_outside; /* no message was being read */
    } before;            /* the mark */
};

/* syst_stp_finder_feed() takes a byte and tells `out` of messages; syst_stp_finder_finish() tells what was
 * held back, since no more bytes will follow. */
void syst_stp_finder_feed(struct syst_stp_finder *finder, uint8_t byte, const struct syst_out *out);
void syst_stp_finder_finish(struct syst_stp_finder *finder, const struct syst_out *out);

/* Makes it what zero is, without touching the memory that holds bytes, and sets the order of nibbles. */
void syst_stp_finder_clear(struct syst_stp_finder *finder, bool most_first);

/* True when the message is all that its header promises, and says how long it is. */
bool syst_stp_is_good(const struct syst_frame *frame);

#endif
