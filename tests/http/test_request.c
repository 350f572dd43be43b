/* test_request.c - strict parsing of targets and queries. */
#include "api/query.h"
#include "server/request.h"

#include "support/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static bool set_target(struct request *request, const char *target, char **kept)
{
    *request = (struct request){0};
    *kept = strdup(target);
    return request_set_target(request, *kept, NULL);
}

Test(request, percent_codes_are_decoded_in_the_path_alone)
{
    struct request request;
    char *kept;
    cr_assert(set_target(&request, "/a%20b/%C3%A9+c%2f?x=%20&y", &kept));
    cr_expect_str_eq(request.path, "/a b/\xC3\xA9+c/");
    cr_expect_str_eq(request.query, "x=%20&y");
    free(kept);
    cr_assert(set_target(&request, "/?", &kept));
    cr_expect_str_eq(request.path, "/");
    cr_expect_str_eq(request.query, "");
    free(kept);
    cr_assert(set_target(&request, "/..a/b../.c./...", &kept), "names may hold dots");
    cr_expect_null(request.query);
    free(kept);
    cr_expect_not(set_target(&request, "/a%7f", &kept), "a control byte");
    free(kept);
}

Test(request, no_path_escapes_its_folder)
{
    static const char *const bits[] = {"/",   "..", ".",   "%2e", "%2E%2e", "%2f", "a", "%",  "%0",
                                       "%5c", "\\", "%00", "?",   "//",     "%25", "é", "\t", "%252e"};
    struct test_random random = test_random_start("targets");
    unsigned accepted = 0;
    for (int i = 0; i < 20000; i++) {
        char target[128] = "/";
        for (size_t n = test_random_below(&random, 8); n > 0; n--)
            strcat(target, bits[test_random_below(&random, sizeof bits / sizeof *bits)]);
        struct request request;
        char *kept;
        if (set_target(&request, target, &kept)) {
            accepted++;
            char framed[136];
            snprintf(framed, sizeof framed, "%s/", request.path);
            cr_assert_null(strstr(framed, "/../"), "%s", target);
            cr_assert_null(strstr(framed, "/./"), "%s", target);
            cr_assert_null(strpbrk(framed, "\\\t\r\n"), "%s", target);
            cr_assert_eq(request.path[0], '/');
        }
        free(kept);
    }
    cr_expect(accepted > 1000 && accepted < 19000, "%u accepted", accepted);
}

Test(request, a_parameter_is_found_by_its_whole_name)
{
    static const struct {
        const char *query;
        bool has;
    } cases[] = {
        {NULL, false},       {"", false},         {"pause", true},         {"pause=1", true},
        {"pausex=1", false}, {"xpause=1", false}, {"from=1&pause=", true}, {"from=pause&to=2", false},
        {"paus", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct request request = {.query = cases[i].query};
        cr_expect_eq(query_has(&request, "pause"), cases[i].has, "%zu", i);
    }
}

Test(request, a_query_holds_known_numbers_or_is_refused)
{
    uint64_t from = 7, to = 8;
    const struct request_number numbers[] = {{"from", &from}, {"to", &to}};
    struct request request = {0};
    struct error err;
    cr_expect(request_read_query(&request, numbers, 2, &err));
    request.query = "";
    cr_expect(request_read_query(&request, numbers, 2, &err));
    cr_expect(from == 7 && to == 8, "what is left out stays as it was");
    request.query = "to=18446744073709551615&from=0";
    cr_expect(request_read_query(&request, numbers, 2, &err));
    cr_expect(from == 0 && to == UINT64_MAX);
    static const char *const wrong[] = {"to=18446744073709551616",
                                        "to=18446744073709551620",
                                        "to=99999999999999999999999",
                                        "to=+1",
                                        "to= 1",
                                        "to=1&to=2",
                                        "t=1",
                                        "too=1",
                                        "=1",
                                        "&to=1",
                                        "to=%31",
                                        "to"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        request.query = wrong[i];
        cr_expect_not(request_read_query(&request, numbers, 2, &err), "%s", wrong[i]);
        cr_expect(err.text[0] && err.text[strlen(err.text) - 1] == '.', "a sentence: %s", err.text);
    }
    request.query = "to=1";
    cr_expect_not(request_read_query(&request, NULL, 0, &err));
    char longest[200];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    request.query = longest;
    cr_expect_not(request_read_query(&request, numbers, 2, &err));
    cr_expect_leq(strlen(err.text), 100, "not all of it is shown: %s", err.text);
}
