/* test_page.c - the page's files. */
#include "own_site.h"

#include "http/asset.h"

#include <criterion/criterion.h>
#include <string.h>

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
    response = fixture_ask(&fixture, "GET", "/js/main.js?v=1", NULL);
    cr_expect_eq(response.status, 200);
    cr_expect_str_eq(response.media_type, "text/javascript; charset=utf-8");
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/js", NULL);
    cr_expect_eq(response.status, 404, "a directory is no file");
    response_fini(&response);
}

Test(page, what_the_page_is_made_of_is_kept_unasked_until_it_changes)
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
    cr_expect(references > 10, "%zu files", references);
    cr_expect_eq(other, 0, "every script is there");
    response_fini(&page);
}

Test(page, a_page_of_another_program_gets_the_files_that_there_are)
{
    struct response now = fixture_ask(&fixture, "GET", "/js/main.js", NULL);
    cr_assert_eq(now.status, 200);
    cr_expect_str_eq(response_header_value(&now, "Cache-Control"), "no-cache");
    struct response then = fixture_ask(&fixture, "GET", "/v-0123456789abcdef/js/main.js", NULL);
    cr_assert_eq(then.status, 200);
    cr_expect_str_eq(response_header_value(&then, "Cache-Control"), "no-cache",
                     "another program's may change");
    cr_assert_eq(then.body.n, now.body.n);
    cr_expect_arr_eq(then.body.bytes, now.body.bytes, now.body.n);
    response_fini(&now);
    response_fini(&then);
    for (size_t i = 0; i < 4; i++) {
        const char *target =
            (const char *[]){"/v-0123456789abcdef/", "/v-0123456789abcdef/js/none.js",
                             "/v-0123456789ABCDEF/js/main.js", "/v-0123456789abcdef0/js/main.js"}[i];
        struct response none = fixture_ask(&fixture, "GET", target, NULL);
        cr_expect_eq(none.status, 404, "%s", target);
        response_fini(&none);
    }
}
