/* profile.h - what everything the target said adds up to. One thread writes and freezes; no locks. */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/error.h"
#include "event.h"
#include "snapshot/snapshot.h"

struct symtab;

/* What the wire can make grow, each with its ceiling; beyond it rows go to "(other)". Zero means the default.
 */
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

/* Forgets what was added up, not the symbols, nor what contexts are called. */
void profile_clear(struct profile *profile);

/* Tells whether anything was added since the last profile_freeze(). */
bool profile_changed(const struct profile *profile);

/* Makes a snapshot with one reference, which is the caller's; NULL when memory is used up. `source`, `target`
 * and `link` are copied in; the profile's own counts of unplaced and over-limit calls are set in the copy's
 * link. The sequence number goes up by one. */
struct snapshot *profile_freeze(struct profile *profile, const struct snapshot_source *source,
                                const struct snapshot_target *target, const struct snapshot_link *link);

#endif
