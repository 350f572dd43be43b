/* histogram.c - counts durations in log-linear buckets. */
#include "snapshot/histogram.h"

#include "base/scarcity.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static_assert(HISTOGRAM_OCTAVES <= 64, "a bit for each octave");
static_assert((sizeof(struct histogram) & (sizeof(struct histogram) - 1)) == 0, "a shift finds one");

void histogram_fini(struct histogram *histogram, struct histogram_budget *budget)
{
    for (uint64_t rest = histogram->octaves; rest; rest &= rest - 1) {
        free(histogram->fine[__builtin_ctzll(rest)]);
        budget->blocks_left++;
    }
    free(histogram->coarse);
    free(histogram->wraps);
    *histogram = (struct histogram){0};
}

static uint64_t low_of(unsigned octave, unsigned fine)
{
    return octave == 0 ? fine : (uint64_t)(HISTOGRAM_FINE + fine) << (octave - 1);
}

static uint64_t width_of(unsigned octave)
{
    return octave == 0 ? 1 : (uint64_t)1 << (octave - 1);
}

bool histogram_add_first(struct histogram *histogram, struct histogram_budget *budget, unsigned octave,
                         unsigned fine)
{
    if (budget->blocks_left > 0) {
        histogram->fine[octave] = scarcity_watch(calloc(HISTOGRAM_FINE, sizeof(uint32_t)));
        if (histogram->fine[octave]) {
            budget->blocks_left--;
            histogram->octaves |= (uint64_t)1 << octave;
            histogram->fine[octave][fine]++;
            return true;
        }
    }
    if (!histogram->coarse)
        histogram->coarse = scarcity_watch(calloc(HISTOGRAM_OCTAVES, sizeof(uint64_t)));
    if (histogram->coarse)
        histogram->coarse[octave]++;
    return false;
}

void histogram_wrapped(struct histogram *histogram, unsigned octave, unsigned fine)
{
    if (!histogram->wraps)
        histogram->wraps = scarcity_watch(calloc(HISTOGRAM_OCTAVES * HISTOGRAM_FINE, sizeof(uint32_t)));
    if (histogram->wraps)
        histogram->wraps[octave * HISTOGRAM_FINE + fine]++;
    else
        histogram->fine[octave][fine]--; /* without memory the count stops just below 2^32 */
}

static uint64_t count_of(const struct histogram *histogram, unsigned octave, unsigned fine)
{
    uint64_t wraps = histogram->wraps ? histogram->wraps[octave * HISTOGRAM_FINE + fine] : 0;
    return wraps << 32 | histogram->fine[octave][fine];
}

static void walk_octave(const struct histogram *histogram, unsigned octave, histogram_bucket_fn each,
                        void *user)
{
    if (histogram->fine[octave]) {
        for (unsigned fine = 0; fine < HISTOGRAM_FINE; fine++) {
            uint64_t low = low_of(octave, fine);
            uint64_t count = count_of(histogram, octave, fine);
            if (count)
                each(user, low, low + width_of(octave) - 1, count);
        }
    } else if (histogram->coarse && histogram->coarse[octave]) {
        uint64_t high = low_of(octave, HISTOGRAM_FINE - 1) + width_of(octave) - 1;
        each(user, low_of(octave, 0), high, histogram->coarse[octave]);
    }
}

/* Returns a bit mask of the octaves that may contain values. */
static uint64_t occupied_octaves(const struct histogram *histogram)
{
    return histogram->coarse ? UINT64_MAX >> (64 - HISTOGRAM_OCTAVES) : histogram->octaves;
}

void histogram_walk(const struct histogram *histogram, histogram_bucket_fn each, void *user)
{
    for (uint64_t rest = occupied_octaves(histogram); rest; rest &= rest - 1)
        walk_octave(histogram, (unsigned)__builtin_ctzll(rest), each, user);
}

static uint64_t octave_count(const struct histogram *histogram, unsigned octave)
{
    if (!histogram->fine[octave])
        return histogram->coarse ? histogram->coarse[octave] : 0;
    const uint32_t *counts = histogram->fine[octave];
    uint32_t halves[2] = {0}; /* summed separately, neither overflows, and vectors process twice as many */
    uint64_t wraps = 0;
    for (unsigned fine = 0; fine < HISTOGRAM_FINE; fine++) {
        halves[0] += counts[fine] & 0xFFFF;
        halves[1] += counts[fine] >> 16;
    }
    uint64_t low = ((uint64_t)halves[1] << 16) + halves[0];
    for (unsigned fine = 0; histogram->wraps && fine < HISTOGRAM_FINE; fine++)
        wraps += histogram->wraps[octave * HISTOGRAM_FINE + fine];
    return low + (wraps << 32);
}

struct deviation {
    double mean, squares;
    uint64_t min, max, n;
};

static void take_deviation(void *user, uint64_t low, uint64_t high, uint64_t count)
{
    struct deviation *deviation = user;
    uint64_t from = low > deviation->min ? low : deviation->min;
    uint64_t to = high < deviation->max ? high : deviation->max;
    double away = (double)from + (double)(to - from) / 2 - deviation->mean;
    deviation->squares += away * away * (double)count;
    deviation->n += count;
}

double histogram_deviation(const struct histogram *histogram, double mean, uint64_t min, uint64_t max)
{
    struct deviation deviation = {.mean = mean, .min = min, .max = max};
    histogram_walk(histogram, take_deviation, &deviation);
    return deviation.n > 0 ? sqrt(deviation.squares / (double)deviation.n) : 0;
}

static uint64_t value_within(uint64_t value, uint64_t min, uint64_t max)
{
    return value < min ? min : value > max ? max : value;
}

uint64_t histogram_reported(uint64_t value, uint64_t min, uint64_t max)
{
    if (value < HISTOGRAM_FINE)
        return value;
    uint64_t width = (uint64_t)1 << (63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_FINE_BITS);
    return value_within((value & ~(width - 1)) + (width - 1) / 2, min, max);
}

struct search {
    const double *shares;
    uint64_t *values;
    size_t n, next;
    uint64_t rank; /* of the next value to find, from 1 */
    uint64_t total, seen, min, max;
};

static void look_for_next(struct search *search)
{
    if (search->next < search->n)
        search->rank = (uint64_t)ceil(search->shares[search->next] * (double)search->total);
}

static void take_bucket(void *user, uint64_t low, uint64_t high, uint64_t count)
{
    struct search *search = user;
    search->seen += count;
    while (search->next < search->n && search->seen >= search->rank) {
        search->values[search->next++] = value_within(low + (high - low) / 2, search->min, search->max);
        look_for_next(search);
    }
}

void histogram_percentiles(const struct histogram *histogram, uint64_t total, uint64_t min, uint64_t max,
                           const double *shares, uint64_t *values, size_t n)
{
    struct search search = {
        .shares = shares, .values = values, .n = n, .total = total, .min = min, .max = max};
    for (size_t i = 0; i < n; i++)
        values[i] = max;
    look_for_next(&search);
    for (uint64_t rest = occupied_octaves(histogram); rest && search.next < n; rest &= rest - 1) {
        unsigned octave = (unsigned)__builtin_ctzll(rest);
        uint64_t count = octave_count(histogram, octave);
        if (search.seen + count < search.rank)
            search.seen += count; /* none of the wanted values is in it */
        else
            walk_octave(histogram, octave, take_bucket, &search);
    }
}
