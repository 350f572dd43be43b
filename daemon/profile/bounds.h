/* bounds.h - the user's limits, and whether they are kept.
 *
 * Figures of single calls (max, period, calls per second) are judged as calls arrive. A function's limits are
 * looked up once, so a call costs reading one byte, or nothing when there are no such limits. Sums are judged
 * at each snapshot. */
#ifndef PROFILE_BOUNDS_H
#define PROFILE_BOUNDS_H

#include "profile/breaches.h"
#include "profile/functions.h"
#include "snapshot/start.h"

/* One limit, and the state for judging it. */
struct bounds_row {
    struct snapshot_bound told;
    bool is_kept;                /* it is never removed to make room */
    struct bound_ticks ticks;    /* the limit in ticks, if it is a time */
    uint8_t next;                /* 1 + index of the function's next limit; 0: none */
    struct start last;           /* PERIOD: of the calls since the last loss */
    bool is_open;                /* RATE: a second is being counted */
    uint64_t from_ticks;         /* start of that second */
    uint64_t calls;              /* RATE: calls since then; in mode tree, the total at that time */
    struct snapshot_bound shown; /* as in the last snapshot */
};

/* All limits. All zero: none. */
struct bounds {
    struct bounds_row rows[BOUNDS_MAX];
    uint32_t count, next_id;
    uint8_t *firsts;       /* per function: 1 + index of its first limit that is judged at calls; 0: none */
    uint32_t looked, room; /* looked: functions matched so far; room: elements of `firsts` */
    bool watches;          /* some limit is judged at calls */
    bool is_tree;          /* the target counts its calls, and does not report single ones */
    uint64_t hz;           /* of a tick; 0 unknown */
    bool has_first;
    uint64_t first_ticks; /* of everything reported since the profile was cleared */
    struct breaches breaches;
    uint64_t changed; /* sequence number */
};

void bounds_fini(struct bounds *bounds);

/* Forgets breaches, states and the matched functions; keeps the limits. */
void bounds_clear(struct bounds *bounds, uint64_t sequence);

/* Adds a limit. When there are BOUNDS_MAX, it replaces the oldest one that is not marked by bounds_keep().
 * Returns false, with a sentence, when all are marked, or when the limit exists already. */
bool bounds_add(struct bounds *bounds, const struct bound *bound, const struct functions *functions,
                uint32_t *id, struct error *err);

/* Marks the limit with that id: it is never removed to make room. */
void bounds_keep(struct bounds *bounds, uint32_t id);

/* Removes the limit with that id; its breaches stay. Returns false when there is none. */
bool bounds_remove(struct bounds *bounds, uint32_t id, const struct functions *functions);

/* True when `name`, as written by a user, is this function: its displayed name, its name in the ELF, or an
 * address in it. */
bool bounds_name_means(const char *name, const struct snapshot_function *function);

/* Matches limits with functions again, after functions were renamed. */
void bounds_rename(struct bounds *bounds, const struct functions *functions);

/* Sets the ticks per second from now on. */
void bounds_set_clock(struct bounds *bounds, uint64_t hz);

/* Call this when something is missing, or the target restarted: nothing is counted or measured across it. */
void bounds_break(struct bounds *bounds);

/* Notes the time of the first event that has one, until there was one. */
void bounds_begin(struct bounds *bounds, const struct event *events, size_t n);

/* Parts of bounds_call() that are not inline. */
void bounds_look(struct bounds *bounds, const struct functions *functions);
void bounds_judge_call(struct bounds *bounds, uint32_t function, uint64_t start_ticks,
                       uint64_t duration_ticks);

/* Compares a call that has ended with the limits of its function. Call it only if `watches` is set. */
static inline void bounds_call(struct bounds *bounds, const struct functions *functions, uint32_t function,
                               uint64_t start_ticks, uint64_t duration_ticks)
{
    if (__builtin_expect(function >= bounds->looked, false))
        bounds_look(bounds, functions);
    if (function < bounds->looked && bounds->firsts[function])
        bounds_judge_call(bounds, function, start_ticks, duration_ticks);
}

/* The figures to judge at a snapshot: its rows, including running calls. */
struct bounds_figures {
    const struct snapshot_function *functions; /* NULL: nothing is judged */
    uint64_t newest_ticks;
    uint64_t counted_ticks; /* mode tree: all that the target counted */
    uint64_t sequence;
};

/* Judges the sums, and updates the state of each limit. */
void bounds_judge(struct bounds *bounds, const struct bounds_figures *figures);

/* Makes the list of limits for a snapshot, which the caller frees; NULL when memory is used up. */
struct snapshot_bound *bounds_freeze(const struct bounds *bounds);

#endif
