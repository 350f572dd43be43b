/* roster.h - selects the functions that have their own metrics; the others are summed up.
 *
 * A series for each function of a large firmware would overload a collector. So only the busiest get one. They
 * keep it, since a series that ends looks like a function that no longer runs. A function's values before it
 * was listed stay in the sum, which therefore never falls. */
#ifndef EXPORT_ROSTER_H
#define EXPORT_ROSTER_H

#include "base/sink.h"
#include "snapshot/figures.h"

enum {
    ROSTER_USUAL = 500,  /* functions */
    ROSTER_FIGURES = 64, /* figures_function has no more */
    ROSTER_STAYS = 2,    /* at most this many times `most` functions are listed */
};

struct roster {
    uint32_t most;       /* wanted number of functions: those with most self time */
    uint64_t cleared_at; /* of the snapshot that the members below describe */
    uint8_t *is_listed;  /* by the row of the function */
    uint32_t room, seen; /* rows: of is_listed, and of the last snapshot */
    uint32_t listed;
    bool has_sum; /* a sum exists, or existed */
    /* by index in figures_function: part of the sum from functions listed since */
    uint64_t carried[ROSTER_FIGURES];
};

void roster_init(struct roster *roster, uint32_t most);
void roster_fini(struct roster *roster);

/* Lists the busiest functions of a snapshot, which must not be older than that of the previous call. False when
 * memory is used up; the roster is then unchanged. */
bool roster_follow(struct roster *roster, const struct snapshot *snapshot);

/* Computes the sum of an additive figure over functions that are not listed, and what listed ones had before. False
 * when there is no sum, or it is unknown. */
bool roster_sum(const struct roster *roster, const struct snapshot *snapshot, const struct figure *figure,
                uint64_t *sum);

#endif
