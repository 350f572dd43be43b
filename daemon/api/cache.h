/* cache.h - the JSON of snapshots and deltas, each made once and shared by all who ask for it. */
#ifndef API_CACHE_H
#define API_CACHE_H

#include "server/cached.h"
#include "snapshot/snapshot.h"

/* NULL when memory is used up. */
struct cache *cache_new(void);

/* To be called when no thread is inside cache_snapshot() or cache_delta(). What they returned may outlive the
 * cache. */
void cache_free(struct cache *cache);

/* Returns the text of the whole snapshot, with a reference that is the caller's; NULL when memory is used up.
 * A thread that comes while another one is making the same text waits for it. */
struct cached *cache_snapshot(struct cache *cache, const struct snapshot *snapshot);

/* Does the same for what changed since sequence `since`, see export_delta(). */
struct cached *cache_delta(struct cache *cache, const struct snapshot *snapshot, uint64_t since);

#endif
