/* histogram.h - how durations are spread, with a relative error of at most 1.6 %. */
#ifndef SNAPSHOT_HISTOGRAM_H
#define SNAPSHOT_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Log-linear: values below 32 have a bucket each, and each power of two from there on is cut into 32 equal
 * buckets. */
enum { HISTOGRAM_FINE_BITS = 5, HISTOGRAM_OCTAVES = 60, HISTOGRAM_FINE = 1 << HISTOGRAM_FINE_BITS };

/* How many blocks of fine buckets (128 bytes each) all histograms of a profile may use together. A histogram
 * that gets no block any more counts by whole powers of two: its percentiles get coarse, its counts stay
 * exact. */
struct histogram_budget {
    uint32_t blocks_left;
};

/* Zero is the empty histogram, which owns its blocks. */
struct histogram {
    uint32_t *fine[HISTOGRAM_OCTAVES];
    uint64_t *coarse; /* HISTOGRAM_OCTAVES counts, NULL until needed */
    uint32_t *wraps;  /* how often each fine bucket passed 2^32, NULL until needed */
    uint64_t octaves; /* a bit for each that has a block */
    void *unused;     /* so that one in an array is found by a shift, which each call does */
};

/* Frees the blocks and gives them back to the budget. */
void histogram_fini(struct histogram *histogram, struct histogram_budget *budget);

/* Counts one value whose octave has no block yet; tells whether it has one now. */
bool histogram_add_first(struct histogram *histogram, struct histogram_budget *budget, unsigned octave,
                         unsigned fine);

/* Notes that a fine bucket went from 2^32 - 1 to 0. */
void histogram_wrapped(struct histogram *histogram, unsigned octave, unsigned fine);

/* Counts one value. Tells whether it is the first of its bucket, where buckets are fine. */
static inline bool histogram_add(struct histogram *histogram, struct histogram_budget *budget, uint64_t value)
{
    /* Octave 0 has the values below HISTOGRAM_FINE; in the others a value's first bit says which, and those
     * after it the bucket. */
    uint64_t octave = 0, fine = value;
    if (__builtin_expect(value >= HISTOGRAM_FINE, true)) {
        uint64_t top = 63u ^ (unsigned)__builtin_clzll(value); /* its first bit */
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

/* Finds n values in one pass: values[i] is the one below which shares[i] (0..1, ascending) of all values lie.
 * `total` is how many values were added; results are kept within [min, max], so a single value is exact. */
void histogram_percentiles(const struct histogram *histogram, uint64_t total, uint64_t min, uint64_t max,
                           const double *shares, uint64_t *values, size_t n);

/* As which histogram_percentiles() reports `value`, so that percentiles of few values, which are sorted, are the
 * same: the middle of its bucket, kept within [min, max]. */
uint64_t histogram_reported(uint64_t value, uint64_t min, uint64_t max);

/* The standard deviation of the values about their mean, which is known exactly; of values within [min, max].
 * Each counts as the middle of its bucket, as far as that lies within: values that are all the same have
 * none. 0 of no values. */
double histogram_deviation(const struct histogram *histogram, double mean, uint64_t min, uint64_t max);

/* Calls `each` with every bucket that counted something, in ascending order: `count` values lie in [low,
 * high]. */
typedef void (*histogram_bucket_fn)(void *user, uint64_t low, uint64_t high, uint64_t count);
void histogram_walk(const struct histogram *histogram, histogram_bucket_fn each, void *user);

#endif
