/* spread.c - an immutable histogram in one block of memory. */
#include "snapshot/spread.h"

#include "base/scarcity.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct spread {
    atomic_uint references;
    size_t bytes;     /* after this struct */
    uint64_t octaves; /* bit mask of the octaves that have a block */
    uint64_t *coarse; /* HISTOGRAM_OCTAVES counts, after the blocks; or NULL */
    uint32_t *wraps;  /* after those; or NULL */
    uint32_t blocks[][HISTOGRAM_FINE];
};

enum {
    COARSE_BYTES = HISTOGRAM_OCTAVES * sizeof(uint64_t),
    WRAPS_BYTES = HISTOGRAM_OCTAVES * HISTOGRAM_FINE * sizeof(uint32_t),
    BLOCK_BYTES = HISTOGRAM_FINE * sizeof(uint32_t),
};

static void *copy_or_null(void *to, const void *from, size_t n)
{
    return from ? memcpy(to, from, n) : NULL;
}

static size_t bytes_for(const struct histogram *histogram)
{
    return (size_t)__builtin_popcountll(histogram->octaves) * BLOCK_BYTES +
           (histogram->coarse ? COARSE_BYTES : 0) + (histogram->wraps ? WRAPS_BYTES : 0);
}

static void fill_spread(struct spread *spread, const struct histogram *histogram)
{
    atomic_init(&spread->references, 1);
    spread->octaves = histogram->octaves;
    char *at = (char *)spread->blocks;
    for (uint64_t rest = spread->octaves; rest; rest &= rest - 1) {
        memcpy(at, histogram->fine[__builtin_ctzll(rest)], BLOCK_BYTES);
        at += BLOCK_BYTES;
    }
    spread->coarse = copy_or_null(at, histogram->coarse, COARSE_BYTES);
    at += histogram->coarse ? COARSE_BYTES : 0;
    spread->wraps = copy_or_null(at, histogram->wraps, WRAPS_BYTES);
}

struct spread *spread_new(const struct histogram *histogram)
{
    size_t bytes = bytes_for(histogram);
    struct spread *spread = scarcity_watch(malloc(sizeof *spread + bytes));
    if (!spread)
        return NULL;
    spread->bytes = bytes;
    fill_spread(spread, histogram);
    return spread;
}

struct spread *spread_renew(struct spread *spare, const struct histogram *histogram)
{
    if (spare && spare->bytes >= bytes_for(histogram) &&
        atomic_load_explicit(&spare->references, memory_order_acquire) == 1) {
        fill_spread(spare, histogram);
        return spare;
    }
    spread_unref(spare);
    return spread_new(histogram);
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
    struct histogram histogram = {
        .octaves = spread->octaves, .coarse = spread->coarse, .wraps = spread->wraps};
    const uint32_t(*block)[HISTOGRAM_FINE] = spread->blocks;
    for (uint64_t rest = spread->octaves; rest; rest &= rest - 1)
        histogram.fine[__builtin_ctzll(rest)] = (uint32_t *)(uintptr_t)*block++;
    histogram_walk(&histogram, each, user);
}
