/* pauses.c - keeps snapshots for viewers who have paused. */
#include "api/pauses.h"

#include <sys/random.h>

bool pauses_init(struct pauses *pauses)
{
    uint32_t start;
    *pauses = (struct pauses){0};
    if (getrandom(&start, sizeof start, 0) != sizeof start)
        return false;
    pauses->last_id = (uint64_t)start << 16;
    pthread_mutex_init(&pauses->lock, NULL);
    return true;
}

void pauses_fini(struct pauses *pauses)
{
    for (struct pause *one = pauses->places; one < pauses->places + PAUSES_MOST; one++)
        snapshot_unref(one->snapshot);
    pthread_mutex_destroy(&pauses->lock);
}

static struct pause *place_of(struct pauses *pauses, uint64_t id)
{
    for (struct pause *one = pauses->places; one < pauses->places + PAUSES_MOST; one++)
        if (one->id == id)
            return one;
    return NULL;
}

/* Removes expired pauses. The caller frees them outside the lock, since freeing a ring takes long. */
static unsigned take_late(struct pauses *pauses, uint64_t now_ms, struct snapshot *late[PAUSES_MOST])
{
    unsigned n = 0;
    for (struct pause *one = pauses->places; one < pauses->places + PAUSES_MOST; one++) {
        if (one->id == 0 || one->until_ms > now_ms)
            continue;
        late[n++] = one->snapshot;
        *one = (struct pause){0};
    }
    return n;
}

void pauses_sweep(struct pauses *pauses, uint64_t now_ms)
{
    struct snapshot *late[PAUSES_MOST];
    pthread_mutex_lock(&pauses->lock);
    unsigned n = take_late(pauses, now_ms, late);
    pthread_mutex_unlock(&pauses->lock);
    while (n > 0)
        snapshot_unref(late[--n]);
}

uint64_t pauses_hold(struct pauses *pauses, struct snapshot *snapshot, uint64_t now_ms)
{
    pauses_sweep(pauses, now_ms);
    pthread_mutex_lock(&pauses->lock);
    /* a free slot has time 0; of equal times the older id is replaced */
    struct pause *place = pauses->places;
    for (struct pause *one = place + 1; one < pauses->places + PAUSES_MOST; one++)
        if (one->until_ms < place->until_ms || (one->until_ms == place->until_ms && one->id < place->id))
            place = one;
    struct snapshot *before = place->snapshot;
    uint64_t id = ++pauses->last_id;
    *place = (struct pause){id, now_ms + PAUSES_SECONDS * UINT64_C(1000), snapshot_ref(snapshot)};
    pthread_mutex_unlock(&pauses->lock);
    snapshot_unref(before);
    return id;
}

struct snapshot *pauses_find(struct pauses *pauses, uint64_t id, uint64_t now_ms)
{
    struct snapshot *found = NULL;
    pauses_sweep(pauses, now_ms);
    pthread_mutex_lock(&pauses->lock);
    struct pause *place = id ? place_of(pauses, id) : NULL;
    if (place) {
        place->until_ms = now_ms + PAUSES_SECONDS * UINT64_C(1000);
        found = snapshot_ref(place->snapshot);
    }
    pthread_mutex_unlock(&pauses->lock);
    return found;
}

bool pauses_release(struct pauses *pauses, uint64_t id)
{
    struct snapshot *released = NULL;
    pthread_mutex_lock(&pauses->lock);
    struct pause *place = place_of(pauses, id); /* id 0 finds an empty slot, with nothing to release */
    if (place) {
        released = place->snapshot;
        *place = (struct pause){0};
    }
    pthread_mutex_unlock(&pauses->lock);
    snapshot_unref(released);
    return released != NULL;
}
