/* test_limit.c - parses triggers such as "FUNCTION>500us". */
#include "base/limit.h"

#include <criterion/criterion.h>
#include <string.h>

Test(limit, a_name_and_a_time_in_any_unit)
{
    static const struct {
        const char *text, *name, *written;
        uint64_t ns;
    } cases[] = {
        {"spi_read>500us", "spi_read", "spi_read>500us", 500000},
        {" spi_read > 1.5 ms ", "spi_read", "spi_read>1500us", 1500000},
        {"a>2s", "a", "a>2s", 2000000000},
        {"a>7ns", "a", "a>7ns", 7},
        {"a>0us", "a", "a>0ns", 0},
        {"a>3\xC2\xB5s", "a", "a>3us", 3000},
        {"a>3\xCE\xBCs", "a", "a>3us", 3000},
        {"queue<int>::put(int)>10us", "queue<int>::put(int)", "queue<int>::put(int)>10us", 10000},
        {"operator>>>1us", "operator>>", "operator>>>1us", 1000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limit limit;
        struct error err = {""};
        char written[LIMIT_TEXT_SIZE];
        cr_assert(limit_parse(cases[i].text, &limit, &err), "%s: %s", cases[i].text, err.text);
        cr_expect_str_eq(limit.name, cases[i].name);
        cr_expect_eq(limit.ns, cases[i].ns, "%s", cases[i].text);
        limit_write(&limit, written, sizeof written);
        cr_expect_str_eq(written, cases[i].written);
    }
}

Test(limit, a_bad_trigger_gives_an_error)
{
    char long_name[400];
    memset(long_name, 'x', sizeof long_name);
    strcpy(long_name + 390, ">1us");
    const char *const cases[] = {"",        "a",       "a>",      ">1us",     "a>1",     "a>us",
                                 "a>-1us",  "a>1kg",   "a>1e3us", "a>inf us", "a>1us b", "a>0x10us",
                                 "a>2.us.", "a>3601s", "  >1us",  long_name};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limit limit;
        struct error err = {""};
        cr_expect_not(limit_parse(cases[i], &limit, &err), "%s", cases[i]);
        cr_expect_not_null(strstr(err.text, "FUNCTION>TIME"));
    }
}
