/* random.h - random numbers for property tests, the same on every machine for the same seed.
 *
 * The seed is fixed, so that a run repeats; TEST_SEED=N in the environment sets another one. It is printed,
 * so that a failure found that way can be repeated. */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct test_random {
    uint64_t state;
};

static inline struct test_random test_random_start(const char *test)
{
    const char *chosen = getenv("TEST_SEED");
    uint64_t seed = chosen ? strtoull(chosen, NULL, 0) : 1;
    fprintf(stderr, "%s: TEST_SEED=%llu\n", test, (unsigned long long)seed);
    return (struct test_random){seed};
}

/* SplitMix64. */
static inline uint64_t test_random_next(struct test_random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* 0 to limit - 1; limit is not 0. */
static inline size_t test_random_below(struct test_random *random, size_t limit)
{
    return (size_t)(test_random_next(random) % limit);
}

#endif
