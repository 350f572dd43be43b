/* spread.c - a histogram that never changes, in one piece of memory. */
#include "snapshot/spread.h"

#include "base/scarcity.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct spread {
    atomic_uint references;
    uint64_t octaves; /* a bit for each that has a block */
    uint64_t *coarse; /* HISTOGRAM_OCTAVES counts, behind the blocks; NULL: none */
    uint32_t *wraps;  /* behind those; NULL: none */
    uint32_t blocks[][HISTOGRAM_FINE];
};

static_assert(HISTOGRAM_OCTAVES <= 64, "a bit for each octave");

enum {
    COARSE_BYTES = HISTOGRAM_OCTAVES * sizeof(uint64_t),
    WRAPS_BYTES = HISTOGRAM_OCTAVES * HISTOGRAM_FINE * sizeof(uint32_t),
    BLOCK_BYTES = HISTOGRAM_FINE * sizeof(uint32_t),
};

static void *copy_or_null(void *to, const void *from, size_t n)
{
    return from ? memcpy(to, from, n) : NULL;
}

struct spread *spread_new(const struct histogram *histogram)
{
    uint64_t octaves = 0;
    size_t n = 0;
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++) {
        octaves |= (uint64_t)(histogram->fine[i] != NULL) << i;
        n += histogram->fine[i] != NULL;
    }
    struct spread *spread =
        scarcity_watch(malloc(sizeof *spread + n * BLOCK_BYTES + (histogram->coarse ? COARSE_BYTES : 0) +
                              (histogram->wraps ? WRAPS_BYTES : 0)));
    if (!spread)
        return NULL;
    atomic_init(&spread->references, 1);
    spread->octaves = octaves;
    char *at = (char *)spread->blocks;
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++) {
        if (!histogram->fine[i])
            continue;
        memcpy(at, histogram->fine[i], BLOCK_BYTES);
        at += BLOCK_BYTES;
    }
    spread->coarse = copy_or_null(at, histogram->coarse, COARSE_BYTES);
    at += histogram->coarse ? COARSE_BYTES : 0;
    spread->wraps = copy_or_null(at, histogram->wraps, WRAPS_BYTES);
    return spread;
}

struct spread *spread_ref(struct spread *spread)
{
    if (spread)
        atomic_fetch_add_explicit(&spread->references, 1, memory_order_relaxed);
    return spread;
}

void spread_unref(struct spread *spread)
{
    if (spread && atomic_fetch_sub_explicit(&spread->references, 1, memory_order_acq_rel) == 1)
        free(spread);
}

void spread_walk(const struct spread *spread, histogram_bucket_fn each, void *user)
{
    if (!spread)
        return;
    struct histogram histogram = {.coarse = spread->coarse, .wraps = spread->wraps};
    const uint32_t(*block)[HISTOGRAM_FINE] = spread->blocks;
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
        if (spread->octaves >> i & 1)
            histogram.fine[i] = (uint32_t *)(uintptr_t)*block++;
    histogram_walk(&histogram, each, user);
}
