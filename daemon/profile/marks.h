/* marks.h - measures the time between two checkpoints, as the TF-M profiler's own analysis does. */
#ifndef PROFILE_MARKS_H
#define PROFILE_MARKS_H

#include "base/map.h"
#include "snapshot/names.h"
#include "snapshot/snapshot.h"

/* Limits of rows, averages, pairs and names; the rest is counted in over_limit. */
enum { MARKS_ROWS_MAX = 65536, MARKS_AVERAGES_MAX = 1024, MARKS_PAIRS_MAX = 4096, MARKS_NAMES_MAX = 65536 };

/* A pair of the plan, with its state for each calibration index. A pair with indices of its own (of_world)
 * only uses the first element. */
struct marks_pair {
    struct event_pair planned; /* its name is a copy, or NULL */
    struct marks_open {
        bool is_open;
        uint32_t count; /* the counter at the first `from` since the last `to` */
        uint64_t ticks;
    } open[4];
    uint32_t row[4]; /* MAP_NONE until measured */
};

/* Without pairs in the plan: the last checkpoint of a topic and calibration index. */
struct marks_last {
    bool is_set;
    uint32_t checkpoint, count;
    uint64_t ticks;
};

/* The plan, current measurements, and the rows of results. */
struct marks {
    struct snapshot_checkpoint *rows;
    uint64_t *sums; /* of ticks, parallel to the rows */
    uint32_t count, capacity;
    uint64_t over_limit; /* measurements without room for their row */
    struct marks_pair *pairs;
    uint32_t pair_count;
    struct map mark_names; /* key: topic and checkpoint; value: index in `texts` */
    const char **texts;
    uint32_t text_count;
    uint32_t calibration[4];
    enum event_counter counter;
    struct marks_last last[256][4];
    struct map by_key;   /* key: consecutive checkpoints; value: row */
    struct names *names; /* has the rows' texts; take a reference when copying rows */
};

/* One measurement, for the timeline. */
struct marks_span {
    uint32_t row;
    uint32_t calibration;                 /* calibration index at the end */
    uint64_t start_ticks, duration_ticks; /* by the counter, without calibration */
};

/* Receives one measurement. */
typedef void (*marks_span_fn)(void *user, const struct marks_span *span);

/* Makes an empty one without a plan. Returns false when memory is used up. */
bool marks_init(struct marks *marks);
void marks_fini(struct marks *marks);

/* Removes results and current measurements; keeps the plan. */
void marks_clear(struct marks *marks);

/* Stops current measurements: something is missing, or the target restarted. */
void marks_abandon(struct marks *marks);

/* Returns the plan's name of the checkpoint; NULL when it has none. The text lives as long as `names`. */
const char *marks_name(const struct marks *marks, uint32_t topic, uint32_t checkpoint);

/* Returns the name of a calibration index, 0 to 3: "secure", "1", "2", "non-secure"; static. */
const char *marks_context(uint32_t calibration);

/* Reads a MARK, PLAN or AVERAGE; changed rows get `sequence`. A new plan restarts measuring; rows of the old
 * one stay. `span` (or NULL) is called for each measurement. */
void marks_add(struct marks *marks, const struct event *event, uint64_t sequence, marks_span_fn span,
               void *user);

#endif
