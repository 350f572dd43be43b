/* test_gzip.c - compressed answers: when they are sent, and that they unpack to the plain ones. */
#include "own_site.h"

#include "server/gzip.h"
#include "support/unzip.h"

#include <criterion/criterion.h>

TestSuite(gzip, .init = open_site, .fini = close_site);

Test(gzip, is_used_only_when_asked_for)
{
    static const char *const yes[] = {"gzip",   "deflate, gzip;q=0.5",  "GZIP",          "br;q=1.0, *",
                                      "x-gzip", "identity, gzip ; q=1", "gzip;q=0.001 ", "a, *"};
    static const char *const no[] = {NULL,     "",           "identity", "gzip;q=0",      "gzip;q=0.000, *",
                                     "*;q=0",  "gzipped",    "br",       "gzip; q=0 , *", "bzip",
                                     "x-bzip", "x-gzip;q=0", "a"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        cr_expect(gzip_accepted(yes[i]), "%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        cr_expect_not(gzip_accepted(no[i]), "%zu", i);
}

static void is_the_same_when_compressed(const char *target)
{
    struct response plain = fixture_ask(&fixture, "GET", target, NULL);
    cr_expect_null(response_header_value(&plain, "Content-Encoding"));
    cr_expect_str_eq(response_header_value(&plain, "Vary"), "Accept-Encoding");
    struct response packed =
        fixture_ask(&fixture, "GET", target, &(struct request){.accept_encoding = "gzip"});
    cr_expect_str_eq(response_header_value(&packed, "Content-Encoding"), "gzip");
    cr_expect(fixture_drain(&plain) && fixture_drain(&packed));
    size_t n, packed_n;
    const char *bytes = response_bytes(&plain, &n);
    const char *packed_bytes = response_bytes(&packed, &packed_n);
    cr_expect(packed_n < n / 2);
    cr_expect(unzips_to(packed_bytes, packed_n, bytes, n));
    response_fini(&plain);
    response_fini(&packed);
}

Test(gzip, compressed_answers_unpack_to_the_plain_ones)
{
    struct test_random random = test_random_start("gzip");
    fixture_feed(&fixture, &random, 500);
    is_the_same_when_compressed("/api/v1/snapshot");
    is_the_same_when_compressed("/api/v1/snapshot?from=1");
    is_the_same_when_compressed("/api/v1/export/chrome");
}
