/* cache.h - caches the JSON of snapshots and deltas: each is made once and shared by all clients. */
#ifndef API_CACHE_H
#define API_CACHE_H

#include "server/cached.h"
#include "snapshot/snapshot.h"

/* Returns NULL when memory is used up. */
struct cache *cache_new(void);

/* Call this when no thread is inside cache_snapshot() or cache_delta(). Texts that they returned may outlive the
 * cache. */
void cache_free(struct cache *cache);

/* Returns the text of the whole snapshot with a reference that the caller owns. NULL when memory is used up.
 * While another thread makes the same text, it waits for that. */
struct cached *cache_snapshot(struct cache *cache, const struct snapshot *snapshot);

/* Does the same for the changes since sequence `since`, see export_delta(). */
struct cached *cache_delta(struct cache *cache, const struct snapshot *snapshot, uint64_t since);

#endif
