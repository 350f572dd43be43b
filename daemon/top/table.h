/* table.h - sorts the functions of a reading as the user wants, with shares. */
#ifndef TOP_TABLE_H
#define TOP_TABLE_H

#include "top/reading.h"

enum table_sort {
    SORT_OWN,
    SORT_TOTAL,
    SORT_RATE,
    SORT_MEAN,
    SORT_P99,
    SORT_MAX,
    SORT_CALLS,
    SORT_NAME,
    SORTS
};

/* The user's choices. */
struct table_view {
    enum table_sort sort;
    bool is_reversed;
    bool has_idle;       /* shares include idle time */
    bool is_since_start; /* since the start, not in the last interval */
};

/* A row. NAN is unknown. */
struct table_row {
    const char *name;
    double own, total;            /* shares of 1 */
    double rate;                  /* calls per second of the target's time */
    double mean, p99, max, calls; /* since the start; ticks */
};

/* A context and its share of the running time of all contexts. */
struct table_task {
    const char *name, *kind;
    double load, stack;
    size_t id;
};

struct table {
    struct table_row *rows;
    size_t n;
    struct table_task *tasks;
    size_t tasks_n;
    double seconds; /* the interval in target time, or else wall-clock time; NAN unknown */
    double busy;    /* share of time that is not idle, 0 to 1; NAN: unknown */
    bool is_since_start;
};

/* Makes the table of `now` minus `before`, or of all of `now` if the user wants that, or `before` is NULL or of another
 * profile. Functions that did not run are left out. False when memory is used up. The caller frees it with
 * table_fini(); `now` owns the texts. */
bool table_make(struct table *table, const struct reading *before, const struct reading *now,
                const struct table_view *view);
void table_fini(struct table *table);

/* Returns the word for a sort order: "own" and so on. */
const char *table_sort_name(enum table_sort sort);

/* Finds the sort order with that name. False when there is none. */
bool table_sort_named(const char *name, enum table_sort *sort);

#endif
