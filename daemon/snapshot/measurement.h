/* measurement.h - the task of a measuring session, and how it ended. */
#ifndef SNAPSHOT_MEASUREMENT_H
#define SNAPSHOT_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Why a session that measures ended. */
enum snapshot_end {
    SNAPSHOT_GOES_ON,
    SNAPSHOT_END_WORK,     /* the function was called as often as asked */
    SNAPSHOT_END_DURATION, /* the time is over */
    SNAPSHOT_END_SIGNAL,   /* a user or a script ended it */
    SNAPSHOT_END_SOURCE,   /* the recording or stream ended, or could not be read further */
    SNAPSHOT_END_GONE,     /* the device disappeared and did not return, or never appeared */
};

/* The task of a measuring session, and how it ended. */
struct snapshot_measurement {
    bool is_set;             /* false: the session measures nothing; it serves a page */
    const char *function;    /* --work: counts calls of this function; the session's text; NULL: none */
    uint64_t calls, counted; /* how often it is to be called, and was called */
    enum snapshot_end end;
};

/* Returns "work", "duration", "signal", "source" or "gone", static; NULL when it has not ended. */
const char *snapshot_end_name(enum snapshot_end end);

#endif
