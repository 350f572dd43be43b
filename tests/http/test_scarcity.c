/* test_scarcity.c - the web server without memory, descriptors or threads: each refusal costs at most one answer. */
#include "fixture.h"

#include "base/jsonio.h"
#include "api/route_sse.h"
#include "support/client.h"
#include "support/folder.h"
#include "support/scarce.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

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

/* The request is read before anything is refused, as by a server that got it. The snapshot is a new one, of
 * which nothing was made yet. */
static struct said ask(const char *method, const char *path, const char *body, unsigned nth, bool *is_over)
{
    char target[200];
    struct error err = {""};
    struct request request = {.method = method,
                              .host = "localhost:7777",
                              .body = body,
                              .body_n = body ? strlen(body) : 0,
                              .accept_encoding = "gzip"};
    struct response response;
    struct said said;
    if (body)
        request.content_type = "application/json";
    fixture_publish(&fixture);
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

Test(scarce_http, without_memory_an_answer_is_complete_or_an_error)
{
    static const struct {
        const char *method, *target, *body;
    } asked[] = {
        {"GET", "/api/v1/status", NULL},
        {"GET", "/api/v1/snapshot", NULL},
        {"GET", "/api/v1/snapshot?from=1&to=100000", NULL},
        {"GET", "/api/v1/timeline?max=100", NULL},
        {"GET", "/api/v1/functions/1", NULL},
        {"GET", "/api/v1/functions/1/source", NULL},
        {"GET", "/api/v1/link/history", NULL},
        {"GET", "/api/v1/windows", NULL},
        {"GET", "/api/v1/limits", NULL},
        {"GET", "/api/v1/openapi.json", NULL},
        {"GET", "/api/v1/export/csv", NULL},
        {"GET", "/api/v1/export/pprof", NULL}, /* which is compressed already */
        {"GET", "/metrics", NULL},
        {"GET", "/", NULL},
        {"POST", "/api/v1/device/mode", "{\"mode\": \"calls\"}"},
        {"POST", "/api/v1/device/trigger", "{\"now\": true}"},
        {"POST", "/api/v1/device/config", "{\"payload\": \"00\"}"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        bool is_over;
        struct said good = ask(asked[i].method, asked[i].target, asked[i].body, 0, &is_over);
        cr_assert_eq(good.status, 200, "%s", asked[i].target);
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

/* The answer's text when the nth allocation is refused; NULL for an error. The caller frees it. */
static char *text_of(const char *path, unsigned nth, bool *is_over)
{
    char target[200];
    struct request request = {.method = "GET", .host = "localhost:7777"};
    struct response response;
    strcpy(target, path);
    cr_assert(request_set_target(&request, target, NULL));
    response_init(&response);
    scarce_begin(nth);
    site_answer(&fixture.site, &request, &response);
    *is_over = !scarce_end();
    size_t n;
    bool is_whole = fixture_drain(&response);
    const char *bytes = response_bytes(&response, &n);
    char *text = response.status == 200 && is_whole ? strndup(bytes, n) : NULL;
    cr_expect(text || response.status == 500 || response.status == 503, "%s, refusal %u: %u", path, nth,
              response.status);
    response_fini(&response);
    return text;
}

/* Figures of a range are counted for each request, and calls of a screen merged. */
Test(scarce_http, what_is_counted_for_an_answer_is_all_of_it_or_none)
{
    static const char *const targets[] = {"/api/v1/snapshot?from=1&to=10000000", "/api/v1/timeline?max=20"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        bool is_over;
        unsigned refusals = 0;
        char *good = text_of(targets[i], 0, &is_over);
        cr_assert_not_null(good);
        for (unsigned nth = 1;; nth++) {
            char *text = text_of(targets[i], nth, &is_over);
            cr_expect(!text || strcmp(text, good) == 0, "%s, refusal %u: other figures, and no word",
                      targets[i], nth);
            refusals += !text;
            free(text);
            if (is_over)
                break;
        }
        cr_expect_gt(refusals, 3, "%s", targets[i]);
        free(good);
    }
}

Test(scarce_http, without_resources_the_server_reports_why_it_does_not_start)
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

/* A listener of which a part is missing would not know: it ends, and the client connects again. */
Test(scarce_http, a_stream_of_updates_is_whole_or_ends)
{
    unsigned refusals = 0;
    for (unsigned nth = 1; nth < 400; nth++) {
        static char part[1 << 20];
        struct request request = {.last_event_id = NULL};
        fixture_publish(&fixture);
        scarce_begin(nth);
        struct stream *stream = sse_open(&fixture.site, &request);
        ssize_t n = stream ? stream->read(stream, part, sizeof part) : 0;
        bool is_over = !scarce_end();
        cr_expect(n == 0 ||
                      (n > 100 && memcmp(part, "retry:", 6) == 0 && memcmp(part + n - 2, "\n\n", 2) == 0 &&
                       memmem(part, (size_t)n, "event: snapshot", 15)),
                  "refusal %u: %zd bytes", nth, n);
        if (stream)
            stream->close(stream);
        if (is_over) {
            cr_expect(n > 0);
            break;
        }
        refusals += n == 0;
    }
    cr_expect_gt(refusals, 3);
    bool is_over;
    cr_expect_eq(ask("GET", "/api/v1/events", NULL, 1, &is_over).status, 503);
    cr_expect_not(is_over);
    cr_expect_eq(fixture.site.listeners, 0);
}

/* Connections have separate threads. */
Test(scarce_http, after_a_failed_answer_over_a_socket_the_next_is_served)
{
    static const char *const targets[] = {"/api/v1/status", "/api/v1/snapshot", "/healthz"};
    struct error err = {""};
    struct http *http = http_start(&fixture.settings, &err);
    cr_assert_not_null(http, "%s", err.text);
    unsigned port = client_port(http_address(http)), refused = 0;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        bool is_over = false;
        for (unsigned nth = 1; nth < 400 && !is_over; nth++) {
            fixture_publish(&fixture);
            scarce_begin_elsewhere(nth);
            unsigned status = client_ask(port, "GET", targets[i], NULL, NULL, NULL);
            is_over = !scarce_end_elsewhere();
            cr_expect(status == 200 || (!is_over && (status == 0 || status == 500 || status == 503)),
                      "%s, refusal %u: %u", targets[i], nth, status);
            refused += status != 200;
        }
        cr_expect(is_over, "%s", targets[i]);
        cr_expect_eq(client_ask(port, "GET", targets[i], NULL, NULL, NULL), 200, "%s", targets[i]);
    }
    cr_expect_gt(refused, 10);
    http_stop(http);
}

/* All bytes of an answer, to the end of its connection; the caller ends with sink_buffer_fini(). */
static struct sink_buffer answer_to(unsigned port, const char *target)
{
    struct client client;
    char part[16384];
    struct sink_buffer bytes;
    sink_buffer_init(&bytes);
    cr_assert(client_open(&client, port));
    client_send(&client, "GET", target, "Connection: close\r\nAccept-Encoding: gzip\r\n", NULL);
    for (ssize_t n; (n = recv(client.fd, part, sizeof part, 0)) > 0;)
        sink_write(&bytes.sink, part, (size_t)n);
    client_close(&client);
    return bytes;
}

/* Refuses the nth allocation of an export, for each n in turn; returns the number of answers that failed after their
 * head. */
static unsigned broken_exports(unsigned port)
{
    static const char last[] = "\r\n0\r\n\r\n";
    unsigned broken = 0;
    bool is_over = false;
    for (unsigned nth = 1; nth < 400 && !is_over; nth++) {
        scarce_begin_elsewhere(nth);
        struct sink_buffer answer = answer_to(port, "/api/v1/export/speedscope");
        is_over = !scarce_end_elsewhere();
        bool is_good = answer.n > 20 && memcmp(answer.bytes, "HTTP/1.1 200", 12) == 0;
        bool is_ended =
            answer.n > 20 && memcmp(answer.bytes + answer.n - strlen(last), last, strlen(last)) == 0;
        cr_expect(!is_over || (is_good && is_ended));
        broken += is_good && !is_ended;
        sink_buffer_fini(&answer);
    }
    cr_expect(is_over);
    return broken;
}

Test(scarce_http, an_export_that_breaks_off_ends_without_its_last_chunk)
{
    struct http *http = http_start(&fixture.settings, NULL);
    cr_assert_not_null(http);
    /* If the export fails before the head is sent, there is no answer. */
    unsigned broken = 0;
    for (int round = 0; round < 100 && broken == 0; round++)
        broken = broken_exports(client_port(http_address(http)));
    cr_expect_gt(broken, 0);
    http_stop(http);
}

Test(scarce_http, a_server_without_random_numbers_or_a_copy_of_its_token_does_not_start)
{
    for (unsigned nth = 1; nth <= 2; nth++) {
        struct error err = {""};
        scarce_fail("getrandom", nth, ENOSYS);
        cr_expect_null(http_start(&fixture.settings, &err));
        cr_expect(strstr(err.text, "no random number"), "%s", err.text);
    }
    struct folder folder = folder_new();
    struct folder_path token = folder_file(&folder, "token");
    struct error err = {""};
    folder_write(&token, "0123456789abcdef0123", 20);
    cr_assert_eq(chmod(token.text, 0600), 0);
    fixture.settings.token_file = token.text;
    for (unsigned nth = 1; strstr(err.text, "Out of memory while preparing the token") == NULL; nth++) {
        err = (struct error){""};
        scarce_begin(nth);
        struct http *http = http_start(&fixture.settings, &err);
        cr_assert(scarce_end(), "the token was copied without memory");
        cr_assert_null(http);
    }
    folder_free(&folder);
}

/* Requests of the library are refused without scarce.h, which does not apply to libraries. */
Test(scarce_http, with_too_few_descriptors_it_does_not_start_and_leaves_no_file)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "page");
    char listen[160];
    struct rlimit before, few;
    unsigned refusals = 0;
    struct http *http = NULL;
    snprintf(listen, sizeof listen, "unix:%s", path.text);
    fixture.settings.listen = listen;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    cr_assert_geq(next, 0);
    close(next);
    for (few = before, few.rlim_cur = (rlim_t)next; !http && few.rlim_cur < (rlim_t)next + 64;
         few.rlim_cur++) {
        struct error err = {""};
        cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
        http = http_start(&fixture.settings, &err);
        cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
        if (http)
            break;
        refusals++;
        cr_expect(strstr(err.text, "open files"), "%s", err.text);
        cr_expect_neq(access(path.text, F_OK), 0);
    }
    cr_assert_not_null(http);
    cr_expect_geq(refusals, 5, "%u", refusals);
    http_stop(http);
    folder_free(&folder);
}
