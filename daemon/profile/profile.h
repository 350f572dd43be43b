/* profile.h - what everything the target said adds up to. One thread writes and freezes; no locks. */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/error.h"
#include "event.h"
#include "snapshot/snapshot.h"

struct symtab;

/* What the wire can make grow, each with its ceiling; beyond it rows go to "(other)". Zero means
 * the default. */
struct profile_limits {
    uint32_t functions;      /* 65,536 */
    uint32_t nodes;          /* 1,048,576 */
    uint32_t timeline_calls; /* 1,048,576 */
    uint32_t pending_calls;  /* finished calls that wait for their caller: 65,536 */
};

/* Makes an empty profile; `limits` may be NULL. The caller ends with profile_free() (NULL is fine). NULL when
 * memory is used up. */
struct profile *profile_new(const struct profile_limits *limits);
void profile_free(struct profile *profile);

/* Adds up a batch of n events, which are borrowed for the call. TARGET and ANSWER events are the session's
 * business and ignored here; of STATUS only overflows count. */
void profile_apply(struct profile *profile, const struct event *events, size_t n);

/* Lets time pass: shows finished calls whose caller is known, and those whose caller has not returned for
 * long (a second; the first calls of all 100 ms) under a placeholder. Others are in no snapshot yet. To be
 * called with the host's monotonic clock about as often as snapshots are made. */
void profile_tick(struct profile *profile, uint64_t now_ms);

/* Places everything that is pending, since no more events will come. */
void profile_finish(struct profile *profile);

/* Names addresses by `symtab` (NULL: none) from here on, and renames the rows there are. The profile takes a
 * reference of its own. */
void profile_set_symbols(struct profile *profile, struct symtab *symtab);

/* Lists each call of the function at `address` (0: none) that takes more than `ticks`, as a window, where the
 * target tells every call. Calls that came before are not looked at. */
void profile_watch(struct profile *profile, uint64_t address, uint64_t ticks);

/* Holds the profile to a limit from here on; *id is what others know it by. Where its function was not met
 * yet, it waits for that. When there are BOUNDS_MAX the one set longest ago makes room, of those that are not
 * kept (profile_keep_bound()). False with a sentence when all are, or this one is set already. */
bool profile_add_bound(struct profile *profile, const struct bound *bound, uint32_t *id, struct error *err);

/* The limit of that id never makes room for another. */
void profile_keep_bound(struct profile *profile, uint32_t id);

/* Forgets the limit of that id. False when there is none. */
bool profile_remove_bound(struct profile *profile, uint32_t id);

/* Limits on times are judged by a clock of `hz` ticks a second from here on; 0: it is unknown. */
void profile_set_clock(struct profile *profile, uint64_t hz);

/* Tells the worst of the times that a limit was not kept since that limit's was reported last, and which
 * limit that was (as bound_write() writes it; "" when it is gone); false when there is no more to tell. */
bool profile_breached(struct profile *profile, struct snapshot_breach *worst, char *limit, size_t size);

/* Says, where the ELF has no function such as the limit of that id names, so in a sentence, which lives until
 * the profile changes; "" elsewhere. */
const char *profile_bound_doubt(const struct profile *profile, uint32_t id);

/* Returns how often the function of that name, or at that address ("0x..."), was called so far; of functions
 * of one name the first met counts. *row is where it was found last, and is brought up to date; it begins as
 * 0. */
uint64_t profile_calls_of(const struct profile *profile, const char *name, uint32_t *row);

/* Forgets what was added up, and what is missing in it, as the user has ordered; not the symbols, nor what
 * contexts are called, nor limits. */
void profile_clear(struct profile *profile);

/* Does that without such an order: how many calls went, and why, is told from then on, with the losses so
 * far. */
void profile_discard(struct profile *profile, enum ledger_cause cause);

/* Tells whether anything was added since the last profile_freeze(). */
bool profile_changed(const struct profile *profile);

/* Makes a snapshot with one reference, which is the caller's; NULL when memory is used up. `source`, `target`
 * and `link` are copied in; the profile's own counts of unplaced and over-limit calls are set in the copy's
 * link. The sequence number goes up by one. */
struct snapshot *profile_freeze(struct profile *profile, const struct snapshot_source *source,
                                const struct snapshot_target *target, const struct snapshot_link *link);

#endif
