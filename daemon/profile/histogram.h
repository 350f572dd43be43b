/* histogram.h - how durations are spread, with a relative error of at most 1.6 %. */
#ifndef PROFILE_HISTOGRAM_H
#define PROFILE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Log-linear: values below 32 have a bucket each, and each power of two from there on is cut into 32 equal
 * buckets. */
enum { HISTOGRAM_OCTAVES = 60, HISTOGRAM_FINE = 32 };

/* How many blocks of fine buckets (256 bytes each) all histograms of a profile may use together. A histogram
 * that gets no block any more counts by whole powers of two: its percentiles get coarse, its counts stay
 * exact. */
struct histogram_budget {
    uint32_t blocks_left;
};

/* Zero is the empty histogram. Owns its blocks. */
struct histogram {
    uint64_t *fine[HISTOGRAM_OCTAVES];
    uint64_t *coarse; /* HISTOGRAM_OCTAVES counts, NULL until needed */
};

void histogram_fini(struct histogram *histogram, struct histogram_budget *budget);

/* Counts one value. */
void histogram_add(struct histogram *histogram, struct histogram_budget *budget, uint64_t value);

/* The values below which `count_share[i]` (0..1, ascending) of all values lie, in one pass. `total` is how
 * many values were added; results are kept within [min, max], so a single value is exact. */
void histogram_percentiles(const struct histogram *histogram, uint64_t total, uint64_t min, uint64_t max,
                           const double *shares, uint64_t *values, size_t n);

/* Calls `each` with every bucket that counted something, ascending. */
typedef void (*histogram_bucket_fn)(void *user, uint64_t low, uint64_t high, uint64_t count);
void histogram_walk(const struct histogram *histogram, histogram_bucket_fn each, void *user);

#endif
