/* bound_rows.h - the limits that people set, how they were kept, and the newest and worst times that they
 * were not: a part of a snapshot. */
#ifndef SNAPSHOT_BOUND_ROWS_H
#define SNAPSHOT_BOUND_ROWS_H

#include "base/bound.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BOUNDS_MAX = 64,           /* limits at a time */
    BREACHES_NEWEST_MAX = 256, /* that are listed, */
    BREACHES_WORST_MAX = 32,   /* and of those before the worst */
    BREACHES_MAX = BREACHES_NEWEST_MAX + BREACHES_WORST_MAX,
    BOUNDS_NO_FUNCTION = -1,
};

/* What is known about a limit. */
enum snapshot_bound_state {
    BOUND_WAITS,   /* there is nothing yet to hold against it */
    BOUND_KEPT,    /* so far */
    BOUND_BROKEN,  /* once or more since the profile was cleared */
    BOUND_UNKNOWN, /* it cannot be judged by what the target tells */
    BOUND_STATES,
};

/* A call, a period or a figure that does not keep to its bound. */
struct snapshot_breach {
    uint64_t number; /* of those since the profile was cleared: 0, 1, 2 */
    uint32_t bound;  /* id of the limit */
    enum bound_figure figure;
    uint64_t from_ticks, ticks; /* of the call or period; of a figure both when it was found */
    uint64_t wall_ns;           /* when the daemon saw it */
    double value;               /* in the figure's unit */
    double excess;              /* bound_excess() */
};

/* One limit. */
struct snapshot_bound {
    struct bound bound;
    uint32_t id;      /* of no other limit of this run */
    int32_t function; /* row of the functions, or BOUNDS_NO_FUNCTION */
    uint8_t state;    /* enum snapshot_bound_state */
    bool is_missing;  /* the firmware's ELF has no such function */
    bool is_now_known;
    bool is_broken_now;                        /* of figures: it did not hold when it was judged last */
    double now;                                /* of figures: the value then */
    uint64_t judged;                           /* calls or periods; of figures: seconds, or snapshots */
    uint64_t breaches;                         /* of figures: times that they ceased to hold */
    struct snapshot_breach first, last, worst; /* mean nothing without breaches */
    char detail[256];                          /* a sentence; "" when there is nothing to say */
};

/* The limits by id, and the breaches by number. */
struct snapshot_bounds {
    const struct snapshot_bound *rows;
    uint32_t count;
    const struct snapshot_breach *breaches;
    uint32_t breach_count;
    uint64_t told;    /* breaches in all, of limits that are gone, too */
    uint64_t changed; /* sequence */
};

enum { KEEPING_FILES_MAX = 32 };

/* The recordings of the time around breaches; filled in by the session. */
struct snapshot_keeping {
    char dir[512]; /* "": none are made */
    struct snapshot_keeping_row {
        char name[64];             /* of the file in that folder */
        uint64_t wall_ns;          /* of the breach that it was begun for */
        uint64_t bytes;            /* once it has ended */
        uint32_t limit;            /* id of the limit that was broken */
        bool is_open;              /* more comes */
    } rows[KEEPING_FILES_MAX + 1]; /* oldest first */
    uint32_t count;
    uint64_t made, dropped; /* in all; deleted again to make room */
    char failure[512];      /* why the last one could not be kept, in a sentence; "": it was */
};

/* The name of a state as JSON has it: "waits", "kept", "broken" or "unknown"; static. */
const char *snapshot_bound_state_name(enum snapshot_bound_state state);

/* The limit of that id; NULL when it is gone. */
const struct snapshot_bound *snapshot_bound_find(const struct snapshot_bounds *bounds, uint32_t id);

/* How many of them have been broken. */
uint32_t snapshot_bounds_broken(const struct snapshot_bounds *bounds);

#endif
