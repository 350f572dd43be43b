/* test_scarcity.c - the web server where the system gives no memory, descriptor or thread: each refusal costs
 * one answer at most. */
#include "fixture.h"

#include "base/jsonio.h"
#include "support/scarce.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct fixture fixture;

static void open_site_with_calls(void)
{
    struct test_random random = test_random_start("scarcity");
    fixture_init(&fixture);
    fixture_open_site(&fixture);
    fixture_feed(&fixture, &random, 300);
}

static void close_site(void)
{
    fixture_fini(&fixture);
}

TestSuite(scarce_http, .init = open_site_with_calls, .fini = close_site);

struct said {
    unsigned status;
    size_t n;
    bool is_whole;
};

/* The request is read before anything is refused, as by a server that got it. */
static struct said ask(const char *method, const char *path, const char *body, unsigned nth, bool *is_over)
{
    char target[200];
    struct error err = {""};
    struct request request = {
        .method = method, .host = "localhost:7777", .body = body, .body_n = body ? strlen(body) : 0};
    struct response response;
    struct said said;
    if (body)
        request.content_type = "application/json";
    strcpy(target, path);
    cr_assert(request_set_target(&request, target, &err), "%s", err.text);
    response_init(&response);
    scarce_begin(nth);
    site_answer(&fixture.site, &request, &response);
    *is_over = !scarce_end();
    said.status = response.status;
    said.is_whole = fixture_drain(&response);
    response_bytes(&response, &said.n);
    response_fini(&response);
    return said;
}

Test(scarce_http, an_answer_is_whole_or_says_that_it_is_none)
{
    static const struct {
        const char *method, *target, *body;
    } asked[] = {
        {"GET", "/api/v1/status", NULL},
        {"GET", "/api/v1/snapshot", NULL},
        {"GET", "/api/v1/snapshot?from=1&to=100000", NULL},
        {"GET", "/api/v1/timeline?max=100", NULL},
        {"GET", "/api/v1/functions/1", NULL},
        {"GET", "/api/v1/functions/1/annotation", NULL},
        {"GET", "/api/v1/windows", NULL},
        {"GET", "/api/v1/openapi.json", NULL},
        {"GET", "/api/v1/export/csv", NULL},
        {"GET", "/metrics", NULL},
        {"GET", "/", NULL},
        {"POST", "/api/v1/device/mode", "{\"mode\": \"calls\"}"},
        {"POST", "/api/v1/device/trigger", "{\"now\": true}"},
        {"POST", "/api/v1/device/config", "{\"name\": \"shortest\", \"value\": 10}"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        bool is_over;
        struct said good = ask(asked[i].method, asked[i].target, asked[i].body, 0, &is_over);
        for (unsigned nth = 1; nth < 400; nth++) {
            struct said said = ask(asked[i].method, asked[i].target, asked[i].body, nth, &is_over);
            if (is_over)
                break;
            bool is_told = said.status == 500 || said.status == 503 || !said.is_whole;
            cr_expect(is_told || said.status == good.status || said.status == 400, "%s, refusal %u: %u",
                      asked[i].target, nth, said.status);
        }
        struct said again = ask(asked[i].method, asked[i].target, asked[i].body, 0, &is_over);
        cr_expect_eq(again.status, good.status, "%s afterwards: %u", asked[i].target, again.status);
    }
}

Test(scarce_http, a_server_that_lacks_something_does_not_start_and_says_what)
{
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        struct error err = {""};
        scarce_begin(nth);
        struct http *http = http_start(&fixture.settings, &err);
        if (!scarce_end()) {
            cr_assert_not_null(http, "%s", err.text);
            http_stop(http);
            break;
        }
        refusals++;
        cr_expect(http || strlen(err.text) > 20, "refusal %u: '%s'", nth, err.text);
        http_stop(http);
    }
    cr_expect_gt(refusals, 5);
}
