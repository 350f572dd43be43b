/* test_limits.c - limits: set, listed, removed. */
#include "answer.h"
#include "own_site.h"
#include "support/frozen.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(limits, .init = open_site, .fini = close_site);

static struct jsonio *post(const char *route, const char *body)
{
    struct request request = {.content_type = "application/json", .body = body};
    return fixture_json(&fixture, "POST", route, &request, &status);
}

static const char *text_of(const struct jsonio *row, const char *key)
{
    return jsonio_text(jsonio_member(row, key));
}

static uint64_t number_of(const struct jsonio *row, const char *key)
{
    uint64_t value = UINT64_MAX;
    cr_assert(jsonio_u64(jsonio_member(row, key), &value), "%s", key);
    return value;
}

Test(limits, a_limit_is_set_listed_and_removed)
{
    struct jsonio *json = post("/api/v1/limits", "{\"limit\": \"a \\\"b\\\" : max < 0.5 ms\"}");
    cr_assert_eq(status, 200);
    uint64_t id = number_of(json, "id");
    cr_expect_str_eq(text_of(jsonio_at(jsonio_member(json, "limits"), 0), "limit"), "a \"b\":max<500us");
    jsonio_free(json);
    json = get("/api/v1/limits");
    cr_assert_eq(status, 200);
    cr_assert_eq(jsonio_count(jsonio_member(json, "limits")), 1);
    cr_expect_eq(number_of(jsonio_at(jsonio_member(json, "limits"), 0), "id"), id);
    jsonio_free(json);
    json = post("/api/v1/limits", "{\"limit\": \"a \\\"b\\\":max<500us\"}");
    cr_expect_eq(status, 409);
    cr_expect_str_eq(text_of(json, "detail"), "The limit 'a \"b\":max<500us' is set already.");
    jsonio_free(json);
    char body[32];
    snprintf(body, sizeof body, "{\"id\": %u}", (unsigned)id);
    json = post("/api/v1/limits/end", body);
    cr_expect_eq(status, 200);
    cr_expect_eq(jsonio_count(jsonio_member(json, "limits")), 0);
    jsonio_free(json);
    json = post("/api/v1/limits/end", body);
    cr_expect_eq(status, 409);
    cr_expect_not_null(text_of(json, "detail"));
    jsonio_free(json);
}

Test(limits, a_bad_request_gives_an_error)
{
    static const struct {
        const char *route, *body, *words;
    } cases[] = {
        {"/api/v1/limits", "", "body"},
        {"/api/v1/limits", "{}", "must be {\"limit\""},
        {"/api/v1/limits", "[]", "must be {\"limit\""},
        {"/api/v1/limits", "{\"limit\": 3}", "must be {\"limit\""},
        {"/api/v1/limits", "{\"limit\": \"a:max<1us\", \"b\": 1}", "must be {\"limit\""},
        {"/api/v1/limits", "{\"limit\": \"a:p98<1us\"}", "cannot be read at 'p98<1us' (character 3)"},
        {"/api/v1/limits/end", "{}", "must be {\"id\""},
        {"/api/v1/limits/end", "{\"id\": \"1\"}", "must be {\"id\""},
        {"/api/v1/limits/end", "{\"id\": 4294967296}", "must be {\"id\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jsonio *json = post(cases[i].route, cases[i].body);
        cr_expect_eq(status, 400, "%s: %u", cases[i].body, status);
        cr_expect(strstr(text_of(json, "detail"), cases[i].words), "%s", text_of(json, "detail"));
        jsonio_free(json);
    }
}

Test(limits, breaches_are_listed_and_marked_on_the_timeline)
{
    jsonio_free(post("/api/v1/limits", "{\"limit\": \"0x00009000:max<20us\"}"));
    pthread_mutex_lock(&fixture.lock);
    profile_set_clock(fixture.profile, 1000000);
    const struct event calls[] = {call(0x9000, 900000, 30, 0), call(0x9000, 900300, 10, 0),
                                  call(0x9000, 900500, 45, 0)};
    profile_apply(fixture.profile, calls, 3);
    profile_finish(fixture.profile);
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    struct jsonio *json = get("/api/v1/limits");
    const struct jsonio *breaches = jsonio_member(json, "breaches");
    cr_expect_eq(number_of(breaches, "told"), 2);
    const struct jsonio *second = jsonio_at(jsonio_member(breaches, "rows"), 1);
    cr_expect_eq(number_of(second, "number"), 1);
    cr_expect_eq(number_of(second, "from"), 900500);
    cr_expect_eq(number_of(second, "ticks"), 900545);
    jsonio_free(json);
    json = get("/api/v1/timeline?from=900000&to=901000");
    const struct jsonio *markers = jsonio_member(json, "markers"), *kinds = jsonio_member(markers, "kind");
    cr_assert_eq(jsonio_count(kinds), 2);
    cr_expect_str_eq(jsonio_text(jsonio_at(kinds, 0)), "breach");
    cr_expect_str_eq(jsonio_text(jsonio_at(jsonio_member(markers, "text"), 1)), "45us: 0x00009000:max<20us");
    jsonio_free(json);
}
