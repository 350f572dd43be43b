/* histogram.h - counts durations, with a relative error of at most 1.6 %. */
#ifndef SNAPSHOT_HISTOGRAM_H
#define SNAPSHOT_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Log-linear buckets: values below 32 have one bucket each. Each power of two above is divided into 32 equal
 * buckets. */
enum { HISTOGRAM_FINE_BITS = 5, HISTOGRAM_OCTAVES = 60, HISTOGRAM_FINE = 1 << HISTOGRAM_FINE_BITS };

/* The number of fine-bucket blocks (128 bytes each) that all histograms of a profile may still allocate. When
 * none is left, a histogram counts by whole powers of two: its percentiles become coarse, its counts stay
 * exact. */
struct histogram_budget {
    uint32_t blocks_left;
};

/* All zero is an empty histogram. It owns its blocks. */
struct histogram {
    uint32_t *fine[HISTOGRAM_OCTAVES];
    uint64_t *coarse; /* HISTOGRAM_OCTAVES counts, NULL until needed */
    uint32_t *wraps;  /* how often each fine bucket overflowed past 2^32, NULL until needed */
    uint64_t octaves; /* bit mask of the octaves that have a block */
    void *unused;     /* makes the size a power of two, so that indexing an array is a shift */
};

/* Frees the blocks and returns them to the budget. */
void histogram_fini(struct histogram *histogram, struct histogram_budget *budget);

/* Counts one value whose octave has no block yet. Returns true if the octave has one now. */
bool histogram_add_first(struct histogram *histogram, struct histogram_budget *budget, unsigned octave,
                         unsigned fine);

/* Records that a fine bucket overflowed from 2^32 - 1 to 0. */
void histogram_wrapped(struct histogram *histogram, unsigned octave, unsigned fine);

/* Counts one value. Returns true if it is the first in its fine bucket. */
static inline bool histogram_add(struct histogram *histogram, struct histogram_budget *budget, uint64_t value)
{
    /* Octave 0 contains the values below HISTOGRAM_FINE. In the others, a value's highest set bit selects the
     * octave, and the bits after it the bucket. */
    uint64_t octave = 0, fine = value;
    if (__builtin_expect(value >= HISTOGRAM_FINE, true)) {
        uint64_t top = 63u ^ (unsigned)__builtin_clzll(value); /* its highest set bit */
        octave = top - (HISTOGRAM_FINE_BITS - 1);
        fine = (value >> (top - HISTOGRAM_FINE_BITS)) % HISTOGRAM_FINE;
    }
    uint32_t *counts = histogram->fine[octave];
    if (!counts)
        return histogram_add_first(histogram, budget, (unsigned)octave, (unsigned)fine);
    uint32_t count = ++counts[fine];
    if (__builtin_expect(count > 1, true))
        return false;
    if (count == 0)
        histogram_wrapped(histogram, (unsigned)octave, (unsigned)fine);
    return count == 1;
}

/* Finds n percentiles in one pass: values[i] is the value that shares[i] (0..1, ascending) of all values do
 * not exceed. `total` is the number of values that were added. Results are limited to [min, max], so a single
 * value is exact. */
void histogram_percentiles(const struct histogram *histogram, uint64_t total, uint64_t min, uint64_t max,
                           const double *shares, uint64_t *values, size_t n);

/* Returns the value as histogram_percentiles() would report it: the middle of its bucket, limited to [min,
 * max]. Percentiles computed by sorting a few values use this, so that both agree. */
uint64_t histogram_reported(uint64_t value, uint64_t min, uint64_t max);

/* Returns the standard deviation of values within [min, max] about their exactly known mean. Each value
 * counts as the middle of the part of its bucket inside [min, max], so values that are all equal have 0.
 * Returns 0 when there are no values. */
double histogram_deviation(const struct histogram *histogram, double mean, uint64_t min, uint64_t max);

/* Calls `each` for every bucket that is not empty, in ascending order: `count` values lie in [low, high]. */
typedef void (*histogram_bucket_fn)(void *user, uint64_t low, uint64_t high, uint64_t count);
void histogram_walk(const struct histogram *histogram, histogram_bucket_fn each, void *user);

#endif
