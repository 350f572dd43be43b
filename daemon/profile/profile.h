/* profile.h - the sum of everything the target reported. One thread writes and freezes; no locks. */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/error.h"
#include "event.h"
#include "snapshot/snapshot.h"

struct symtab;

/* Limits of what input can make grow. Functions and nodes above them are counted at "(other)", the oldest calls of the
 * timeline are dropped, and pending calls are placed early. Zero means the default. */
struct profile_limits {
    uint32_t functions;      /* 65,536 */
    uint32_t nodes;          /* 1,048,576 */
    uint32_t timeline_calls; /* 1,048,576 */
    uint32_t pending_calls;  /* finished calls that wait for their caller: 65,536 */
};

/* Makes an empty profile; `limits` may be NULL. The caller frees it with profile_free(), which accepts NULL.
 * Returns NULL when memory is used up. */
struct profile *profile_new(const struct profile_limits *limits);
void profile_free(struct profile *profile);

/* Adds a batch of n events, which are borrowed for the call. TARGET events are for the session and ignored. */
void profile_apply(struct profile *profile, const struct event *events, size_t n);

/* Shows finished calls whose caller is known. Those whose caller has not returned for long (a second; 100 ms
 * for the very first calls) are shown under a placeholder, the others are in no snapshot yet. Call this with
 * the host's monotonic clock about as often as snapshots are made. */
void profile_tick(struct profile *profile, uint64_t now_ms);

/* Places all pending calls. Call this when no more events will arrive. */
void profile_finish(struct profile *profile);

/* Names addresses by `symtab` (or NULL) from now on, and renames the existing rows. The profile takes a
 * reference of its own. */
void profile_set_symbols(struct profile *profile, struct symtab *symtab);

/* From now on, lists as a kept window each call of the function at `address` (0: none) that takes more than `ticks`,
 * if the target reports every call. Earlier calls are not checked. */
void profile_watch(struct profile *profile, uint64_t address, uint64_t ticks);

/* Adds a limit, and sets *id to its id. If its function was not called yet, the limit waits for that. When
 * there are BOUNDS_MAX limits, it replaces the oldest that is not kept (profile_keep_bound()). Returns false,
 * with a sentence, when all are kept, or when the limit exists already. */
bool profile_add_bound(struct profile *profile, const struct bound *bound, uint32_t *id, struct error *err);

/* Marks the limit with that id: it is never removed to make room. */
void profile_keep_bound(struct profile *profile, uint32_t id);

/* Removes the limit with that id. Returns false when there is none. */
bool profile_remove_bound(struct profile *profile, uint32_t id);

/* Sets the clock for limits on times: `hz` ticks per second from now on; 0 when unknown. */
void profile_set_clock(struct profile *profile, uint64_t hz);

/* Takes one limit with breaches that have not been reported: sets *worst to the worst of them and `limit` to its text (as
 * bound_write() writes it; "" when it was removed). False when there is no more to report. */
bool profile_breached(struct profile *profile, struct snapshot_breach *worst, char *limit, size_t size);

/* When the ELF has no function with the name in the limit with that id, returns a sentence about it, which
 * lives until the profile changes; otherwise "". */
const char *profile_bound_doubt(const struct profile *profile, uint32_t id);

/* Returns how often the function of that name, or at that address ("0x..."), was called so far. Of several
 * functions with the same name, only the first counts. *row caches the function's row; it begins as 0. */
uint64_t profile_calls_of(const struct profile *profile, const char *name, uint32_t *row);

/* Clears sums and losses, on the user's order. Keeps symbols, names of contexts, and limits. */
void profile_clear(struct profile *profile);

/* Clears sums without such an order. From then on, the number of discarded calls and the cause are reported,
 * together with the losses so far. */
void profile_discard(struct profile *profile, enum ledger_cause cause);

/* True when a new snapshot may differ from the last profile_freeze(). */
bool profile_changed(const struct profile *profile);

/* Makes a snapshot with one reference, the caller's; NULL when memory is used up. Copies `source`, `target`
 * and `link`, and sets the profile's own counts in the copy of `link`. The sequence number increases by
 * one. */
struct snapshot *profile_freeze(struct profile *profile, const struct snapshot_source *source,
                                const struct snapshot_target *target, const struct snapshot_link *link);

#endif
