/* test_access.c - which clients are let in, and which not. */
#include "own_site.h"
#include "server/access.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(access, .init = open_site, .fini = close_site);

static unsigned status_of(const char *method, const char *target, struct request extra)
{
    struct response response = fixture_ask(&fixture, method, target, &extra);
    unsigned answered = response.status;
    response_fini(&response);
    return answered;
}

Test(access, only_names_of_this_machine_are_answered)
{
    static const char *const ours[] = {"localhost", "localhost:7777", "LOCALHOST:8888", "127.0.0.1:7777",
                                       "127.0.0.2", "[::1]:7777",     "[::1]"};
    static const char *const others[] = {"evil.example",
                                         "evil.example:7777",
                                         "localhost.evil.example",
                                         "127.0.0.1.evil.example",
                                         "192.168.1.1:7777",
                                         "[2001:db8::1]",
                                         "localhost:77x",
                                         ":7777",
                                         "localhost7777:",
                                         "[::2]:7777",
                                         "[::1",
                                         "[127.0.0.1]:7777",
                                         "",
                                         ":7777",
                                         "[::1",
                                         "127.0.0.1@evil.example",
                                         "localhost:7777:7777",
                                         "[::1]7777",
                                         "[]",
                                         "[::1:0:1]",
                                         "[0:0:1::1]",
                                         "localhost evil.example"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        cr_expect_eq(status_of("GET", "/healthz", (struct request){.host = ours[i]}), 200, "%s", ours[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect_eq(status_of("GET", "/healthz", (struct request){.host = others[i]}), 421, "%s", others[i]);
    char longest[300] = "localhost.";
    memset(longest + strlen(longest), 'x', sizeof longest - strlen(longest) - 1);
    cr_expect_eq(status_of("GET", "/healthz", (struct request){.host = longest}), 421,
                 "longer than any name");
}

Test(access, a_post_from_a_foreign_page_changes_nothing)
{
    struct request post = {.content_type = "application/json", .body = "{}"};
    cr_expect_eq(status_of("POST", "/api/v1/device/start", post), 200, "no page at all");
    post.origin = "http://localhost:7777";
    cr_expect_eq(status_of("POST", "/api/v1/device/start", post), 200, "our own page");
    cr_expect_eq(fixture.commands, 2);
    static const char *const foreign[] = {"http://evil.example",
                                          "https://localhost:7777",
                                          "null",
                                          "",
                                          "http://localhost:9999",
                                          "http://localhost:7777.evil.example"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        post.origin = foreign[i];
        cr_expect_eq(status_of("POST", "/api/v1/device/start", post), 403, "%s", foreign[i]);
        cr_expect_eq(status_of("POST", "/api/v1/profile/clear", post), 403, "%s", foreign[i]);
    }
    cr_expect_eq(fixture.commands, 2);
}

Test(access, a_foreign_page_may_only_link_to_ours)
{
    static const char *const foreign[] = {"cross-site", "same-site", "Cross-Site", "whatever"};
    static const char *const targets[] = {"/healthz", "/api/v1/snapshot", "/api/v1/events", "/index.html",
                                          "/debug/pprof/profile?seconds=3600"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        struct request request = {.fetch_site = foreign[i]};
        cr_expect_eq(status_of("GET", "/", request), 200, "a link to the page, %s", foreign[i]);
        for (size_t j = 0; j < sizeof targets / sizeof *targets; j++)
            cr_expect_eq(status_of("GET", targets[j], request), 403, "%s %s", targets[j], foreign[i]);
    }
    cr_expect_eq(status_of("GET", "/healthz", (struct request){.fetch_site = "same-origin"}), 200);
    cr_expect_eq(status_of("GET", "/healthz", (struct request){.fetch_site = "none"}), 200,
                 "typed by a user");
}

Test(access, a_post_must_say_that_it_is_json)
{
    static const char *const wrong[] = {NULL,
                                        "",
                                        "text/plain",
                                        "application/jsonp",
                                        "application/jso",
                                        "application/jsox",
                                        "application/x-www-form-urlencoded"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_eq(status_of("POST", "/api/v1/device/start",
                               (struct request){.content_type = wrong[i], .body = "{}"}),
                     415);
    cr_expect_eq(fixture.commands, 0);
    cr_expect_eq(status_of("POST", "/api/v1/device/start",
                           (struct request){.content_type = "Application/JSON; charset=utf-8", .body = "{}"}),
                 200);
    cr_expect_eq(status_of("POST", "/api/v1/device/start",
                           (struct request){.content_type = "application/json",
                                            .body = "{}",
                                            .body_n = REQUEST_BODY_MOST + 1}),
                 413);
}

Test(access, a_path_that_climbs_is_refused)
{
    static const char *const climbing[] = {"/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                                           "/js/../../x",    "/..",
                                           "/./index.html",  "/js\\..\\x",
                                           "/%00",           "/a%0d%0ab",
                                           "/%zz",           "/%4",
                                           "etc/passwd",     "http://localhost/"};
    for (size_t i = 0; i < sizeof climbing / sizeof *climbing; i++)
        cr_expect_eq(status_of("GET", climbing[i], (struct request){0}), 400, "%s", climbing[i]);
}

/* A token file in a fresh directory. */
static char directory[] = "/tmp/miniprofd-XXXXXX";
static char token_path[64];

static void write_token(const char *text, mode_t mode)
{
    FILE *file = fopen(token_path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    cr_assert_eq(chmod(token_path, mode), 0);
}

static bool access_open(const char *listen, struct access *access, struct error *err)
{
    struct listen_address address;
    cr_assert(listen_parse(listen, &address, NULL));
    return access_init(access, &address, token_path[0] ? token_path : NULL, err);
}

Test(token, beyond_loopback_a_private_token_file_is_required)
{
    struct access access;
    struct error err = {0};
    cr_expect_not(access_open("0.0.0.0:7777", &access, &err));
    cr_expect(strstr(err.text, "--token-file"), "%s", err.text);

    cr_assert_not_null(mkdtemp(directory));
    snprintf(token_path, sizeof token_path, "%s/token", directory);
    cr_expect_not(access_open("0.0.0.0:7777", &access, &err));
    cr_expect(strstr(err.text, token_path) && strstr(err.text, "No such file"), "%s", err.text);
    write_token("0123456789abcdef0123\n", 0644);
    cr_expect_not(access_open("0.0.0.0:7777", &access, &err));
    cr_expect(strstr(err.text, "chmod 600"), "%s", err.text);
    static const mode_t writable[] = {0602, 0620, 0660};
    for (size_t i = 0; i < sizeof writable / sizeof *writable; i++) {
        write_token("0123456789abcdef0123\n", writable[i]);
        cr_expect_not(access_open("0.0.0.0:7777", &access, &err), "%o", (unsigned)writable[i]);
        cr_expect(strstr(err.text, "written by others"), "%s", err.text);
    }
    write_token("short\n", 0600);
    cr_expect_not(access_open("0.0.0.0:7777", &access, &err));
    cr_expect(strstr(err.text, "at least 16"), "%s", err.text);
    write_token("two lines of\nmany words\n", 0600);
    cr_expect_not(access_open("0.0.0.0:7777", &access, &err));
    err = (struct error){0};
    write_token(" \n\t\n", 0600);
    cr_expect_not(access_open("0.0.0.0:7777", &access, &err));
    cr_expect(strstr(err.text, "at least 16"), "%s", err.text);
    write_token("0123456789abcdef0123\n", 0600);
    cr_expect(access_open("0.0.0.0:7777", &access, &err), "%s", err.text);
    access_fini(&access);
    unlink(token_path);
    rmdir(directory);
}

static unsigned admitted(const struct access *access, const char *path, const char *host,
                         const char *authorization)
{
    struct request request = {.method = "GET", .path = path, .host = host, .authorization = authorization};
    struct response response;
    response_init(&response);
    bool admit = access_admit(access, &request, &response);
    unsigned answered = response.status;
    if (answered == 401)
        cr_expect_not_null(response_header_value(&response, "WWW-Authenticate"));
    response_fini(&response);
    return admit ? 200 : answered;
}

Test(token, without_the_token_the_answer_is_401)
{
    struct access access = {
        .token = (char[]){"0123456789abcdef0123"}, .hostname = "lab", .full_name = "lab.example.org"};
    static const char *const known[] = {
        "Bearer 0123456789abcdef0123", "bearer  0123456789abcdef0123",
        "Basic YW55Ym9keTowMTIzNDU2Nzg5YWJjZGVmMDEyMw==", /* anybody:... */
        "Basic OjAxMjM0NTY3ODlhYmNkZWYwMTIz",             /* :... */
    };
    static const char *const unknown[] = {
        NULL,
        "",
        "Bearer",
        "Bearer ",
        "Bearer 0123456789abcdef012",
        "Bearer 0123456789abcdef01230",
        "Bearer 0123456789abcdef01230123456789abcdef0123",
        "Bearer 1123456789abcdef0123",
        "Digest 0123456789abcdef0123",
        "Basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM=",
        "Basic ????",
        "Basic YW55Ym9keTp3cm9uZw==", /* anybody:wrong */
        "0123456789abcdef0123",
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        cr_expect_eq(admitted(&access, "/", "10.0.0.7", known[i]), 200, "%s", known[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        cr_expect_eq(admitted(&access, "/", "10.0.0.7", unknown[i]), 401, "%zu", i);
    cr_expect_eq(admitted(&access, "/healthz", "10.0.0.7", NULL), 200, "health asks for nothing");
    cr_expect_eq(admitted(&access, "/", "lab:7777", known[0]), 200);
    cr_expect_eq(admitted(&access, "/", "Lab.example.org", known[0]), 200);
    cr_expect_eq(admitted(&access, "/", "lab.local:7777", known[0]), 200);
    cr_expect_eq(admitted(&access, "/", "lab.evil.example", known[0]), 421,
                 "another's name for this address");
    cr_expect_eq(admitted(&access, "/", "lab.local.evil.example", known[0]), 421);
    cr_expect_eq(admitted(&access, "/", "evil.example", known[0]), 421);
    cr_expect_eq(admitted(&access, "/", "[2001:db8::1]:7777", known[0]), 200,
                 "any number may be one of ours");
    cr_expect_eq(admitted(&access, "/", "[2001:db8::x]:7777", known[0]), 421);
}

Test(token, a_machine_without_a_name_accepts_no_names)
{
    struct access access = {.token = (char[]){"0123456789abcdef0123"}, .hostname = ""};
    cr_expect_eq(admitted(&access, "/", "10.0.0.7", "Bearer 0123456789abcdef0123"), 200);
    cr_expect_eq(admitted(&access, "/", ".evil.example", "Bearer 0123456789abcdef0123"), 421);
}

Test(token, a_password_of_any_length_is_compared_whole)
{
    struct access access = {.token = (char[]){"0123456789abcdef0123"}};
    char longest[4000] = "Basic ";
    memset(longest + strlen(longest), 'A', sizeof longest - strlen(longest) - 1);
    cr_expect_eq(admitted(&access, "/", "localhost", longest), 401);
    memcpy(longest, "Basic Og", 8); /* ":" first */
    cr_expect_eq(admitted(&access, "/", "localhost", longest), 401);
}

/* The full name comes from DNS, may be anything, and is written into the page of /open. */
Test(access, the_login_page_leads_only_to_a_host_name)
{
    free(fixture.site.access.token);
    fixture.site.access = (struct access){
        .token = strdup("0123456789abcdef0123"), .hostname = "lab", .full_name = "lab.example.org"};
    struct request request = {.host = "lab.example.org:7777", .authorization = "Bearer 0123456789abcdef0123"};
    struct response response = fixture_ask(&fixture, "GET", "/open", &request);
    cr_expect_eq(response.status, 200);
    cr_expect(memmem(response.body.bytes, response.body.n, "url=http://lab.example.org:7777/\"", 33));
    response_fini(&response);
    static const char *const odd[] = {"lab.\"><script>", "lab.x y", "lab.'", "lab.\xc3\xa9"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        request.host = odd[i];
        strcpy(fixture.site.access.full_name, odd[i]);
        cr_expect_eq(status_of("GET", "/open", request), 400, "%s", odd[i]);
    }
}
