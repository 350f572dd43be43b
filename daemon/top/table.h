/* table.h - the functions of a reading in the order that the user wants, with shares. */
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

/* How the user wants to see it. */
struct table_view {
    enum table_sort sort;
    bool is_reversed;
    bool has_idle;       /* idle time is in the shares */
    bool is_since_start; /* of all of the time, not of the last interval */
};

/* NAN is "unknown". */
struct table_row {
    const char *name;
    double own, total;            /* shares of 1 */
    double rate;                  /* calls per second of the target's time */
    double mean, p99, max, calls; /* over all of the time; ticks */
};

/* A context and its share of the time in which any ran. */
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
    double seconds; /* of the target, or of wall-clock time where it does not say, that this is of; NAN */
    double busy;    /* share of 1 of the time that is not idle; NAN: idle time is not known */
    bool is_since_start;
};

/* Makes the table of what `now` has more than `before`, or of all that `now` has where the user wants that,
 * or `before` is NULL or of another profile. Only what ran is in it. False when memory is used up. The caller
 * gives it back with table_fini(); texts are those of `now`. */
bool table_make(struct table *table, const struct reading *before, const struct reading *now,
                const struct table_view *view);
void table_fini(struct table *table);

/* The word for an order: "own" and so on. */
const char *table_sort_name(enum table_sort sort);

/* True when there is such an order. */
bool table_sort_named(const char *name, enum table_sort *sort);

#endif
