/* test_page.c - the page's files. */
#include "own_site.h"

#include "server/asset.h"
#include "support/folder.h"
#include "support/scarce.h"
#include "support/unzip.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

TestSuite(page, .init = open_site, .fini = close_site);

Test(page, files_of_the_page_come_with_type_and_tag)
{
    struct response response = fixture_ask(&fixture, "GET", "/", NULL);
    cr_assert_eq(response.status, 200);
    cr_expect_str_eq(response.media_type, "text/html; charset=utf-8");
    cr_expect(memmem(response.body.bytes, response.body.n, "<html", 5));
    cr_expect_str_eq(response_header_value(&response, "Cache-Control"), "no-cache");
    char etag[RESPONSE_HEADER_SIZE];
    strcpy(etag, response_header_value(&response, "ETag"));
    response_fini(&response);

    response = fixture_ask(&fixture, "GET", "/", &(struct request){.if_none_match = etag});
    cr_expect_eq(response.status, 304);
    cr_expect_eq(response.body.n, 0);
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/", &(struct request){.if_none_match = "W/\"other\""});
    cr_expect_eq(response.status, 200);
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/", &(struct request){.if_none_match = "*"});
    cr_expect_eq(response.status, 304);
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/js/page.js?v=1", NULL);
    cr_expect_eq(response.status, 200);
    cr_expect_str_eq(response.media_type, "text/javascript; charset=utf-8");
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/js", NULL);
    cr_expect_eq(response.status, 404, "a directory is no file");
    response_fini(&response);
}

Test(page, assets_of_the_page_are_cached_as_immutable)
{
    struct response page = fixture_ask(&fixture, "GET", "/", NULL);
    char target[128];
    size_t n = strlen(assets_folder), references = 0, other = 0;
    cr_assert_eq(n, ASSETS_FOLDER_N);
    const char *end = page.body.bytes + page.body.n;
    for (const char *at = page.body.bytes; (at = memmem(at, (size_t)(end - at), "=\"", 2)); at++) {
        const char *name = at + 2, *quote = memchr(name, '"', (size_t)(end - name));
        if ((size_t)(end - name) < n || strncmp(name, assets_folder, n) != 0) {
            other += quote - name > 3 && strncmp(quote - 3, ".js", 3) == 0;
            continue;
        }
        snprintf(target, sizeof target, "/%.*s", (int)(quote - name), name);
        struct response file = fixture_ask(&fixture, "GET", target, NULL);
        cr_expect_eq(file.status, 200, "%s", target);
        cr_expect_str_eq(response_header_value(&file, "Cache-Control"), "max-age=31536000, immutable");
        response_fini(&file);
        references++;
    }
    cr_expect_eq(references, 4, "%zu references", references);
    cr_expect_eq(other, 0, "every script is there");
    response_fini(&page);
}

Test(page, a_page_of_another_program_gets_the_files_that_there_are)
{
    struct response now = fixture_ask(&fixture, "GET", "/js/page.js", NULL);
    cr_assert_eq(now.status, 200);
    cr_expect_str_eq(response_header_value(&now, "Cache-Control"), "no-cache");
    struct response then = fixture_ask(&fixture, "GET", "/v-0123456789abcdef/js/page.js", NULL);
    cr_assert_eq(then.status, 200);
    cr_expect_str_eq(response_header_value(&then, "Cache-Control"), "no-cache",
                     "another program's may change");
    cr_assert_eq(then.body.n, now.body.n);
    cr_expect_arr_eq(then.body.bytes, now.body.bytes, now.body.n);
    response_fini(&now);
    response_fini(&then);
    for (size_t i = 0; i < 5; i++) {
        const char *target = (const char *[]){
            "/v-0123456789abcdef/", "/v-0123456789abcdef/js/none.js", "/v-0123456789ABCDEF/js/page.js",
            "/v-0123456789abcdef0/js/page.js", "/v-0123456789abcdefx/js/main.js"}[i];
        struct response none = fixture_ask(&fixture, "GET", target, NULL);
        cr_expect_eq(none.status, 404, "%s", target);
        response_fini(&none);
    }
}

/* A page under development, with its files in a folder. */
static struct folder folder;

static void open_webroot(void)
{
    folder = folder_new();
    fixture_init(&fixture);
    fixture.settings.webroot = folder.path;
    fixture_open_site(&fixture);
}

static void close_webroot(void)
{
    fixture_fini(&fixture);
    folder_free(&folder);
}

TestSuite(webroot, .init = open_webroot, .fini = close_webroot);

static void put(const char *name, const char *text)
{
    struct folder_path path = folder_file(&folder, name);
    folder_write(&path, text, strlen(text));
}

static unsigned status_of(const char *target, struct request extra)
{
    struct response response = fixture_ask(&fixture, "GET", target, &extra);
    unsigned answered = response.status;
    response_fini(&response);
    return answered;
}

Test(webroot, a_file_is_sent_again_once_it_has_changed)
{
    put("index.html", "<html>one");
    struct response response = fixture_ask(&fixture, "GET", "/", NULL);
    char etag[RESPONSE_HEADER_SIZE];
    cr_assert_eq(response.status, 200);
    strcpy(etag, response_header_value(&response, "ETag"));
    response_fini(&response);
    cr_expect_eq(status_of("/", (struct request){.if_none_match = etag}), 304);
    put("index.html", "<html>longer");
    cr_expect_eq(status_of("/", (struct request){.if_none_match = etag}), 200);
}

Test(webroot, a_file_of_unknown_type_is_an_octet_stream)
{
    static const char *const names[] = {"LICENSE", "fw.elf", ".js."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char target[32];
        put(names[i], "x");
        snprintf(target, sizeof target, "/%s", names[i]);
        struct response response = fixture_ask(&fixture, "GET", target, NULL);
        cr_expect_eq(response.status, 200, "%s", target);
        cr_expect_str_eq(response.media_type, "application/octet-stream", "%s", target);
        response_fini(&response);
    }
}

Test(webroot, files_too_large_too_deep_or_outside_are_not_sent)
{
    struct folder_path giant = folder_file(&folder, "giant.js"), away = folder_file(&folder, "away.js");
    static char deep[PATH_MAX + 100];
    put("index.html", "<html>one");
    put("giant.js", "");
    cr_assert_eq(truncate(giant.text, (64 << 20) + 1), 0);
    cr_assert_eq(symlink("/etc/passwd", away.text), 0);
    memset(deep, '/', sizeof deep - 1);
    /* Cut to fit, it would be index.html. */
    memcpy(deep + PATH_MAX - 1 - strlen(folder.path) - strlen("index.html"), "index.htmlx", 11);
    cr_expect_eq(status_of("/giant.js", (struct request){0}), 404);
    cr_expect_eq(status_of("/away.js", (struct request){0}), 404);
    cr_expect_eq(status_of(deep, (struct request){0}), 404);
}

Test(webroot, a_file_is_sent_whole_or_not_at_all)
{
    static char text[40000];
    memset(text, 'x', sizeof text - 1);
    put("main.js", text);
    for (unsigned nth = 1; nth <= 3; nth++) {
        scarce_fail("read", nth, EIO);
        struct response response = fixture_ask(&fixture, "GET", "/main.js", NULL);
        cr_expect_eq(response.status, 500);
        cr_expect_null(response_header_value(&response, "ETag"), "no browser keeps it");
        response_fini(&response);
    }
    struct response response = fixture_ask(&fixture, "GET", "/main.js", NULL);
    cr_expect_eq(response.status, 200);
    cr_expect_eq(response.body.n, sizeof text - 1);
    response_fini(&response);
}

Test(webroot, only_non_empty_text_is_compressed)
{
    struct request gzip = {.accept_encoding = "gzip"};
    put("empty.js", "");
    put("icon.svg", "<svg></svg>");
    put("icon.png", "no text");
    struct response response = fixture_ask(&fixture, "GET", "/empty.js", &gzip);
    cr_expect_eq(response.status, 200);
    cr_expect_eq(response.body.n, 0);
    cr_expect_null(response_header_value(&response, "Content-Encoding"));
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/icon.svg", &gzip);
    cr_expect_str_eq(response_header_value(&response, "Content-Encoding"), "gzip");
    cr_expect(unzips_to(response.body.bytes, response.body.n, "<svg></svg>", 11));
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/icon.png", &gzip);
    cr_expect_null(response_header_value(&response, "Content-Encoding"));
    response_fini(&response);
}

Test(webroot, it_may_be_the_root_folder_but_no_file)
{
    struct folder_path page = folder_file(&folder, "index.html");
    struct listen_address address;
    struct error err = {""};
    put("index.html", "<html>one");
    site_fini(&fixture.site);
    cr_assert(listen_parse("127.0.0.1:7777", &address, NULL));
    fixture.settings.webroot = page.text;
    cr_expect_not(site_init(&fixture.site, &fixture.settings, &address, &err));
    cr_expect(strstr(err.text, page.text) && strstr(err.text, "Not a directory"), "%s", err.text);
    fixture.settings.webroot = "/";
    cr_assert(site_init(&fixture.site, &fixture.settings, &address, &err), "%s", err.text);
    cr_expect_eq(status_of(page.text, (struct request){0}), 200);
    cr_expect_eq(status_of(folder.path, (struct request){0}), 404);
}
