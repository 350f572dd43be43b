/* stp_finder.h - reads messages in a MIPI System Trace Protocol stream that may be damaged. */
#ifndef DIALECT_SYST_STP_FINDER_H
#define DIALECT_SYST_STP_FINDER_H

#include "dialect/syst/stp_reader.h"

/* Bytes after a mark inside of a message that are buffered until the doubt is resolved. At this limit, the
 * message is accepted. */
enum { SYST_STP_HOLD = 4096 };

/* The current reader and, while it is in doubt, an alternative one. All zero is the initial state, except for
 * the order of nibbles. */
struct syst_stp_finder {
    struct syst_stp_reader reader; /* the current one */
    struct syst_stp_reader other;  /* reads from the mark on */
    uint64_t recent;               /* the last eight bytes, the newest lowest */
    uint8_t proofs;                /* successive good messages of the other reader */
    uint8_t readings;              /* of the buffered bytes during the present doubt */
    size_t held_n;                 /* 0: there is no doubt */
    uint8_t held[SYST_STP_HOLD + 1];
    struct syst_stp_place {
        uint64_t time, hz;
        uint8_t stamps;
        bool is_outside; /* no message was being read */
    } before;            /* the state before the mark */
};

/* syst_stp_finder_feed() reads a byte and sends messages to `out`. syst_stp_finder_finish() sends what is
 * still buffered, since no more bytes follow. */
void syst_stp_finder_feed(struct syst_stp_finder *finder, uint8_t byte, const struct syst_out *out);
void syst_stp_finder_finish(struct syst_stp_finder *finder, const struct syst_out *out);

/* Resets it to the initial state, without touching the buffers, and sets the order of nibbles. */
void syst_stp_finder_clear(struct syst_stp_finder *finder, bool most_first);

/* True when the message has a length, and is complete. */
bool syst_stp_is_good(const struct syst_frame *frame);

#endif
