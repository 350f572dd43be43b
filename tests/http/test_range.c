/* test_range.c - answers for a range of time. */
#include "answer.h"
#include "own_site.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

TestSuite(range, .init = open_site, .fini = close_site);

Test(range, a_range_has_the_calls_inside_it)
{
    struct test_random random = test_random_start("range");
    fixture_feed(&fixture, &random, 2000);
    struct jsonio *whole = get("/api/v1/snapshot"), *timeline = get("/api/v1/timeline");
    cr_expect_null(jsonio_member(whole, "range"));
    uint64_t oldest = answer_number(jsonio_member(timeline, "oldest"));
    uint64_t newest = answer_number(jsonio_member(timeline, "newest"));
    uint64_t middle = oldest + (newest - oldest) / 3, self = 0;
    const uint64_t edges[] = {oldest, middle, newest};
    for (int part = 0; part < 2; part++) {
        char target[128];
        snprintf(target, sizeof target, "/api/v1/snapshot?from=%" PRIu64 "&to=%" PRIu64, edges[part],
                 edges[part + 1]);
        struct jsonio *range = get(target);
        cr_assert_eq(status, 200);
        cr_expect_eq(answer_number(answer_member(range, "range", "from")), edges[part]);
        cr_expect_eq(answer_number(answer_member(range, "range", "to")), edges[part + 1]);
        cr_expect_eq(answer_number(answer_member(range, "range", "held_from")), edges[part]);
        cr_expect_eq(answer_number(jsonio_member(range, "sequence")), 2);
        cr_expect_eq(jsonio_count(jsonio_member(range, "functions")),
                     jsonio_count(jsonio_member(whole, "functions")));
        uint64_t ticks = answer_sum(answer_member(range, "call_tree", "self_ticks"));
        cr_expect(ticks > 0);
        self += ticks;
        jsonio_free(range);
    }
    cr_expect_eq(self, answer_sum(answer_member(whole, "call_tree", "self_ticks")), "the parts add up");
    jsonio_free(timeline);
    jsonio_free(whole);
    struct jsonio *open = get("/api/v1/snapshot?to=5000");
    cr_expect_eq(answer_number(answer_member(open, "range", "from")), oldest);
    jsonio_free(open);
    open = get("/api/v1/snapshot?from=5000");
    cr_expect_eq(answer_number(answer_member(open, "range", "to")), newest);
    jsonio_free(open);
    open = get("/api/v1/snapshot?from=18446744073709551614");
    cr_expect_eq(status, 200, "a tick that has not come yet is no mistake");
    cr_expect_eq(answer_sum(answer_member(open, "call_tree", "self_ticks")), 0);
    jsonio_free(open);
    cr_expect_eq(fixture.site.exports, 0, "no place is kept");
}

Test(range, one_function_and_exports_of_a_range)
{
    struct test_random random = test_random_start("range-export");
    fixture_feed(&fixture, &random, 2000);
    struct jsonio *function = get("/api/v1/functions/0?from=2000&to=6000");
    cr_expect_eq(status, 200);
    const struct jsonio *counts = answer_member(function, "histogram", "count");
    cr_expect_eq(answer_sum(counts), answer_number(jsonio_member(function, "calls")),
                 "the spread is of the range's calls");
    struct jsonio *whole = get("/api/v1/functions/0");
    cr_expect_lt(answer_number(jsonio_member(function, "calls")),
                 answer_number(jsonio_member(whole, "calls")));
    jsonio_free(whole);
    jsonio_free(function);
    struct jsonio *exports = get("/api/v1/status");
    for (size_t i = 0; i < jsonio_count(jsonio_member(exports, "exports")); i++) {
        const struct jsonio *export = jsonio_at(jsonio_member(exports, "exports"), i);
        bool available = false;
        jsonio_bool(jsonio_member(export, "available"), &available);
        char target[128];
        snprintf(target, sizeof target, "/api/v1/export/%s?from=2000&to=6000",
                 jsonio_text(jsonio_member(export, "id")));
        struct response response = fixture_ask(&fixture, "GET", target, NULL);
        cr_expect_eq(response.status, available ? 200 : 409, "%s", target);
        const char *as = response_header_value(&response, "Content-Disposition");
        cr_expect(!available || strstr(as, "-from-2000-to-6000."), "%s", target);
        response_fini(&response);
    }
    jsonio_free(exports);
    cr_expect_eq(fixture.site.exports, 0);
}

Test(range, an_impossible_range_gives_an_error)
{
    static const char *const routes_with_range[] = {"/api/v1/snapshot", "/api/v1/export/json",
                                                    "/api/v1/functions/0"};
    static const char *const wrong[] = {"from=2&to=1", "from=x",  "from=-1",       "max=1",
                                        "from",        "other=1", "from=1&from=2", "to="};
    struct test_random random = test_random_start("range-wrong");
    struct jsonio *nothing = get("/api/v1/snapshot?from=1&to=2");
    cr_expect_eq(status, 200, "of nothing yet");
    jsonio_free(nothing);
    fixture_feed(&fixture, &random, 100);
    for (size_t r = 0; r < 3; r++) {
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            char target[128];
            snprintf(target, sizeof target, "%s?%s", routes_with_range[r], wrong[i]);
            struct jsonio *json = get(target);
            cr_expect_eq(status, 400, "%s answered %u", target, status);
            cr_expect_not_null(jsonio_text(jsonio_member(json, "detail")));
            jsonio_free(json);
        }
    }
}

Test(range, the_number_of_ranges_at_a_time_is_limited)
{
    struct response sent[5];
    for (int i = 0; i < 5; i++) {
        sent[i] = fixture_ask(&fixture, "GET", "/api/v1/snapshot?from=1&to=2", NULL);
        cr_expect_eq(sent[i].status, i < 4 ? 200 : 503);
    }
    for (int i = 0; i < 5; i++)
        response_fini(&sent[i]);
    cr_expect_eq(fixture.site.exports, 0);
}
