/* bound_rows.h - a snapshot's table of limits: their states, and the newest and worst breaches. */
#ifndef SNAPSHOT_BOUND_ROWS_H
#define SNAPSHOT_BOUND_ROWS_H

#include "base/bound.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BOUNDS_MAX = 64,           /* limits at the same time */
    BREACHES_NEWEST_MAX = 256, /* breaches that are listed as the newest */
    BREACHES_WORST_MAX = 32,   /* and the worst of the older ones */
    BREACHES_MAX = BREACHES_NEWEST_MAX + BREACHES_WORST_MAX,
    BOUNDS_NO_FUNCTION = -1,
};

/* The state of a limit. */
enum snapshot_bound_state {
    BOUND_WAITS,   /* nothing was compared with it yet */
    BOUND_KEPT,    /* so far */
    BOUND_BROKEN,  /* at least one breach since the profile was cleared */
    BOUND_UNKNOWN, /* the target does not report what is needed to judge it */
    BOUND_STATES,
};

/* A call, period or figure that exceeds its limit. */
struct snapshot_breach {
    uint64_t number; /* since the profile was cleared: 0, 1, 2 */
    uint32_t bound;  /* id of the limit */
    enum bound_figure figure;
    uint64_t from_ticks, ticks; /* start and end; for a figure, both are when it was found */
    uint64_t wall_ns;           /* when the daemon saw it, wall-clock time */
    double value;               /* in the figure's unit */
    double excess;              /* bound_excess() */
};

/* One limit. */
struct snapshot_bound {
    struct bound bound;
    uint32_t id;      /* unique among the limits of this run */
    int32_t function; /* row of the function, or BOUNDS_NO_FUNCTION */
    uint8_t state;    /* enum snapshot_bound_state */
    bool is_missing;  /* the firmware's ELF has no such function */
    bool is_now_known;
    bool is_broken_now; /* figures only: the limit was exceeded when last judged */
    double now;         /* figures only: the value then */
    uint64_t judged;    /* calls or periods that were judged; for figures, seconds or snapshots */
    uint64_t breaches;  /* for figures: how often a breach began */
    struct snapshot_breach first, last, worst; /* undefined without breaches */
    char detail[256];                          /* a sentence; may be "" */
};

/* The limits, sorted by id, and the breaches, sorted by number. */
struct snapshot_bounds {
    const struct snapshot_bound *rows;
    uint32_t count;
    const struct snapshot_breach *breaches;
    uint32_t breach_count;
    uint64_t told;    /* all breaches, including those of deleted limits */
    uint64_t changed; /* sequence number */
};

enum { KEEPING_FILES_MAX = 32 };

/* The recordings of the time around breaches. The session fills this in. */
struct snapshot_keeping {
    char dir[512]; /* "" when none are made */
    struct snapshot_keeping_row {
        char name[64];             /* of the file in that folder */
        uint64_t wall_ns;          /* of the breach that started it */
        uint64_t bytes;            /* size of the file; 0 until it has ended */
        uint32_t limit;            /* id of the limit that was broken */
        bool is_open;              /* still being written */
    } rows[KEEPING_FILES_MAX + 1]; /* oldest first */
    uint32_t count;
    uint64_t made, dropped; /* all that were made; of these, deleted to make room */
    char failure[512];      /* why the last one could not be written, as a sentence; "" when it was */
};

/* Returns the state's name in JSON: "waits", "kept", "broken" or "unknown"; static. */
const char *snapshot_bound_state_name(enum snapshot_bound_state state);

/* Returns the limit with that id; NULL when it was deleted. */
const struct snapshot_bound *snapshot_bound_find(const struct snapshot_bounds *bounds, uint32_t id);

/* Returns the number of limits that were exceeded at least once. */
uint32_t snapshot_bounds_broken_count(const struct snapshot_bounds *bounds);

#endif
