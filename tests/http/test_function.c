/* test_function.c - one function and its neighbours. */
#include "answer.h"
#include "own_site.h"

#include <criterion/criterion.h>
#include <stdio.h>

TestSuite(function, .init = open_site, .fini = close_site);

/* Checks the calls in an answer. */
static void expect_calls(const struct jsonio *json, const struct snapshot_function *function, size_t buckets,
                         uint64_t counted)
{
    const struct jsonio *longest = jsonio_member(json, "longest");
    cr_expect_eq(jsonio_count(jsonio_member(json, "examples")), buckets);
    cr_expect_eq(jsonio_count(longest) > 0, counted > 0);
    if (counted > 0)
        cr_expect_eq(answer_number(jsonio_member(jsonio_at(longest, 0), "duration")), function->max_ticks);
}

Test(function, one_function_adds_up_with_its_neighbours)
{
    struct test_random random = test_random_start("function");
    fixture_feed(&fixture, &random, 2000);
    struct snapshot *snapshot = board_read(fixture.board);
    uint64_t edge_calls = 0;
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        char target[64];
        snprintf(target, sizeof target, "/api/v1/functions/%u", id);
        struct jsonio *json = get(target);
        cr_assert_eq(status, 200, "%s", target);
        cr_expect_eq(answer_number(jsonio_member(json, "id")), id);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "name")), function->name);
        cr_expect_eq(answer_number(jsonio_member(json, "calls")), function->calls);

        const struct jsonio *counts = answer_member(json, "histogram", "count");
        uint64_t counted = 0;
        for (size_t i = 0; i < jsonio_count(counts); i++)
            counted += answer_number(jsonio_at(counts, i));
        cr_expect_eq(counted, function->known & FUNCTION_TIMES ? function->calls : 0, "%s", function->name);
        cr_expect_eq(jsonio_count(answer_member(json, "histogram", "low")), jsonio_count(counts));
        cr_expect_eq(jsonio_count(answer_member(json, "histogram", "high")), jsonio_count(counts));

        expect_calls(json, function, jsonio_count(counts), counted);
        /* All calls are counted by their callers, except those right below the root. */
        const struct jsonio *callers = jsonio_member(json, "callers");
        uint64_t calls = 0, ticks = 0;
        for (size_t i = 0; i < jsonio_count(callers); i++) {
            calls += answer_number(jsonio_member(jsonio_at(callers, i), "calls"));
            ticks += answer_number(jsonio_member(jsonio_at(callers, i), "total_ticks"));
        }
        for (uint32_t i = 1; i < snapshot->node_count; i++) {
            if (snapshot->nodes[i].parent == 0 && snapshot->nodes[i].function == (int32_t)id) {
                calls += snapshot->nodes[i].calls;
                ticks += snapshot->nodes[i].total_ticks;
            }
        }
        cr_expect_eq(calls, function->calls, "%s", function->name);
        cr_expect_eq(ticks, function->total_ticks, "%s", function->name);

        const struct jsonio *callees = jsonio_member(json, "callees");
        for (size_t i = 0; i < jsonio_count(callees); i++) {
            edge_calls += answer_number(jsonio_member(jsonio_at(callees, i), "calls"));
            cr_expect(answer_number(jsonio_member(jsonio_at(callees, i), "total_ticks")) <=
                          function->total_ticks,
                      "the callees' time is inside the function's");
        }
        jsonio_free(json);
    }
    uint64_t below_root = 0, all = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        all += snapshot->nodes[i].calls;
        below_root += snapshot->nodes[i].parent == 0 ? snapshot->nodes[i].calls : 0;
    }
    cr_expect_eq(edge_calls, all - below_root, "every edge is somebody's callee once");
    snapshot_unref(snapshot);
}

/* All calls are kept, so their periods must equal those of the row. */
Test(function, its_periods_are_those_of_its_row)
{
    struct test_random random = test_random_start("function-periods");
    uint64_t ticks = 1000; /* flat: nothing calls itself */
    for (int i = 0; i < 500; i++) {
        const struct event event = {.kind = EVENT_CALL,
                                    .ticks = ticks,
                                    .call = {.address = 0x100u << test_random_below(&random, 3),
                                             .duration = test_random_below(&random, 50)}};
        profile_apply(fixture.profile, &event, 1);
        ticks += 50 + test_random_below(&random, 900);
    }
    profile_finish(fixture.profile);
    fixture_publish(&fixture);
    struct snapshot *snapshot = board_read(fixture.board);
    uint64_t all = 0;
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        char target[64];
        snprintf(target, sizeof target, "/api/v1/functions/%u/periods", id);
        struct jsonio *json = get(target);
        cr_assert_eq(status, 200, "%s", target);
        const struct jsonio *counts = answer_member(json, "histogram", "count");
        uint64_t n = 0;
        for (size_t i = 0; i < jsonio_count(counts); i++)
            n += answer_number(jsonio_at(counts, i));
        cr_expect_eq(n, answer_number(jsonio_member(json, "periods")));
        cr_expect_eq(jsonio_count(jsonio_member(json, "examples")), jsonio_count(counts));
        if (function->known & FUNCTION_PERIOD) {
            cr_expect_eq(n, function->periods, "%s", function->name);
            cr_expect_eq(answer_number(jsonio_member(json, "max_ticks")), function->period_max_ticks);
        }
        all += n;
        jsonio_free(json);
    }
    cr_expect_gt(all, 0);
    snapshot_unref(snapshot);
    static const struct {
        const char *target;
        unsigned status;
    } wrong[] = {{"/api/v1/functions/99999/periods", 404},
                 {"/api/v1/functions/x/periods", 400},
                 {"/api/v1/functions/0/periods?columns=3", 400},
                 {"/api/v1/functions/0/periods?from=9&to=3", 400}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jsonio_free(get(wrong[i].target));
        cr_expect_eq(status, wrong[i].status, "%s answered %u", wrong[i].target, status);
    }
}

Test(function, a_function_that_is_not_there_is_not_found)
{
    static const struct {
        const char *target;
        unsigned status;
    } wrong[] = {
        {"/api/v1/functions/99999", 404},     {"/api/v1/functions/18446744073709551616", 400},
        {"/api/v1/functions/-1", 400},        {"/api/v1/functions/4294967296", 404},
        {"/api/v1/functions/0x1", 400},       {"/api/v1/functions/", 404},
        {"/api/v1/functions/0/callers", 404}, {"/api/v1/functions/main", 400},
        {"/api/v1/functions/99999?a=1", 400},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct jsonio *json = get(wrong[i].target);
        cr_expect_eq(status, wrong[i].status, "%s answered %u", wrong[i].target, status);
        cr_expect(jsonio_text(jsonio_member(json, "title")) && jsonio_text(jsonio_member(json, "detail")));
        jsonio_free(json);
    }
}

Test(function, over_time_its_columns_add_up_to_its_calls)
{
    struct test_random random = test_random_start("function-overtime");
    fixture_feed(&fixture, &random, 2000);
    struct snapshot *snapshot = board_read(fixture.board);
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/functions/%u/over-time?columns=20", id);
        struct jsonio *json = get(target);
        cr_assert_eq(status, 200, "%s", target);
        const struct jsonio *calls = answer_member(json, "rows", "calls");
        uint64_t n = 0;
        for (size_t i = 0; i < jsonio_count(calls); i++)
            n += answer_number(jsonio_at(calls, i));
        cr_expect_eq(n, snapshot->functions[id].known & FUNCTION_EACH ? snapshot->functions[id].calls : 0);
        cr_expect_leq(jsonio_count(calls), 20);
        cr_expect(jsonio_is_array(jsonio_member(json, "gaps")));
        jsonio_free(json);
    }
    snapshot_unref(snapshot);
    static const struct {
        const char *target;
        unsigned status;
    } wrong[] = {{"/api/v1/functions/99999/over-time", 404},
                 {"/api/v1/functions/x/over-time", 400},
                 {"/api/v1/functions/0/over-time?columns=0", 400},
                 {"/api/v1/functions/0/over-time?columns=4001", 400},
                 {"/api/v1/functions/0/over-time?from=9&to=3", 400}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jsonio_free(get(wrong[i].target));
        cr_expect_eq(status, wrong[i].status, "%s answered %u", wrong[i].target, status);
    }
}
