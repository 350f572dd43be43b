/* clock.h - converts the times of several clocks to one time line.
 *
 * Each client has a clock for its time stamps, and the transport may have another. The time line uses the
 * first of these clocks that was seen; a message's own stamp comes before the transport's. A CLOCK message
 * has the reading and the rate of a client's clock; from then on its stamps are converted to the time
 * line. */
#ifndef DIALECT_SYST_CLOCK_H
#define DIALECT_SYST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The time line. All zero is the initial state. */
struct syst_line {
    bool is_decided, is_transport; /* which clock it uses */
    bool is_fixed;                 /* the user set the rate */
    uint64_t hz;                   /* 0 when unknown */
    uint64_t newest;               /* newest tick so far */
    uint64_t moved;                /* to be added for earlier restarts */
    bool restarted;
    bool has_anchor; /* one moment is known in ticks of the line and of the transport */
    uint64_t anchor_ticks, anchor_transport;
};

/* One client's clock. All zero: unknown. */
struct syst_clock {
    bool is_known;
    uint64_t reading, ticks; /* the same moment on this clock and on the line */
    uint64_t hz;
};

/* The known times of a message. */
struct syst_moment {
    bool has_stamp, has_transport;
    uint64_t stamp;     /* by the client's clock */
    uint64_t transport; /* by the transport's clock */
    uint64_t transport_hz;
};

/* Returns the tick of the message on the time line. *estimated becomes true when only the order of messages
 * shows it. */
uint64_t syst_line_place(struct syst_line *line, const struct syst_clock *clock,
                         const struct syst_moment *moment, bool *estimated);

/* Reads a CLOCK message: at that moment the clock had the value `reading` and ran at `hz`. Returns true if it
 * made the rate of the line known. */
bool syst_line_sync(struct syst_line *line, struct syst_clock *clock, const struct syst_moment *moment,
                    uint64_t reading, uint64_t hz);

/* The target restarted: ticks continue from the newest. */
void syst_line_restart(struct syst_line *line);

#endif
