/* measurement.h - what a session that measures was to do, and how it ended. */
#ifndef SNAPSHOT_MEASUREMENT_H
#define SNAPSHOT_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Why a session that measures ended. */
enum snapshot_end {
    SNAPSHOT_GOES_ON,
    SNAPSHOT_END_WORK,     /* the function was called as often as asked */
    SNAPSHOT_END_DURATION, /* the time was up */
    SNAPSHOT_END_SIGNAL,   /* a user or a script ended it */
    SNAPSHOT_END_SOURCE,   /* the recording or the stream ended, or could not be read any further */
    SNAPSHOT_END_GONE,     /* the device went away for good, or never came */
};

/* What a session that measures was to do, and how that ended. */
struct snapshot_measurement {
    bool is_set;             /* false: the session measures nothing of its own, but shows a page */
    const char *function;    /* --work: to be called `calls` times; the session's own, NULL: nothing */
    uint64_t calls, counted; /* how often it is to be called, and how often it was */
    enum snapshot_end end;
};

/* "work", "duration", "signal", "source", "gone", static; NULL while it goes on. */
const char *snapshot_end_name(enum snapshot_end end);

#endif
