/* arcs.h - counts how often one function called another, for targets that do not report stacks. */
#ifndef PROFILE_ARCS_H
#define PROFILE_ARCS_H

#include "base/map.h"
#include "profile/functions.h"
#include "snapshot/snapshot.h"

/* The counts so far, by function and by address. */
struct arcs {
    struct snapshot_arc *rows; /* from function to function */
    uint32_t count, capacity;
    struct snapshot_call_site *sites; /* from address to address, for formats that need addresses */
    uint32_t site_count, site_capacity;
    struct map by_pair;  /* key: (caller, callee); value: row */
    struct map by_site;  /* key: (from, to); value: site */
    uint64_t over_limit; /* calls that did not fit */
};

/* Limit of rows, and of sites. */
enum { ARCS_MAX = 262144 };

/* arcs_clear() resets the counts and keeps the memory. */
void arcs_init(struct arcs *arcs);
void arcs_fini(struct arcs *arcs);
void arcs_clear(struct arcs *arcs);

/* Adds `calls` calls of the function that contains address `to`, with return address `from`. If
 * `is_of_interrupt` is set, an interrupt began them, and `from` is no address. If `count` is set, they also
 * count as calls of the callee, unless its calls are reported in another way. Calls that do not fit are
 * counted in over_limit. */
void arcs_add(struct arcs *arcs, struct functions *functions, uint64_t from, uint64_t to, uint64_t calls,
              bool is_of_interrupt, bool count);

/* Adds `calls` calls of the function at `to` by the function at `from` (0: unknown), and their own time
 * `self_ticks`. Such calls have no call sites. */
void arcs_add_by_entry(struct arcs *arcs, struct functions *functions, uint64_t from, uint64_t to,
                       uint64_t calls, uint64_t self_ticks);

/* Checks whether the call sites fit the program of `symtab`: before `from` there must be a call of the
 * function that contains `to`. *fits becomes true if that is so for half of them. Returns false, and leaves
 * *fits unchanged, when it cannot be checked. */
bool arcs_judge_program(const struct arcs *arcs, const struct symtab *symtab, bool *fits);

#endif
