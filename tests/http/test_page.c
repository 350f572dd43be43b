/* test_page.c - the page's files. */
#include "own_site.h"

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
