/* property.h - tests a dialect against a random writer that follows only the dialect's document: all of its output is
 * legal, so nothing is damage, and the events read are those written.
 *
 * 300 seeds from TEST_SEED (1) on; TEST_PROPERTIES=N tries N. The seed is in each failure. */
#ifndef DIALECT_PROPERTY_H
#define DIALECT_PROPERTY_H

#include <criterion/criterion.h>

#include "dialect/dialect.h"
#include "support/events.h"
#include "support/random.h"
#include "support/stream.h"

static inline bool property_chance(struct test_random *random, unsigned percent)
{
    return test_random_below(random, 100) < percent;
}

static inline void property_each(const char *dialect, void (*try_seed)(uint64_t seed, struct test_random *))
{
    const char *wanted = getenv("TEST_PROPERTIES");
    uint64_t first = test_random_start(dialect).state, n = wanted ? strtoull(wanted, NULL, 0) : 300;
    for (uint64_t seed = first; seed < first + n; seed++)
        try_seed(seed, &(struct test_random){seed * 0x9E3779B97F4A7C15u});
    fprintf(stderr, "%s: seeds %llu to %llu\n", dialect, (unsigned long long)first,
            (unsigned long long)(first + n - 1));
}

/* Reads the stream, in pieces of random lengths, and returns the dialect's events. */
static inline struct events property_read(uint64_t seed, struct test_random *random, const char *id,
                                          const struct dialect_settings *settings,
                                          const struct stream *stream)
{
    const struct dialect *dialect = dialect_find(id);
    void *state = calloc(1, dialect->state_size);
    struct events events = {0};
    struct event_out out = events_out(&events);
    struct error err = {""};
    cr_assert(!dialect->start || dialect->start(state, settings, &err), "%s", err.text);
    size_t most = (size_t)1 << test_random_below(random, 14);
    for (size_t at = 0, n; at < stream->n; at += n) {
        n = 1 + test_random_below(random, most);
        n = n < stream->n - at ? n : stream->n - at;
        dialect->decode(state, stream->bytes + at, n, &out);
    }
    if (dialect->finish)
        dialect->finish(state, &out);
    const struct dialect_health *health = dialect->health(state);
    cr_assert(!health->malformed && !health->unsupported_version && !health->bytes_skipped &&
                  !health->framing_errors && !health->crc_errors,
              "%s, seed %llu: malformed %llu, skipped %llu, framing %llu, crc %llu", id,
              (unsigned long long)seed, (unsigned long long)health->malformed,
              (unsigned long long)health->bytes_skipped, (unsigned long long)health->framing_errors,
              (unsigned long long)health->crc_errors);
    free(state);
    return events;
}

#endif
