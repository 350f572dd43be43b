/* clock.h - many clocks, one time line.
 *
 * Each client has a clock for its time stamps, and the transport may have another. Events use one of these
 * clocks: the first that was seen, where messages' own stamps come before the transport's. A CLOCK message
 * says what a client's clock reads and how fast it runs; from then on its stamps are converted
 * to the line. */
#ifndef DIALECT_SYST_CLOCK_H
#define DIALECT_SYST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The line. Zero is the start state. */
struct syst_line {
    bool is_decided, is_transport; /* whose ticks it counts */
    bool is_fixed;                 /* the user said how fast */
    uint64_t hz;                   /* 0: unknown */
    uint64_t newest;               /* newest tick so far */
    uint64_t moved;                /* what to add for restarts before */
    bool restarted;
    bool has_anchor; /* a moment known in ticks of the line and of the transport */
    uint64_t anchor_ticks, anchor_transport;
};

/* One client's clock. Zero is one of which nothing is known. */
struct syst_clock {
    bool is_known;
    uint64_t reading, ticks; /* the same moment on it and on the line */
    uint64_t hz;
};

/* What is known about when a message was sent. */
struct syst_moment {
    bool has_stamp, has_transport;
    uint64_t stamp;     /* of the client's clock */
    uint64_t transport; /* of the transport's */
    uint64_t transport_hz;
};

/* Tells at which tick the moment lies on the line; *estimated becomes true when nothing but the order of
 * messages ends it. */
uint64_t syst_line_place(struct syst_line *line, const struct syst_clock *clock,
                         const struct syst_moment *moment, bool *estimated);

/* Takes in a CLOCK message: at that moment the clock read `reading` and ran at `hz`. True when the line's own
 * rate has become known by it. */
bool syst_line_sync(struct syst_line *line, struct syst_clock *clock, const struct syst_moment *moment,
                    uint64_t reading, uint64_t hz);

/* Lets ticks go on from the newest, since the target started again. */
void syst_line_restart(struct syst_line *line);

#endif
