/* bounds.h - the limits that people set, and whether they are kept.
 *
 * What each call tells (max, period, and calls of a second) is judged as it is reported: which limits are a
 * function's is looked up once, so that a call costs a byte read, and nothing where there is no such limit.
 * What calls add up to is judged whenever there is a snapshot. */
#ifndef PROFILE_BOUNDS_H
#define PROFILE_BOUNDS_H

#include "profile/breaches.h"
#include "profile/functions.h"
#include "snapshot/start.h"

/* One limit, and what judging it needs. */
struct bounds_row {
    struct snapshot_bound told;
    bool is_kept;                /* it never makes room for another */
    struct bound_ticks ticks;    /* of a time */
    uint8_t next;                /* 1 + index of the next one of the same function; 0: none */
    struct start last;           /* PERIOD: of the calls since nothing was missing */
    bool is_open;                /* RATE: a second is being counted */
    uint64_t from_ticks;         /* of that */
    uint64_t calls;              /* RATE: since then; of a tree, that there were then */
    struct snapshot_bound shown; /* as the last snapshot had it */
};

/* All of them. Zero is none. */
struct bounds {
    struct bounds_row rows[BOUNDS_MAX];
    uint32_t count, next_id;
    uint8_t
        *firsts; /* per function: 1 + index of the first limit that its calls are compared with; 0: none */
    uint32_t looked, room; /* functions up to there have been looked at */
    bool watches;          /* some limit is compared with calls */
    bool is_tree;          /* the target counts its calls, and tells none */
    uint64_t hz;           /* of a tick; 0 unknown */
    bool has_first;
    uint64_t first_ticks; /* of all that was reported since the profile was cleared */
    struct breaches breaches;
    uint64_t changed; /* sequence */
};

void bounds_fini(struct bounds *bounds);

/* Forgets how limits were kept, and which functions they are about; not the limits. */
void bounds_clear(struct bounds *bounds, uint64_t sequence);

/* Sets a limit. When there are BOUNDS_MAX the one that was set longest ago makes room, of those that
 * bounds_keep() was not asked to keep. False with a sentence when all are kept, or this one is
 * set already. */
bool bounds_add(struct bounds *bounds, const struct bound *bound, const struct functions *functions,
                uint32_t *id, struct error *err);

/* The limit of that id never makes room for another. */
void bounds_keep(struct bounds *bounds, uint32_t id);

/* Forgets the limit of that id, not its breaches. False when there is none. */
bool bounds_remove(struct bounds *bounds, uint32_t id, const struct functions *functions);

/* True when a user who writes `name` means this function: its name as shown or as in the ELF, or an address
 * in it. */
bool bounds_name_means(const char *name, const struct snapshot_function *function);

/* Looks up again which functions limits are about: these have other names. */
void bounds_rename(struct bounds *bounds, const struct functions *functions);

/* Sets the ticks of a second from here on. */
void bounds_set_clock(struct bounds *bounds, uint64_t hz);

/* Something is missing, or the target started again: what is counted or measured across it is not known. */
void bounds_break(struct bounds *bounds);

/* Takes in the first of n events that has a time, until there was one. */
void bounds_begin(struct bounds *bounds, const struct event *events, size_t n);

/* The rest of bounds_call(). */
void bounds_look(struct bounds *bounds, const struct functions *functions);
void bounds_judge_call(struct bounds *bounds, uint32_t function, uint64_t start_ticks,
                       uint64_t duration_ticks);

/* Holds a call that has ended against the limits of its function; only where the bounds watch. */
static inline void bounds_call(struct bounds *bounds, const struct functions *functions, uint32_t function,
                               uint64_t start_ticks, uint64_t duration_ticks)
{
    if (__builtin_expect(function >= bounds->looked, false))
        bounds_look(bounds, functions);
    if (function < bounds->looked && bounds->firsts[function])
        bounds_judge_call(bounds, function, start_ticks, duration_ticks);
}

/* What there is to judge by when a snapshot is made: its rows, with the time so far of what runs. */
struct bounds_figures {
    const struct snapshot_function *functions; /* NULL: nothing is judged */
    uint64_t newest_ticks;
    uint64_t counted_ticks; /* of a tree that the target counts: all that it counted */
    uint64_t sequence;
};

/* Holds what calls add up to against the limits, and says how each of them is. */
void bounds_judge(struct bounds *bounds, const struct bounds_figures *figures);

/* Makes the list that a snapshot holds, which the caller frees; NULL when memory is used up. */
struct snapshot_bound *bounds_freeze(const struct bounds *bounds);

#endif
