/* test_history.c - how the link did over time, as it is told. */
#include "answer.h"
#include "own_site.h"

#include <criterion/criterion.h>

TestSuite(history, .init = open_site, .fini = close_site);

Test(history, columns_are_of_one_length_and_counters_say_when_they_grew)
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
