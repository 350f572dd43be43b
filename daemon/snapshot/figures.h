/* figures.h - the only place where the figures of a link and of a function are described.
 *
 * JSON, deltas, CSV, Prometheus, the OpenAPI document and the page's Link view and Functions table are made
 * of these tables. So a new figure is a member of its struct, a row of its table, and the code that counts it. */
#ifndef SNAPSHOT_FIGURES_H
#define SNAPSHOT_FIGURES_H

#include "snapshot/snapshot.h"

#include <stddef.h>

/* The type of the member at a figure's offset, and its type in JSON. */
enum figure_type {
    FIGURE_U64,    /* uint64_t: an integer */
    FIGURE_DOUBLE, /* double: a number with `decimals` */
    FIGURE_MEAN,   /* uint64_t of a function, divided by its calls: a number with `decimals` */
    FIGURE_TEXT,   /* const char *, NULL when unknown: a string */
};

/* The unit of a figure. */
enum figure_unit {
    UNIT_NUMBER, /* a count; the title names what is counted */
    UNIT_BYTES,
    UNIT_TICKS,
    UNIT_PER_SECOND,
    UNIT_BYTES_PER_SECOND,
    UNIT_PERCENT,
    UNIT_WORDS, /* of FIGURE_TEXT */
    FIGURE_UNITS,
};

/* Where the page's Link view shows a figure of the link. */
enum figure_group {
    GROUP_NONE,    /* not shown, or only as a sentence (doctor/examine_line.c) */
    GROUP_ARRIVED, /* what was received */
    GROUP_DAMAGED, /* more than 0 is a problem */
    GROUP_LOST,    /* likewise */
    GROUP_CONNECTION,
    FIGURE_GROUPS,
};

/* Members that are not set are 0; their comments describe what 0 means. */
struct figure {
    const char *key;   /* in JSON, CSV and the page's scripts; never changes */
    const char *title; /* for people: a heading */
    const char *help;  /* a few words without a full stop */
    size_t offset;     /* in struct snapshot_link or struct snapshot_function */
    size_t has; /* offset of a bool there that is true when the figure is known; 0: always, or see `known` */

    /* The name in Prometheus, without the prefix "miniprofd_" and without a unit or "_total". NULL: not
     * exported. Figures of periods are exported for functions with a limit on their period. */
    const char *metric;
    uint8_t type, unit; /* enum figure_type, enum figure_unit */
    uint8_t decimals;   /* in JSON and CSV */
    uint8_t group;      /* of the link: enum figure_group */
    uint16_t known;     /* of a function: bits of enum function_known; it is defined if the row has any */
    uint8_t csv;        /* of a function: its CSV column, from 1; 0: none */
    uint8_t column;     /* of a function: its column in the page's table, likewise */
    bool adds_up;       /* the difference of two snapshots is what was added in between */
    bool zero_where_made_up; /* placeholders have 0 of it; otherwise it is unknown for them */
};

/* The tables, in the order of JSON. A figure without a key ends each. */
extern const struct figure figures_link[];
extern const struct figure figures_function[];

/* "number", "bytes" and so on; static. */
const char *figure_unit_name(uint8_t unit);

/* "arrived" and so on, NULL for GROUP_NONE; static. */
const char *figure_group_name(uint8_t group);

/* True when the figure is known for that link, by `has` or a non-NULL text. */
bool figure_link_known(const struct figure *figure, const struct snapshot_link *link);

/* True when the figure is defined for that row. Times do not need a completed call: a function that has been
 * running since before the target counted has a time and 0 calls. Figures of single calls, such as the
 * shortest, do need one. */
static inline bool figure_function_known(const struct figure *figure, const struct snapshot_function *row)
{
    uint32_t known = row->known & figure->known;
    return known & ~(uint32_t)FUNCTION_EACH || (known && row->calls > 0);
}

/* For FIGURE_U64; for FIGURE_MEAN, returns the dividend. */
static inline uint64_t figure_u64(const struct figure *figure, const void *row)
{
    return *(const uint64_t *)(const void *)((const char *)row + figure->offset);
}

static inline void figure_set_u64(const struct figure *figure, void *row, uint64_t value)
{
    *(uint64_t *)(void *)((char *)row + figure->offset) = value;
}

/* For FIGURE_DOUBLE, and for FIGURE_MEAN when it is known. */
double figure_double(const struct figure *figure, const void *row);

/* For FIGURE_TEXT. */
const char *figure_text(const struct figure *figure, const void *row);

#endif
