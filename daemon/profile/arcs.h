/* arcs.h - who called whom how often, as a target counts it that knows no stacks. */
#ifndef PROFILE_ARCS_H
#define PROFILE_ARCS_H

#include "base/map.h"
#include "profile/functions.h"
#include "snapshot/snapshot.h"

/* The counts so far, by function and by address. */
struct arcs {
    struct snapshot_arc *rows; /* from function to function */
    uint32_t count, capacity;
    struct snapshot_call_site *sites; /* from address to address, for formats that want these */
    uint32_t site_count, site_capacity;
    struct map by_pair;  /* (caller, callee) to row */
    struct map by_site;  /* (from, to) to site */
    uint64_t over_limit; /* calls that found no room */
};

/* The most rows and sites. */
enum { ARCS_MAX = 262144 };

/* arcs_clear() forgets the counts and keeps the memory. */
void arcs_init(struct arcs *arcs);
void arcs_fini(struct arcs *arcs);
void arcs_clear(struct arcs *arcs);

/* Adds `calls` calls of the function around address `to`, which return to address `from`. Where they `count`,
 * they are calls of the callee, unless that has calls that were reported one by one. Calls that find no room
 * are counted in over_limit. */
void arcs_add(struct arcs *arcs, struct functions *functions, uint64_t from, uint64_t to, uint64_t calls,
              bool count);

/* Adds `calls` calls of the function that begins at `to` by the one that begins at `from` (0: it is unknown
 * which), in which it ran for `self_ticks` itself. Of such callers no call sites are known. */
void arcs_add_by_entry(struct arcs *arcs, struct functions *functions, uint64_t from, uint64_t to,
                       uint64_t calls, uint64_t self_ticks);

/* Judges whether the call sites fit the program that `symtab` is of: right before `from` must be a call of
 * the function that `to` lies in. False, and *fits untouched, when there is nothing to judge by. */
bool arcs_judge_program(const struct arcs *arcs, const struct symtab *symtab, bool *fits);

#endif
