/* marks.h - what lies between two checkpoints, as the TF-M profiler's own analysis works it out. */
#ifndef PROFILE_MARKS_H
#define PROFILE_MARKS_H

#include "base/map.h"
#include "snapshot/names.h"
#include "snapshot/snapshot.h"

/* The most rows, averages, pairs and names; what is beyond is counted in over_limit. */
enum { MARKS_ROWS_MAX = 65536, MARKS_AVERAGES_MAX = 1024, MARKS_PAIRS_MAX = 4096, MARKS_NAMES_MAX = 65536 };

/* A pair of the plan, and where each calibration index is in it; one that says its worlds has the first place
 * alone. */
struct marks_pair {
    struct event_pair planned; /* its name is kept, or NULL */
    struct marks_open {
        bool is_open;
        uint32_t count; /* the counter at the first `from` since the last `to` */
        uint64_t ticks;
    } open[4];
    uint32_t row[4]; /* MAP_NONE until it was met */
};

/* Where the plan has no pairs: the last checkpoint of a topic and calibration index. */
struct marks_last {
    bool is_set;
    uint32_t checkpoint, count;
    uint64_t ticks;
};

/* The plan, what is under way, and the rows of what was measured. */
struct marks {
    struct snapshot_checkpoint *rows;
    uint64_t *sums; /* of ticks, parallel to the rows */
    uint32_t count, capacity;
    uint64_t over_limit; /* measurements that found no room */
    struct marks_pair *pairs;
    uint32_t pair_count;
    struct map mark_names; /* topic and checkpoint to a place in `texts` */
    const char **texts;
    uint32_t text_count;
    uint32_t calibration[4];
    enum event_counter counter;
    struct marks_last last[256][4];
    struct map by_key;   /* of consecutive checkpoints to row */
    struct names *names; /* what the rows' texts are in; who copies rows takes a reference */
};

/* A measurement, for a timeline. */
struct marks_span {
    uint32_t row;
    uint32_t calibration;                 /* where it ended */
    uint64_t start_ticks, duration_ticks; /* as the counter read, not calibrated */
};

/* Receives one measurement. */
typedef void (*marks_span_fn)(void *user, const struct marks_span *span);

/* Makes an empty one without a plan. False when memory is used up. */
bool marks_init(struct marks *marks);
void marks_fini(struct marks *marks);

/* Forgets what was measured and what is under way, not the plan. */
void marks_clear(struct marks *marks);

/* Gives up what is under way: something is missing, or the target started again. */
void marks_abandon(struct marks *marks);

/* Tells what the plan calls the checkpoint; NULL when it has no name. The text lives as long as `names`. */
const char *marks_name(const struct marks *marks, uint32_t topic, uint32_t checkpoint);

/* Tells what a calibration index, 0 to 3, stands for: "secure", "1", "2", "non-secure"; static. */
const char *marks_context(uint32_t calibration);

/* Takes in a MARK, PLAN or AVERAGE; rows that change get `sequence`. A plan begins measuring again: rows of
 * the one before stay. `span` (may be NULL) is reported each measurement. */
void marks_add(struct marks *marks, const struct event *event, uint64_t sequence, marks_span_fn span,
               void *user);

#endif
