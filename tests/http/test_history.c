/* test_history.c - the link's history as an answer. */
#include "answer.h"
#include "own_site.h"

#include "base/clock.h"
#include "snapshot/link_history.h"
#include "snapshot/snapshot_private.h"

#include <criterion/criterion.h>

TestSuite(history, .init = open_site, .fini = close_site);

Test(history, columns_have_one_length_and_counters_their_last_growth)
{
    struct test_random random = test_random_start("history");
    fixture.link.crc_errors = 2;
    fixture_feed(&fixture, &random, 100);
    struct jsonio *json = get("/api/v1/link/history");
    cr_assert_eq(status, 200);
    size_t n = jsonio_count(jsonio_member(json, "bytes"));
    cr_expect_geq(n, 1);
    cr_expect_eq(jsonio_count(jsonio_member(json, "calls")), n);
    cr_expect_eq(jsonio_count(jsonio_member(json, "errors")), n);
    cr_expect_eq(answer_number(jsonio_member(json, "step")), 1000);
    uint64_t now = answer_number(jsonio_member(json, "now"));
    cr_expect_leq(answer_number(jsonio_member(json, "from")), now);
    uint64_t at = answer_number(answer_member(json, "last_at", "crc_errors"));
    cr_expect(at <= now && at + 60000 > now);
    cr_expect(jsonio_is_null(answer_member(json, "last_at", "framing_errors")));
    jsonio_free(json);
    json = get("/api/v1/link/history?from=1");
    cr_expect_eq(status, 400);
    jsonio_free(json);
}

/* Publishes that history, which must outlive the requests for it. */
static void publish(const struct link_history *history)
{
    pthread_mutex_lock(&fixture.lock);
    struct snapshot *snapshot =
        profile_freeze(fixture.profile, &fixture.source, &fixture.target, &fixture.link);
    cr_assert_not_null(snapshot);
    snapshot->history = history;
    board_post(fixture.board, snapshot);
    pthread_mutex_unlock(&fixture.lock);
}

static void expect_rate(const struct jsonio *json, const char *key, size_t slot, double rate)
{
    double told = -1;
    cr_expect(jsonio_double(jsonio_at(jsonio_member(json, key), slot), &told) && told == rate,
              "%s of slot %zu: %g", key, slot, told);
}

Test(history, rates_exclude_time_without_a_source)
{
    struct link_history history = {.begin_ms = 1000,
                                   .last_ms = 4500,
                                   .step_ms = 1000,
                                   .slots_used = 4,
                                   .slots = {{.bytes = 300, .records = 30, .errors = 3, .up_ms = 1000},
                                             {.bytes = 300, .records = 30, .errors = 3, .up_ms = 500},
                                             {.up_ms = 0},
                                             {.bytes = 100, .up_ms = 0}}};
    fixture.source.state = STATE_ENDED;
    publish(&history);
    struct jsonio *json = get("/api/v1/link/history");
    cr_assert_eq(status, 200);
    cr_assert_eq(jsonio_count(jsonio_member(json, "bytes")), 4, "a recording that has ended stands still");
    expect_rate(json, "bytes", 0, 300);
    expect_rate(json, "calls", 0, 30);
    expect_rate(json, "errors", 0, 3);
    expect_rate(json, "bytes", 1, 600);
    cr_expect(jsonio_is_null(jsonio_at(jsonio_member(json, "bytes"), 2)), "it was away");
    cr_expect(jsonio_is_null(jsonio_at(jsonio_member(json, "errors"), 2)));
    expect_rate(json, "bytes", 3, 400); /* what comes with the source comes in a quarter of a second */
    cr_expect_eq(answer_number(jsonio_member(json, "now")) - answer_number(jsonio_member(json, "from")),
                 3500);
    jsonio_free(json);

    fixture.source.state = STATE_LOST;
    history.begin_ms = clock_monotonic_ms() - 10000;
    history.last_ms = history.begin_ms + 3500;
    publish(&history);
    json = get("/api/v1/link/history");
    cr_expect_geq(jsonio_count(jsonio_member(json, "bytes")), 10, "a live one goes on, though nothing comes");
    jsonio_free(json);
}
