/* test_slowest.c - the slowest calls in an answer are those that the snapshot has, each with a split that
 * adds up. */
#include "answer.h"
#include "own_site.h"
#include "snapshot/slowest.h"

#include <criterion/criterion.h>

TestSuite(slowest, .init = open_site, .fini = close_site);

enum { MOST = 50 };

static void expect_call(const struct jsonio *json, const struct slow_call *call)
{
    cr_expect_eq(answer_number(jsonio_member(json, "function")), call->function);
    cr_expect_eq(answer_number(jsonio_member(json, "context")), call->context);
    cr_expect_eq(answer_number(jsonio_member(json, "depth")), call->depth);
    cr_expect_eq(answer_number(jsonio_member(json, "start")), call->start_ticks);
    cr_expect_eq(answer_number(jsonio_member(json, "duration")), call->duration_ticks);
    cr_expect_eq(answer_number(jsonio_member(json, "usual_ticks")), call->usual_ticks);
    /* This fixture reports no turns. */
    cr_expect_null(jsonio_text(jsonio_member(json, "ran_ticks")));
    cr_expect_null(jsonio_member(json, "by"));
}

Test(slowest, the_answer_has_the_calls_of_the_snapshot)
{
    struct test_random random = test_random_start("slowest");
    struct slow_call calls[MOST];
    size_t n;
    fixture_feed(&fixture, &random, 4000);
    struct snapshot *snapshot = board_read(fixture.board);
    cr_assert(slowest_find(snapshot, 0, UINT64_MAX, calls, MOST, &n));
    struct jsonio *json = get("/api/v1/slowest?max=50");
    cr_assert_eq(status, 200);
    const struct jsonio *list = jsonio_member(json, "calls");
    cr_assert_eq(jsonio_count(list), n);
    for (size_t i = 0; i < n; i++)
        expect_call(jsonio_at(list, i), &calls[i]);
    jsonio_free(json);
    json = get("/api/v1/slowest");
    cr_expect_eq(jsonio_count(jsonio_member(json, "calls")), n < 5 ? n : 5);
    jsonio_free(json);
    snapshot_unref(snapshot);
}

Test(slowest, a_number_that_cannot_be_is_refused)
{
    const char *const wrong[] = {"max=0", "max=51", "max=x", "from=2&to=1", "other=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/slowest?%s", wrong[i]);
        struct jsonio *json = get(target);
        cr_expect_eq(status, 400, "%s", wrong[i]);
        jsonio_free(json);
    }
}
