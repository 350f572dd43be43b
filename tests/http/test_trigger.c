/* test_trigger.c - triggers set, windows requested and listed. */
#include "answer.h"
#include "own_site.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(trigger, .init = open_site, .fini = close_site);

static const char route[] = "/api/v1/device/trigger";

static struct jsonio *post(const char *body)
{
    struct request request = {.content_type = "application/json", .body = body};
    return fixture_json(&fixture, "POST", route, &request, &status);
}

Test(trigger, a_trigger_is_set_asked_for_and_taken_back)
{
    struct jsonio *json = post("{\"when\": \"spi_read > 1.5 ms\"}");
    cr_expect_eq(status, 200);
    cr_expect_eq(fixture.last_command.kind, ORDER_TRIGGER);
    cr_expect_str_eq(fixture.last_command.limit.name, "spi_read");
    cr_expect_eq(fixture.last_command.limit.ns, 1500000u);
    cr_expect_not(fixture.last_command.is_for_now);
    const struct jsonio *trigger = answer_member(json, "target", "trigger");
    cr_expect_str_eq(jsonio_text(jsonio_member(trigger, "when")), "spi_read>1500us");
    cr_expect_str_eq(jsonio_text(jsonio_member(trigger, "state")), "armed");
    jsonio_free(json);
    jsonio_free(post("{\"now\": true}"));
    cr_expect(status == 200 && fixture.last_command.is_for_now);
    json = post("{\"when\": null}");
    cr_expect(status == 200 && !*fixture.last_command.limit.name && !fixture.last_command.is_for_now);
    cr_expect(jsonio_is_null(answer_member(json, "target", "trigger")));
    jsonio_free(json);
}

Test(trigger, a_bad_request_gives_an_error)
{
    static const char *const bodies[] = {"",
                                         "{}",
                                         "[]",
                                         "{\"when\": \"a\"}",
                                         "{\"when\": 3}",
                                         "{\"now\": false}",
                                         "{\"now\": 1}",
                                         "{\"when\": null, \"now\": true}",
                                         "{\"when\": \"a>1us\", \"b\": 1}"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        fixture.last_command.kind = ORDER_CLEAR;
        struct jsonio *json = post(bodies[i]);
        cr_expect_eq(status, 400, "%s: %u", bodies[i], status);
        cr_expect_not_null(jsonio_text(jsonio_member(json, "detail")), "%s", bodies[i]);
        cr_expect_eq(fixture.last_command.kind, ORDER_CLEAR, "%s", bodies[i]);
        jsonio_free(json);
    }
    fixture.answer = ORDER_REFUSED;
    strcpy(fixture.why.text, "There is no function 'b'.");
    struct jsonio *json = post("{\"when\": \"b>1us\"}");
    cr_expect_eq(status, 409);
    cr_expect_str_eq(jsonio_text(jsonio_member(json, "detail")), "There is no function 'b'.");
    jsonio_free(json);
}

static void tell(uint8_t stage, uint64_t ticks, uint8_t reason)
{
    profile_apply(fixture.profile,
                  &(struct event){.kind = EVENT_WINDOW,
                                  .ticks = ticks,
                                  .window = {.stage = stage,
                                             .reason = reason,
                                             .address = 0x2000,
                                             .duration = 40,
                                             .missed = 2,
                                             .is_whole = true}},
                  1);
}

Test(trigger, windows_are_listed_with_their_reason)
{
    pthread_mutex_lock(&fixture.lock);
    tell(WINDOW_BEGINS, 1000, 0);
    tell(WINDOW_TELLS, 1500, WINDOW_SLOW);
    tell(WINDOW_ENDS, 1800, 0);
    tell(WINDOW_BEGINS, 3000, 0);
    tell(WINDOW_TELLS, 3000, WINDOW_ASKED);
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    struct jsonio *json = get("/api/v1/windows");
    cr_assert_eq(status, 200);
    cr_expect(jsonio_is_null(jsonio_member(json, "trigger")));
    const struct jsonio *rows = answer_member(json, "windows", "rows");
    cr_assert_eq(jsonio_count(rows), 2u);
    const struct jsonio *first = jsonio_at(rows, 0), *second = jsonio_at(rows, 1);
    uint64_t from = 0, to = 0, ticks = 0, duration = 0;
    cr_expect(jsonio_u64(jsonio_member(first, "from"), &from) && from == 1000);
    cr_expect(jsonio_u64(jsonio_member(first, "to"), &to) && to == 1800);
    cr_expect(jsonio_u64(jsonio_member(first, "ticks"), &ticks) && ticks == 1500);
    cr_expect(jsonio_u64(jsonio_member(first, "duration"), &duration) && duration == 40);
    cr_expect_str_eq(jsonio_text(jsonio_member(first, "reason")), "slow");
    cr_expect_str_eq(jsonio_text(jsonio_member(first, "state")), "whole");
    cr_expect_str_eq(jsonio_text(jsonio_member(second, "reason")), "asked");
    cr_expect_str_eq(jsonio_text(jsonio_member(second, "state")), "open");
    cr_expect(jsonio_is_null(jsonio_member(second, "function")));
    jsonio_free(json);
    jsonio_free(get("/api/v1/windows?x=1"));
    cr_expect_eq(status, 400);
    jsonio_free(get(route));
    cr_expect_eq(status, 405);
}
