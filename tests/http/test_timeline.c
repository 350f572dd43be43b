/* test_timeline.c - a window of the timeline, its gaps and its markers. */
#include "answer.h"
#include "own_site.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(timeline, .init = open_site, .fini = close_site);

Test(timeline, the_timeline_answers_in_columns_of_one_length)
{
    struct test_random random = test_random_start("timeline");
    struct jsonio *json = get("/api/v1/timeline");
    cr_expect_eq(status, 200);
    cr_expect(jsonio_is_null(jsonio_member(json, "oldest")), "nothing is known yet");
    cr_expect(jsonio_is_null(jsonio_member(json, "first")));
    cr_expect_eq(jsonio_count(answer_member(json, "rows", "start")), 0);
    jsonio_free(json);

    fixture_feed(&fixture, &random, 500);
    json = get("/api/v1/timeline?max=100");
    static const char *const columns[] = {"start", "duration", "function", "context", "depth", "calls"};
    size_t rows = jsonio_count(answer_member(json, "rows", "start"));
    cr_expect(rows > 0 && rows <= 100, "%zu rows", rows);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        cr_expect_eq(jsonio_count(answer_member(json, "rows", columns[i])), rows, "%s", columns[i]);
    uint64_t oldest = answer_number(jsonio_member(json, "oldest")),
             newest = answer_number(jsonio_member(json, "newest"));
    cr_expect_eq(answer_number(jsonio_member(json, "from")), oldest);
    cr_expect_eq(answer_number(jsonio_member(json, "first")), oldest, "all calls are held");
    cr_expect_eq(answer_number(jsonio_member(json, "to")), newest);
    jsonio_free(json);

    json = get("/api/v1/timeline?max=100000");
    uint64_t calls = 0;
    const struct jsonio *merged = answer_member(json, "rows", "calls");
    for (size_t i = 0; i < jsonio_count(merged); i++)
        calls += answer_number(jsonio_at(merged, i));
    cr_expect(calls >= 500, "with room for all, every call is there: %llu", (unsigned long long)calls);
    jsonio_free(json);

    static const char *const wrong[] = {"from=2&to=1", "from=x",  "from=-1",       "max=0", "max=100001",
                                        "from",        "other=1", "from=1&from=2", "from=", "max=1e3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/timeline?%s", wrong[i]);
        json = get(target);
        cr_expect_eq(status, 400, "%s", target);
        jsonio_free(json);
    }
}

Test(timeline, the_timeline_has_gaps_and_markers)
{
    const struct event events[] = {
        {.kind = EVENT_CALL, .ticks = 100, .call = {.address = 8, .duration = 50}},
        {.kind = EVENT_LOST, .lost = {.records = 3, .line_was_away = true}},
        {.kind = EVENT_CALL, .ticks = 200, .call = {.address = 8, .duration = 50}},
        {.kind = EVENT_CALL, .ticks = 255, .call = {.address = 8, .duration = 5}},
        {.kind = EVENT_LOST},
        {.kind = EVENT_TEXT, .ticks = 300, .text = {.text = "hot \xff", .n = 5}},
        {.kind = EVENT_RESET},
        {.kind = EVENT_RUN},
        {.kind = EVENT_CALL, .ticks = 400, .call = {.address = 8, .duration = 50}},
    };
    profile_apply(fixture.profile, events, sizeof events / sizeof *events);
    profile_finish(fixture.profile);
    fixture_publish(&fixture);
    struct jsonio *json = get("/api/v1/timeline");
    const struct jsonio *gaps = jsonio_member(json, "gaps"), *markers = jsonio_member(json, "markers");
    cr_assert_eq(jsonio_count(jsonio_member(gaps, "from")), 2);
    cr_expect_eq(answer_number(jsonio_member(json, "first")), 100);
    cr_expect_eq(answer_number(jsonio_at(jsonio_member(gaps, "from"), 0)), 150);
    cr_expect_eq(answer_number(jsonio_at(jsonio_member(gaps, "to"), 0)), 250);
    cr_expect_eq(answer_number(jsonio_at(jsonio_member(gaps, "records"), 0)), 3);
    cr_expect(jsonio_is_null(jsonio_at(jsonio_member(gaps, "records"), 1)), "the number is unknown");
    static const char *const kinds[] = {"reconnect", "reset", "message", "start"};
    static const uint64_t ticks[] = {150, 300, 300, 450};
    cr_assert_eq(jsonio_count(jsonio_member(markers, "kind")), 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_str_eq(jsonio_text(jsonio_at(jsonio_member(markers, "kind"), i)), kinds[i]);
        cr_expect_eq(answer_number(jsonio_at(jsonio_member(markers, "ticks"), i)), ticks[i]);
        cr_expect_eq(answer_number(jsonio_at(jsonio_member(markers, "count"), i)), 1);
    }
    cr_expect_str_eq(jsonio_text(jsonio_at(jsonio_member(markers, "text"), 2)), "hot \xef\xbf\xbd");
    cr_expect(jsonio_is_null(jsonio_at(jsonio_member(markers, "text"), 0)));
    jsonio_free(json);
    json = get("/api/v1/timeline?from=261&to=299");
    cr_expect_eq(jsonio_count(answer_member(json, "gaps", "from")), 1);
    cr_expect_eq(jsonio_count(answer_member(json, "markers", "kind")), 0);
    jsonio_free(json);
}

Test(timeline, the_timeline_has_preempted_and_blocked_times)
{
    const struct event events[] = {
        {.kind = EVENT_SWITCH, .context = 0, .ticks = 0},
        {.kind = EVENT_ENTER, .context = 0, .ticks = 0, .call = {.address = 8}},
        {.kind = EVENT_SWITCH, .context = 2, .ticks = 10, .flags = EVENT_WAITS},
        {.kind = EVENT_SWITCH, .context = 0, .ticks = 30},
        {.kind = EVENT_SWITCH, .context = 1, .ticks = 35, .flags = EVENT_INTERRUPT},
        {.kind = EVENT_ENTER, .context = 1, .ticks = 35, .call = {.address = 16}},
        {.kind = EVENT_EXIT, .context = 1, .ticks = 39, .call = {.address = 16}},
        {.kind = EVENT_EXIT, .context = 0, .ticks = 50, .call = {.address = 8}},
    };
    profile_apply(fixture.profile, events, sizeof events / sizeof *events);
    fixture_publish(&fixture);
    struct jsonio *json = get("/api/v1/timeline");
    cr_expect_eq(jsonio_count(answer_member(json, "rows", "start")), 2, "only calls are rows");
    static const struct {
        const char *kind;
        uint64_t start, duration;
    } want[] = {{"preempted", 35, 4}, {"blocked", 10, 20}};
    cr_assert_eq(jsonio_count(answer_member(json, "away", "kind")), 2);
    for (size_t i = 0; i < 2; i++) {
        size_t at =
            !strcmp(jsonio_text(jsonio_at(answer_member(json, "away", "kind"), 0)), want[i].kind) ? 0 : 1;
        cr_expect_str_eq(jsonio_text(jsonio_at(answer_member(json, "away", "kind"), at)), want[i].kind);
        cr_expect_eq(answer_number(jsonio_at(answer_member(json, "away", "start"), at)), want[i].start);
        cr_expect_eq(answer_number(jsonio_at(answer_member(json, "away", "duration"), at)), want[i].duration);
        cr_expect_eq(answer_number(jsonio_at(answer_member(json, "away", "depth"), at)), 1);
        cr_expect_eq(answer_number(jsonio_at(answer_member(json, "away", "context"), at)), 0);
        cr_expect_eq(answer_number(jsonio_at(answer_member(json, "away", "count"), at)), 1);
    }
    cr_expect(jsonio_is_null(jsonio_member(json, "load")), "it was not asked for");
    jsonio_free(json);
    json = get("/api/v1/timeline?from=5&to=45&load=4");
    static const uint64_t ran[][3] = {{0, 0, 5},  {2, 0, 5}, {3, 0, 6}, {0, 1, 6},
                                      {1, 1, 11}, {2, 1, 3}, {2, 2, 3}, {3, 2, 1}};
    cr_expect_eq(answer_number(answer_member(json, "load", "from")), 5);
    cr_expect_eq(answer_number(answer_member(json, "load", "to")), 45);
    cr_expect_eq(answer_number(answer_member(json, "load", "step")), 11);
    cr_assert_eq(jsonio_count(answer_member(json, "load", "ran")), sizeof ran / sizeof *ran);
    static const char *const members[] = {"column", "context", "ran"};
    for (size_t i = 0; i < sizeof ran / sizeof *ran; i++)
        for (size_t m = 0; m < 3; m++)
            cr_expect_eq(answer_number(jsonio_at(answer_member(json, "load", members[m]), i)), ran[i][m],
                         "%s of %zu", members[m], i);
    jsonio_free(json);
    json = get("/api/v1/timeline?load=2001");
    cr_expect_eq(status, 400);
    jsonio_free(json);
}

Test(timeline, the_load_is_null_where_the_target_does_not_report_what_runs)
{
    struct test_random random = test_random_start("timeline-load");
    fixture_feed(&fixture, &random, 100);
    struct jsonio *json = get("/api/v1/timeline?load=10");
    cr_expect_eq(status, 200);
    cr_expect(jsonio_is_null(jsonio_member(json, "load")));
    jsonio_free(json);
}
