/* cache.c - caches the JSON of snapshots and deltas: each is made once and shared by all clients.
 *
 * After an update, every listener that is up to date needs the same delta at the same moment. The first one
 * makes it, outside the lock; the others wait. Texts of older sequences are dropped when a newer one is made, so
 * memory is in proportion to one snapshot. A slow client keeps only the text that it is reading, by its
 * reference. */
#include "api/cache.h"

#include "export/export.h"

#include <pthread.h>
#include <stdlib.h>

enum { CACHE_TEXTS = 8 };

#define WHOLE UINT64_MAX /* `since` of a whole snapshot */

struct cache {
    pthread_mutex_t lock;
    pthread_cond_t made;
    struct slot {
        bool used, making;
        uint64_t sequence, since;
        struct cached *text; /* NULL while making */
    } slots[CACHE_TEXTS];
    unsigned next; /* slot to reuse when all are used */
};

struct cache *cache_new(void)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->made, NULL);
    return cache;
}

void cache_free(struct cache *cache)
{
    for (unsigned i = 0; i < CACHE_TEXTS; i++)
        cached_unref(cache->slots[i].text);
    pthread_cond_destroy(&cache->made);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static struct cached *make_cached_text(const struct snapshot *snapshot, uint64_t since)
{
    struct sink_buffer text;
    sink_buffer_init(&text);
    if (since == WHOLE)
        export_snapshot(snapshot, &text.sink);
    else
        export_delta(snapshot, since, &text.sink);
    struct cached *made = cached_new(&text);
    sink_buffer_fini(&text);
    return made;
}

static struct slot *slot_of(struct cache *cache, uint64_t sequence, uint64_t since)
{
    for (struct slot *slot = cache->slots; slot < cache->slots + CACHE_TEXTS; slot++)
        if (slot->used && slot->sequence == sequence && slot->since == since)
            return slot;
    return NULL;
}

static void drop_cached_text(struct slot *slot)
{
    cached_unref(slot->text);
    *slot = (struct slot){0};
}

/* Returns a slot for a text of `sequence`, NULL when texts are being made in all of them. */
static struct slot *slot_claim(struct cache *cache, uint64_t sequence)
{
    struct slot *free_slot = NULL;
    for (struct slot *slot = cache->slots; slot < cache->slots + CACHE_TEXTS; slot++) {
        if (slot->used && !slot->making && slot->sequence < sequence)
            drop_cached_text(slot);
        if (!slot->used)
            free_slot = slot;
    }
    for (unsigned i = 0; i < CACHE_TEXTS && !free_slot; i++) {
        struct slot *slot = &cache->slots[cache->next++ % CACHE_TEXTS];
        if (!slot->making) {
            drop_cached_text(slot);
            free_slot = slot;
        }
    }
    return free_slot;
}

static struct cached *cache_text(struct cache *cache, const struct snapshot *snapshot, uint64_t since)
{
    struct slot *slot;
    if (snapshot->sequence == 0) /* of a recording: each has that */
        return make_cached_text(snapshot, since);
    pthread_mutex_lock(&cache->lock);
    while ((slot = slot_of(cache, snapshot->sequence, since)) && slot->making)
        pthread_cond_wait(&cache->made, &cache->lock);
    if (slot) {
        struct cached *found = cached_ref(slot->text);
        pthread_mutex_unlock(&cache->lock);
        return found;
    }
    slot = slot_claim(cache, snapshot->sequence);
    if (slot)
        *slot = (struct slot){.used = true, .making = true, .sequence = snapshot->sequence, .since = since};
    pthread_mutex_unlock(&cache->lock);

    struct cached *made = make_cached_text(snapshot, since);
    if (!slot)
        return made;

    pthread_mutex_lock(&cache->lock);
    slot->making = false;
    slot->used = made != NULL; /* otherwise waiting threads try again, in case memory is free then */
    slot->text = cached_ref(made);
    pthread_mutex_unlock(&cache->lock);
    pthread_cond_broadcast(&cache->made);
    return made;
}

struct cached *cache_snapshot(struct cache *cache, const struct snapshot *snapshot)
{
    return cache_text(cache, snapshot, WHOLE);
}

struct cached *cache_delta(struct cache *cache, const struct snapshot *snapshot, uint64_t since)
{
    return cache_text(cache, snapshot, since);
}
