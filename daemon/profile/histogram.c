/* histogram.c - how durations are spread. */
#include "profile/histogram.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { FINE_BITS = 5 };
static_assert(1 << FINE_BITS == HISTOGRAM_FINE, "FINE_BITS is log2 of HISTOGRAM_FINE");

void histogram_fini(struct histogram *histogram, struct histogram_budget *budget)
{
    for (size_t i = 0; i < HISTOGRAM_OCTAVES; i++) {
        if (histogram->fine[i])
            budget->blocks_left++;
        free(histogram->fine[i]);
    }
    free(histogram->coarse);
    *histogram = (struct histogram){0};
}

static unsigned octave_of(uint64_t value)
{
    return value < HISTOGRAM_FINE ? 0 : 63u - FINE_BITS + 1u - (unsigned)__builtin_clzll(value);
}

static unsigned fine_of(uint64_t value, unsigned octave)
{
    return (unsigned)(octave == 0 ? value : value >> (octave - 1)) & (HISTOGRAM_FINE - 1);
}

static uint64_t low_of(unsigned octave, unsigned fine)
{
    return octave == 0 ? fine : (uint64_t)(HISTOGRAM_FINE + fine) << (octave - 1);
}

static uint64_t width_of(unsigned octave)
{
    return octave == 0 ? 1 : (uint64_t)1 << (octave - 1);
}

/* The slow way in: the octave has no block yet. */
static void add_first(struct histogram *histogram, struct histogram_budget *budget, unsigned octave,
                      unsigned fine)
{
    if (budget->blocks_left > 0) {
        histogram->fine[octave] = calloc(HISTOGRAM_FINE, sizeof(uint64_t));
        if (histogram->fine[octave]) {
            budget->blocks_left--;
            histogram->fine[octave][fine]++;
            return;
        }
    }
    if (!histogram->coarse)
        histogram->coarse = calloc(HISTOGRAM_OCTAVES, sizeof(uint64_t));
    if (histogram->coarse)
        histogram->coarse[octave]++;
}

void histogram_add(struct histogram *histogram, struct histogram_budget *budget, uint64_t value)
{
    unsigned octave = octave_of(value);
    unsigned fine = fine_of(value, octave);
    if (histogram->fine[octave])
        histogram->fine[octave][fine]++;
    else
        add_first(histogram, budget, octave, fine);
}

void histogram_walk(const struct histogram *histogram, histogram_bucket_fn each, void *user)
{
    for (unsigned octave = 0; octave < HISTOGRAM_OCTAVES; octave++) {
        const uint64_t *counts = histogram->fine[octave];
        if (counts) {
            for (unsigned fine = 0; fine < HISTOGRAM_FINE; fine++) {
                uint64_t low = low_of(octave, fine);
                if (counts[fine])
                    each(user, low, low + width_of(octave) - 1, counts[fine]);
            }
        } else if (histogram->coarse && histogram->coarse[octave]) {
            uint64_t high = low_of(octave, HISTOGRAM_FINE - 1) + width_of(octave) - 1;
            each(user, low_of(octave, 0), high, histogram->coarse[octave]);
        }
    }
}

struct search {
    const double *shares;
    uint64_t *values;
    size_t n, next;
    uint64_t total, seen, min, max;
};

static void take_bucket(void *user, uint64_t low, uint64_t high, uint64_t count)
{
    struct search *search = user;
    search->seen += count;
    while (search->next < search->n) {
        uint64_t rank = (uint64_t)ceil(search->shares[search->next] * (double)search->total);
        if (search->seen < rank)
            break;
        uint64_t middle = low + (high - low) / 2;
        search->values[search->next++] = middle < search->min   ? search->min
                                         : middle > search->max ? search->max
                                                                : middle;
    }
}

void histogram_percentiles(const struct histogram *histogram, uint64_t total, uint64_t min, uint64_t max,
                           const double *shares, uint64_t *values, size_t n)
{
    struct search search = {
        .shares = shares, .values = values, .n = n, .total = total, .min = min, .max = max};
    for (size_t i = 0; i < n; i++)
        values[i] = max;
    histogram_walk(histogram, take_bucket, &search);
}
