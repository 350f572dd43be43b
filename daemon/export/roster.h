/* roster.h - which functions have metrics of their own; the others are summed up.
 *
 * A series for each function of a large firmware would be a burden on whoever collects them. So the busiest
 * have one, and whatever had one keeps it, for a series that breaks off looks like a function that runs no
 * more. What a function did before it got its own stays in the sum, which therefore never falls. */
#ifndef EXPORT_ROSTER_H
#define EXPORT_ROSTER_H

#include "base/sink.h"
#include "snapshot/figures.h"

enum {
    ROSTER_USUAL = 500,  /* functions */
    ROSTER_FIGURES = 64, /* figures_function has no more */
    ROSTER_STAYS = 2,    /* times as many as are wanted are listed in the end */
};

struct roster {
    uint32_t most;       /* functions that are wanted: those with most time of their own */
    uint64_t cleared_at; /* of the snapshot that the rest is about */
    uint8_t *is_listed;  /* by the row of the function */
    uint32_t room, seen; /* rows: of is_listed, and of the last snapshot */
    uint32_t listed;
    bool has_sum;                     /* there is one, or was */
    uint64_t carried[ROSTER_FIGURES]; /* by place in figures_function: what of the sum is listed by now */
};

void roster_init(struct roster *roster, uint32_t most);
void roster_fini(struct roster *roster);

/* Lists what is among the busiest of a snapshot, at least as new as that of the call before. False when
 * memory is used up; then it is as it was. */
bool roster_follow(struct roster *roster, const struct snapshot *snapshot);

/* The sum, over those that are not listed, of a figure that adds up. False when there is none. */
bool roster_sum(const struct roster *roster, const struct snapshot *snapshot, const struct figure *figure,
                uint64_t *sum);

#endif
