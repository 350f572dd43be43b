/* figures.h - what is measured of a link and of a function: each figure is described here and nowhere else.
 *
 * JSON, deltas, CSV, Prometheus, the OpenAPI document and the page's Link view and Functions table are made
 * of these tables. So a new figure is a member of its struct, a row of its table, and whoever counts it. */
#ifndef SNAPSHOT_FIGURES_H
#define SNAPSHOT_FIGURES_H

#include "snapshot/snapshot.h"

#include <stddef.h>

/* What stands at a figure's offset, and so what it is in JSON. */
enum figure_type {
    FIGURE_U64,    /* uint64_t: an integer */
    FIGURE_DOUBLE, /* double: a number with `decimals` */
    FIGURE_MEAN,   /* uint64_t of a function, to be divided by its calls: a number with `decimals` */
    FIGURE_TEXT,   /* const char *, NULL while unknown: a string */
};

/* What one of it is: how people read it. */
enum figure_unit {
    UNIT_NUMBER, /* of whatever the title says */
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
    GROUP_NONE,    /* nowhere, or as a sentence only (webroot/js/model/advice.js) */
    GROUP_ARRIVED, /* what came */
    GROUP_DAMAGED, /* more than 0 is a worry */
    GROUP_LOST,    /* likewise */
    GROUP_CONNECTION,
    FIGURE_GROUPS,
};

/* Members that are not named are 0, which stands for the last thing said of each. */
struct figure {
    const char *key;   /* in JSON, CSV and the page's scripts; stays what it is */
    const char *title; /* for people: a heading */
    const char *help;  /* what it is, in a few words without a full stop at their end */
    size_t offset;     /* in struct snapshot_link or struct snapshot_function */
    size_t has;        /* of a bool there that says whether it is known; 0: it is, or `known` decides */

    /* The name in Prometheus without "miniprofd_" in front and a unit or "_total" behind; NULL: not reported
     * there. Figures of periods are, of functions that have a limit on theirs. */
    const char *metric;
    uint8_t type, unit; /* enum figure_type, enum figure_unit */
    uint8_t decimals;   /* in JSON and CSV */
    uint8_t group;      /* of the link: enum figure_group */
    uint16_t known; /* of a function: bits of enum function_known, without all of which it means nothing */
    uint8_t csv;    /* of a function: its column there, 1 for the first; 0: none */
    uint8_t column; /* of a function: its column in the page's table, likewise */
    bool adds_up;   /* what came between two snapshots is the difference */
    bool zero_where_made_up; /* what is no function of the target has none of it, instead of who knows how
                                many */
};

/* The tables, in the order of JSON, up to a figure without a key. */
extern const struct figure figures_link[];
extern const struct figure figures_function[];

/* "number", "bytes" and so on; static. */
const char *figure_unit_name(uint8_t unit);

/* "arrived" and so on, NULL for GROUP_NONE; static. */
const char *figure_group_name(uint8_t group);

/* True when the figure is known about that link, as far as `has` and a text say. */
bool figure_link_known(const struct figure *figure, const struct snapshot_link *link);

/* True when the figure means something for that row. A time needs no call that has returned: a function that
 * ran since before the target counted has its time and 0 calls. What is of each call, its length for one,
 * does need one. */
static inline bool figure_function_known(const struct figure *figure, const struct snapshot_function *row)
{
    uint32_t known = row->known & figure->known;
    return known & ~(uint32_t)FUNCTION_EACH || (known && row->calls > 0);
}

/* Those of FIGURE_U64, and the dividend of a FIGURE_MEAN. */
static inline uint64_t figure_u64(const struct figure *figure, const void *row)
{
    return *(const uint64_t *)(const void *)((const char *)row + figure->offset);
}

static inline void figure_set_u64(const struct figure *figure, void *row, uint64_t value)
{
    *(uint64_t *)(void *)((char *)row + figure->offset) = value;
}

/* Those of FIGURE_DOUBLE, and of FIGURE_MEAN where it is known. */
double figure_double(const struct figure *figure, const void *row);

/* Those of FIGURE_TEXT. */
const char *figure_text(const struct figure *figure, const void *row);

#endif
