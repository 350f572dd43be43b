/* test_pause.c - a viewer's pause is kept: every answer is of that moment until the pause ends. */
#include "answer.h"
#include "own_site.h"

#include "base/clock.h"
#include "api/pauses.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

TestSuite(pause, .init = open_site, .fini = close_site);

static struct jsonio *post(const char *target, const char *body)
{
    struct request extra = {.content_type = "application/json", .body = body, .body_n = strlen(body)};
    return fixture_json(&fixture, "POST", target, &extra, &status);
}

static uint64_t begin(void)
{
    struct jsonio *answer = post("/api/v1/pauses", "");
    cr_assert_eq(status, 200);
    uint64_t id = answer_number(jsonio_member(answer, "pause"));
    cr_expect_eq(answer_number(jsonio_member(answer, "seconds")), PAUSES_SECONDS);
    jsonio_free(answer);
    return id;
}

static struct response ask_of(const char *route, uint64_t pause)
{
    char target[160];
    snprintf(target, sizeof target, "/api/v1/%s%cpause=%" PRIu64, route, strchr(route, '?') ? '&' : '?',
             pause);
    return fixture_ask(&fixture, "GET", target, NULL);
}

Test(pause, answers_stay_the_same_while_data_arrives)
{
    static const char *const routes[] = {"snapshot",
                                         "snapshot?from=2000&to=6000",
                                         "timeline?max=1000",
                                         "timeline",
                                         "functions/0",
                                         "functions/0/source",
                                         "functions/0?from=2000&to=6000",
                                         "export/collapsed",
                                         "export/json"};
    enum { ROUTES = sizeof routes / sizeof *routes };
    struct test_random random = test_random_start("pause");
    pthread_mutex_lock(&fixture.lock);
    profile_apply(fixture.profile, &(struct event){.kind = EVENT_CALL, .call = {.address = 8, .duration = 5}},
                  1);
    pthread_mutex_unlock(&fixture.lock);
    fixture_feed(&fixture, &random, 2000);
    uint64_t id = begin();
    struct response before[ROUTES];
    for (int i = 0; i < ROUTES; i++) {
        before[i] = ask_of(routes[i], id);
        cr_assert_eq(before[i].status, 200, "%s", routes[i]);
        cr_assert(!before[i].stream || fixture_drain(&before[i]));
        if (before[i].slot)
            atomic_fetch_sub(before[i].slot, 1);
        before[i].slot = NULL;
    }
    for (int i = 0; i < 300; i++) /* more than the ring holds, so that no earlier call is live */
        fixture_feed(&fixture, &random, 4000);
    struct jsonio *live = get("/api/v1/timeline?max=1000");
    cr_assert_lt(answer_sum(answer_member(live, "rows", "calls")), 1200000, "the ring has gone round");
    jsonio_free(live);
    live = get("/api/v1/functions/0");
    cr_expect_eq(answer_number(jsonio_member(live, "calls")), 1);
    const struct jsonio *call = jsonio_at(jsonio_member(live, "longest"), 0);
    cr_expect_eq(answer_number(jsonio_member(call, "duration")), 5, "its only call is known for good");
    bool is_held = true;
    cr_expect(jsonio_bool(jsonio_member(call, "held"), &is_held) && !is_held, "but is not there any more");
    jsonio_free(live);
    for (int i = 0; i < ROUTES; i++) {
        struct response after = ask_of(routes[i], id);
        cr_assert(!after.stream || fixture_drain(&after));
        size_t n, m;
        const char *a = response_bytes(&before[i], &n), *b = response_bytes(&after, &m);
        cr_expect(after.status == 200 && n == m && memcmp(a, b, n) == 0, "%s", routes[i]);
        response_fini(&after);
        response_fini(&before[i]);
    }
}

Test(pause, an_ended_pause_answers_410)
{
    uint64_t id = begin();
    char body[64];
    snprintf(body, sizeof body, "{\"pause\": %" PRIu64 "}", id);
    for (int round = 0; round < 2; round++) {
        struct jsonio *answer = post("/api/v1/pauses/end", body);
        bool kept;
        cr_assert(jsonio_bool(jsonio_member(answer, "kept"), &kept));
        cr_expect_eq(kept, round == 0);
        jsonio_free(answer);
    }
    struct jsonio *none = post("/api/v1/pauses/end", "{\"pause\": 0}");
    bool was_kept = true;
    cr_expect(jsonio_bool(jsonio_member(none, "kept"), &was_kept) && !was_kept,
              "an empty place is none of an id");
    jsonio_free(none);
    struct response gone = ask_of("timeline", id);
    cr_expect_eq(gone.status, 410);
    response_fini(&gone);
    static const char *const wrong[] = {"",    "{}",         "{\"pause\": \"1\"}", "{\"pause\": 1, \"x\": 1}",
                                        "[1]", "{\"id\": 1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jsonio_free(post("/api/v1/pauses/end", wrong[i]));
        cr_expect_eq(status, 400, "%s", wrong[i]);
    }
    static const char *const bad[] = {"timeline?pause=x",      "snapshot?pause=",         "snapshot?pause",
                                      "functions/0?xpause=1",  "timeline?pause=1x&max=3", "snapshot?pausex=1",
                                      "snapshot?from=1&pauses"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/%s", bad[i]);
        jsonio_free(get(target));
        cr_expect_eq(status, 400, "%s", bad[i]);
    }
    jsonio_free(get("/api/v1/snapshot?pause=0"));
    cr_expect_eq(status, 410);
}

Test(pause, a_new_pause_replaces_the_least_recently_used)
{
    uint64_t ids[PAUSES_MOST];
    for (int i = 0; i < PAUSES_MOST; i++)
        ids[i] = begin();
    struct pauses *pauses = &fixture.site.pauses;
    snapshot_unref(pauses_find(pauses, ids[0], clock_monotonic_ms() + 1000));
    begin();
    cr_expect_eq(status, 200);
    for (int i = 0; i < PAUSES_MOST; i++) {
        struct response answer = ask_of("timeline", ids[i]);
        cr_expect_eq(answer.status, i == 1 ? 410 : 200, "%d", i);
        response_fini(&answer);
    }
}

Test(pause, pauses_are_few_and_expire)
{
    uint64_t ids[PAUSES_MOST];
    for (int i = 0; i < PAUSES_MOST; i++)
        ids[i] = begin();
    struct pauses *pauses = &fixture.site.pauses;
    uint64_t late_ms = clock_monotonic_ms() + PAUSES_SECONDS * UINT64_C(1000) - 1000;
    struct snapshot *found = pauses_find(pauses, ids[1], late_ms);
    cr_expect_not_null(found);
    snapshot_unref(found);
    pauses_sweep(pauses, late_ms + 2000); /* the one that was asked for goes on */
    for (int i = 0; i < PAUSES_MOST; i++) {
        struct response answer = ask_of("timeline", ids[i]);
        cr_expect_eq(answer.status, i == 1 ? 200 : 410);
        response_fini(&answer);
    }
    begin();
}
