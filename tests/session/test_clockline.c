/* test_clockline.c - the target's clock against the host's: targets of known rate, behind lines with every kind of
 * delay. */
#include "device/answers.h"
#include "session/clockline.h"

#include "support/effort.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <math.h>

enum { HZ = 1000000, CROWD = 20, LATE_US = 200000 };
#define SECOND UINT64_C(1000000)

/* A simulated target and its line. */
struct truth {
    double ratio;       /* of its actual ticks to those that it reports */
    uint64_t every_us;  /* between two events */
    uint64_t jitter_us; /* most time until an event is read */
    uint64_t line_us;   /* time of an event on the line, or 0 */
    uint64_t ring;      /* events that may wait for the line; those beyond are lost */
    /* time between its polls, each of which sends a burst; 0 when events are sent at once */
    uint64_t burst_us;
    uint64_t pause_from_us, pause_us; /* no events, while its clock continues */
    uint64_t stop_from_us, stop_us;   /* no events, while its clock stops */
};

/* The results of a run. */
struct seen {
    struct clockline line;
    struct clock_rate rate;    /* the last known one, otherwise an unknown one */
    uint64_t known_us, off_us; /* when the rate was known first, and reported as wrong; 0 for never */
    bool broken;               /* a rate was reported whose error bounds exclude the truth */
};

static void look(struct seen *seen, const struct truth *truth, uint64_t now_us, uint64_t late_us)
{
    struct clock_rate rate = clockline_rate(&seen->line, late_us);
    if (!rate.is_known)
        return;
    seen->rate = rate;
    seen->known_us = seen->known_us ? seen->known_us : now_us;
    bool is_true = rate.least <= truth->ratio * 1.0001 && rate.most >= truth->ratio * 0.9999;
    seen->broken |= !is_true && truth->stop_us == 0;
    if (clock_rate_is_off(&rate) && !seen->off_us)
        seen->off_us = now_us;
}

/* Runs the target until `until_us`. `late_us` is the assumed jitter, without the wait for the line. */
static struct seen run(const struct truth *truth, uint64_t until_us, uint64_t late_us,
                       struct test_random *random)
{
    struct seen seen = {0};
    struct clock_reading reading = {.hz = HZ};
    uint64_t free_us = 0, stopped_us = 0, looked_us = 0; /* when the line becomes free */
    for (uint64_t at_us = 1000; at_us < until_us; at_us += truth->every_us) {
        if (truth->pause_us && at_us >= truth->pause_from_us &&
            at_us < truth->pause_from_us + truth->pause_us)
            continue;
        if (truth->stop_us && at_us >= truth->stop_from_us && at_us < truth->stop_from_us + truth->stop_us) {
            stopped_us = at_us - truth->stop_from_us;
            continue;
        }
        uint64_t sent_us = truth->burst_us ? (at_us / truth->burst_us + 1) * truth->burst_us : at_us;
        uint64_t begins_us = free_us > sent_us ? free_us : sent_us;
        if (truth->line_us && begins_us - sent_us > truth->ring * truth->line_us)
            continue;
        free_us = begins_us + truth->line_us;
        uint64_t arrival_us = free_us + (truth->jitter_us ? test_random_next(random) % truth->jitter_us : 0);
        if (arrival_us < reading.arrival_us)
            arrival_us = reading.arrival_us; /* events arrive in order */
        reading.arrival_us = arrival_us;
        reading.ticks = (uint64_t)((double)(at_us - stopped_us) * truth->ratio);
        reading.records++;
        reading.bytes += 14;
        clockline_see(&seen.line, &reading, CROWD);
        if (arrival_us - looked_us < SECOND / 4)
            continue;
        looked_us = arrival_us;
        look(&seen, truth, arrival_us, late_us);
    }
    return seen;
}

Test(clockline, a_rate_is_known_in_seconds_within_its_error_bounds)
{
    struct test_random random = test_random_start("clockline");
    static const double ratios[] = {0.001, 0.25, 0.5, 0.9, 1, 1.1, 2, 84, 168};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        struct truth truth = {.ratio = ratios[i], .every_us = 10000, .jitter_us = 20000};
        struct seen seen = run(&truth, 20 * SECOND, LATE_US, &random);
        cr_expect_not(seen.broken, "%g", truth.ratio);
        cr_expect(seen.known_us && seen.known_us < 6 * SECOND, "%g after %g s", truth.ratio,
                  (double)seen.known_us / 1e6);
        cr_expect(fabs(seen.rate.ratio / truth.ratio - 1) < 0.005, "%g is %g", truth.ratio, seen.rate.ratio);
        bool is_off = truth.ratio < 0.94 || truth.ratio > 1.06;
        cr_expect_eq(seen.off_us != 0, is_off, "%g", truth.ratio);
    }
}

/* With any delay, error bounds hold, and a right clock is not reported as wrong. */
Test(clockline, lines_that_are_late_in_every_way_break_no_bound)
{
    struct test_random random = test_random_start("clockline");
    unsigned known = 0, runs = test_effort(300, 10000);
    for (unsigned i = 0; i < runs; i++) {
        bool is_right = test_random_next(&random) % 2;
        struct truth truth = {
            .ratio = is_right ? 1 : 0.2 + (double)(test_random_next(&random) % 1000) / 250,
            .every_us = 500 + test_random_next(&random) % 50000,
            .jitter_us = test_random_next(&random) % 150000,
            .line_us = test_random_next(&random) % 3 ? 0 : 100 + test_random_next(&random) % 20000,
            .ring = test_random_next(&random) % 300,
            .burst_us = test_random_next(&random) % 3 ? 0 : 1000 + test_random_next(&random) % 1000000,
            .pause_from_us = test_random_next(&random) % (20 * SECOND),
            .pause_us = test_random_next(&random) % 2 ? 0 : test_random_next(&random) % (20 * SECOND),
        };
        uint64_t late_us =
            truth.jitter_us + truth.ring * truth.line_us + truth.line_us + truth.burst_us + 1000;
        struct seen seen = run(&truth, (3 + test_random_next(&random) % 60) * SECOND, late_us, &random);
        known += seen.known_us != 0;
        cr_assert_not(seen.broken, "run %u: %g is not from %g to %g", i, truth.ratio, seen.rate.least,
                      seen.rate.most);
        cr_assert(!is_right || !seen.off_us, "run %u", i);
    }
    cr_assert_gt(known, runs / 3);
}

/* A ring fills, and events arrive later and later, as if the clock ran at a third of its rate. */
Test(clockline, a_growing_backlog_of_known_limit_is_no_slow_clock)
{
    struct test_random random = test_random_start("clockline");
    struct truth truth = {.ratio = 1, .every_us = 400, .line_us = 1200, .ring = 4096};
    struct seen seen = run(&truth, 60 * SECOND, LATE_US + 4096 * 1200, &random);
    cr_assert_not(seen.off_us);
    cr_assert(run(&truth, 60 * SECOND, LATE_US, &random).off_us, "it does look so");
}

Test(clockline, a_clock_that_stops_once_does_not_run_at_another_rate)
{
    struct test_random random = test_random_start("clockline");
    for (uint64_t stop_us = SECOND / 10; stop_us < 40 * SECOND; stop_us = stop_us * 3 / 2)
        for (uint64_t from_us = SECOND; from_us < 30 * SECOND; from_us += 3 * SECOND) {
            struct truth truth = {.ratio = 1, .every_us = 10000, .stop_from_us = from_us, .stop_us = stop_us};
            cr_assert_not(run(&truth, from_us + stop_us + 30 * SECOND, LATE_US, &random).off_us);
        }
}

/* After hours, a changed rate is noticed as soon as the line has dropped the old readings. */
Test(clockline, memory_and_history_are_limited)
{
    struct clockline line = {0};
    struct clock_reading reading = {.hz = HZ};
    uint64_t changed_us = 5 * 3600 * SECOND, told_us = 0;
    for (; reading.arrival_us < changed_us + 3600 * SECOND && !told_us; reading.arrival_us += SECOND / 10) {
        reading.ticks += reading.arrival_us < changed_us ? SECOND / 10 : SECOND / 20;
        reading.records++;
        clockline_see(&line, &reading, CROWD);
        struct clock_rate rate = clockline_rate(&line, LATE_US);
        if (clock_rate_is_off(&rate))
            told_us = reading.arrival_us;
        cr_assert(!told_us || told_us > changed_us);
        cr_assert_leq(line.n, CLOCKLINE_POINTS);
        cr_assert(clockline_use(&line).us < 640 * SECOND);
    }
    cr_assert(told_us && told_us < changed_us + 640 * SECOND);
}

/* ---- silence ---- */

Test(clockline, elapsed_ticks_in_a_silence_follow_the_rate)
{
    struct test_random random = test_random_start("clockline");
    struct clockline line = {0};
    cr_assert_eq(clockline_passed(&line, SECOND), 0);
    clockline_see(&line, &(struct clock_reading){.arrival_us = SECOND, .ticks = 5, .hz = HZ}, CROWD);
    cr_assert_eq(clockline_passed(&line, 2401 * SECOND), 2400 * SECOND, "as the target said, to begin with");
    cr_assert_eq(clockline_passed(&line, 0), 0);
    cr_assert_eq(clockline_passed(&line, UINT64_MAX), UINT64_C(1) << 62, "the most there is");
    struct truth truth = {.ratio = 0.5, .every_us = 10000};
    struct seen seen = run(&truth, 10 * SECOND, LATE_US, &random);
    uint64_t passed = clockline_passed(&seen.line, seen.line.newest.us + 2400 * SECOND);
    cr_assert(passed > 1199 * SECOND && passed < 1201 * SECOND, "%llu", (unsigned long long)passed);
}

/* ---- what stands still ---- */

/* Reads once in 100 ms, `n` times, each time `events` events of the same tick. */
static void stand(struct clockline *line, struct clock_reading *reading, unsigned n, uint64_t events)
{
    for (unsigned i = 0; i < n; i++) {
        reading->arrival_us += SECOND / 10;
        reading->same += events;
        clockline_see(line, reading, CROWD);
    }
}

static void go_on(struct clockline *line, struct clock_reading *reading, uint64_t ticks)
{
    reading->arrival_us += SECOND / 10;
    reading->ticks += ticks;
    reading->same = 0;
    clockline_see(line, reading, CROWD);
}

Test(clockline, a_timer_stands_still_when_calls_come_for_a_second_and_it_does_not_go_on)
{
    struct clockline line = {0};
    struct clock_reading reading = {.hz = HZ, .ticks = 7};
    go_on(&line, &reading, 0);
    stand(&line, &reading, 10, 5);
    cr_assert(!line.stands && line.untimed == 0, "not yet a second");
    stand(&line, &reading, 1, 5);
    cr_assert(line.stands);
    cr_assert_eq(line.untimed, 55);
    stand(&line, &reading, 10, 0);
    cr_assert_eq(line.untimed, 55, "nothing came");
    stand(&line, &reading, 1, 5);
    cr_assert_eq(line.untimed, 60);
    go_on(&line, &reading, 1);
    cr_assert(!line.stands && line.untimed == 60);
    stand(&line, &reading, 20, 5);
    cr_assert_eq(line.untimed, 160, "again");
    reading.lines++;
    go_on(&line, &reading, 0);
    cr_assert(!line.stands && line.untimed == 160, "a restart");
}

Test(clockline, few_readings_a_stop_or_a_slow_clock_are_no_standstill)
{
    struct clockline line = {0};
    struct clock_reading reading = {.hz = HZ};
    go_on(&line, &reading, 1);
    stand(&line, &reading, CROWD, 1);
    cr_assert_not(line.stands, "this many may have waited since one tick");
    reading.rests = true;
    stand(&line, &reading, 100, 10);
    cr_assert_not(line.stands, "it has stopped");
    reading = (struct clock_reading){.hz = 100, .arrival_us = reading.arrival_us, .lines = 1};
    go_on(&line, &reading, 1);
    stand(&line, &reading, 99, 10);
    cr_assert_not(line.stands, "a thousand of its ticks take ten seconds");
    stand(&line, &reading, 2, 10);
    cr_assert(line.stands);
    reading = (struct clock_reading){.arrival_us = reading.arrival_us, .lines = 2};
    go_on(&line, &reading, 1);
    stand(&line, &reading, 100, 10);
    cr_assert_not(line.stands, "the length of its ticks is unknown");
}

/* For a recording without times. */
Test(clockline, without_times_of_arrival_more_events_than_fit_into_a_tick_show_that_it_stands)
{
    struct clockline line = {0};
    struct clock_reading reading = {.hz = HZ, .ticks = 7, .arrival_us = UINT64_MAX};
    for (int i = 0; i < 10; i++) {
        clockline_see_undated(&line, &reading, 1000);
        cr_assert(!line.stands && line.untimed == 0, "%u", (unsigned)reading.same);
        reading.same += 100;
    }
    reading.same = 1001;
    clockline_see_undated(&line, &reading, 1000);
    cr_assert(line.stands && line.untimed == 1001);
    reading.same = 1100;
    clockline_see_undated(&line, &reading, 1000);
    cr_assert_eq(line.untimed, 1100);
    cr_assert_not(clockline_rate(&line, 0).is_known);
    reading.same = 0;
    reading.ticks++;
    clockline_see_undated(&line, &reading, 1000);
    cr_assert(!line.stands && line.untimed == 1100);
    reading.same = 5000;
    reading.rests = true;
    clockline_see_undated(&line, &reading, 1000);
    cr_assert_not(line.stands, "it has stopped");
    reading.lines++;
    clockline_see_undated(&line, &reading, 1000);
    cr_assert(!line.stands && line.untimed == 1100, "a restart");
}

/* The wire may carry any values. */
Test(clockline, any_readings_are_accepted)
{
    struct test_random random = test_random_start("clockline");
    struct clockline line = {0};
    for (unsigned i = 0; i < 100000; i++) {
        struct clock_reading reading = {.arrival_us =
                                            test_random_next(&random) >> test_random_next(&random) % 64,
                                        .ticks = test_random_next(&random) >> test_random_next(&random) % 64,
                                        .same = test_random_next(&random) % 1000,
                                        .lines = test_random_next(&random) % 2,
                                        .hz = test_random_next(&random) >> test_random_next(&random) % 64};
        if (i % 3)
            reading =
                (struct clock_reading){.arrival_us = line.newest.us + test_random_next(&random) % (1u << 20),
                                       .ticks = line.newest.ticks + test_random_next(&random) % (1u << 20),
                                       .lines = line.lines,
                                       .hz = line.hz};
        clockline_see(&line, &reading, test_random_next(&random) % 100);
        struct clock_rate rate = clockline_rate(&line, test_random_next(&random) % SECOND);
        clock_rate_is_off(&rate);
        clockline_passed(&line, test_random_next(&random));
        cr_assert_leq(line.n, CLOCKLINE_POINTS);
    }
}

/* ---- answers ---- */

Test(answers, the_time_of_an_answer_is_known_if_its_question_is)
{
    struct answers answers = {0};
    answers_hear(&answers, 5);
    cr_assert(!answers.is_known && answers_are_none(&answers), "nobody asked");
    answers_ask(&answers, 100);
    cr_assert_not(answers_are_none(&answers), "it may answer yet");
    answers_hear(&answers, 130);
    cr_assert(answers_are_known(&answers, 2500000) && !answers_are_none(&answers));
    cr_assert_not(answers_are_known(&answers, 2600000), "long ago");
    cr_assert_eq(answers.took_us, 30);
    answers_ask(&answers, 200);
    cr_assert(answers.is_known, "as far as that goes it is of the one before");
    answers_ask(&answers, 300);
    cr_assert_not(answers.is_known, "the first was not answered");
    answers_hear(&answers, 310);
    cr_assert_not(answers.is_known);
    answers_hear(&answers, 320);
    cr_assert(answers.is_known && answers.took_us == 20, "both are");
    answers_ask(&answers, 400);
    answers_give_up(&answers);
    answers_ask(&answers, 500);
    answers_hear(&answers, 540);
    cr_assert(answers.is_known && answers.took_us == 40);
    struct answers deaf = {0};
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(answers_are_none(&deaf), i == 0);
        answers_ask(&deaf, 100);
    }
    cr_assert(answers_are_none(&deaf));
}
