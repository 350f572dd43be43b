/* made_profile.h - profiles of a few functions, and the reports of `miniprofd check` on two of them. */
#ifndef TESTS_CHECK_MADE_PROFILE_H
#define TESTS_CHECK_MADE_PROFILE_H

#include "check/report.h"

/* A row of a profile, in ticks of a microsecond. A row without a name ends a profile. */
struct row {
    const char *name;
    uint64_t calls, total, self; /* total and self ticks are per call */
    uint64_t corrected;
    double deviation;
    uint64_t percentiles[4]; /* p50, p90, p99, max; 0 when unknown */
    uint64_t error;          /* of corrected times */
    bool is_rough;
    uint64_t shortest; /* 0: not reported */
    uint64_t extra;    /* ticks added to the sum of all calls, without callees */
};

/* The way in which a profile was measured; zeros are the usual values. */
struct way {
    const char *mode;
    uint64_t clock, version;
    double hook_ticks;
    unsigned work; /* calls of main that the measurement waited for */
};

/* Returns the JSON of a profile, which the caller frees with sink_buffer_fini(). Each row is called by the one before,
 * but "other" by the first. */
struct sink_buffer made_json(const struct row *rows, struct way way);
struct measured made_profile(const struct row *rows, struct way way);

/* Returns the report, or the error if there is none. Valid until the next call. */
const char *said(const struct gate *gate, const struct report *form, const struct row *before,
                 struct way before_way, const struct row *after, struct way after_way);

/* Returns the text report on two profiles measured in the usual way. */
const char *told(const struct gate *gate, const struct row *before, const struct row *after);

void expect_text(const char *text, const char *expected);
void expect_part(const char *text, const char *part);

/* main calls loop, which calls step, which calls crc; main also calls other. */
extern const struct row usual_rows[6];

#endif
