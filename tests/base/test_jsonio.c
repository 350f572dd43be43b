/* test_jsonio.c - reads untrusted JSON. */
#include "base/jsonio.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct jsonio *parse(const char *text, struct error *err)
{
    /* A copy of the exact size, so that a sanitizer finds reads past its end. */
    size_t n = strlen(text);
    char *exact = malloc(n ? n : 1);
    memcpy(exact, text, n);
    struct jsonio *top = jsonio_parse("prof.json", exact, n, err);
    free(exact);
    return top;
}

Test(jsonio, members_are_found_by_name_and_type)
{
    struct jsonio *top = parse("{\"port\": \"/dev/ttyACM0\", \"baud\": 921600, \"on\": true, \"x\": 1.5,\n"
                               " \"none\": null, \"list\": [1, \"two\"]} \n",
                               NULL);
    cr_assert_not_null(top);
    cr_expect(jsonio_is_object(top));
    cr_expect_str_eq(jsonio_text(jsonio_member(top, "port")), "/dev/ttyACM0");
    uint64_t baud = 0;
    cr_expect(jsonio_u64(jsonio_member(top, "baud"), &baud));
    cr_expect_eq(baud, 921600);
    bool on = false;
    cr_expect(jsonio_bool(jsonio_member(top, "on"), &on));
    cr_expect(on);
    double x = 0;
    cr_expect(jsonio_double(jsonio_member(top, "x"), &x));
    cr_expect_eq(x, 1.5);
    cr_expect(jsonio_is_null(jsonio_member(top, "none")));
    const struct jsonio *list = jsonio_member(top, "list");
    cr_expect(jsonio_is_array(list));
    cr_expect_eq(jsonio_count(list), 2);
    cr_expect_str_eq(jsonio_text(jsonio_at(list, 1)), "two");
    cr_expect_null(jsonio_at(list, 2));
    cr_expect_eq(jsonio_first(list), jsonio_at(list, 0));
    cr_expect_eq(jsonio_next(jsonio_first(list)), jsonio_at(list, 1));
    cr_expect_null(jsonio_next(jsonio_at(list, 1)));
    cr_expect_eq(jsonio_count(top), 6);
    cr_expect_str_eq(jsonio_name(jsonio_at(top, 1)), "baud");
    jsonio_free(top);
}

Test(jsonio, missing_members_and_other_types_are_not_read)
{
    struct jsonio *top =
        parse("{\"Port\": 1, \"minus\": -1, \"half\": 0.5, \"huge\": 9007199254740993}", NULL);
    uint64_t number = 7;
    bool flag = true;
    cr_expect_null(jsonio_member(top, "port"), "names are told apart by case");
    cr_expect_null(jsonio_text(jsonio_member(top, "Port")));
    cr_expect_not(jsonio_bool(jsonio_member(top, "Port"), &flag));
    cr_expect_not(jsonio_u64(jsonio_member(top, "minus"), &number));
    cr_expect_not(jsonio_u64(jsonio_member(top, "half"), &number));
    cr_expect_not(jsonio_u64(jsonio_member(top, "huge"), &number));
    cr_expect_not(jsonio_u64(jsonio_member(top, "none"), &number));
    cr_expect_eq(number, 7);
    cr_expect_null(jsonio_name(NULL));
    cr_expect_null(jsonio_member(NULL, "x"));
    cr_expect_eq(jsonio_count(NULL), 0);
    cr_expect_null(jsonio_first(NULL));
    cr_expect_null(jsonio_first(jsonio_member(top, "Port")));
    cr_expect_null(jsonio_next(NULL));
    cr_expect_eq(jsonio_count(jsonio_member(top, "Port")), 0);
    jsonio_free(top);
}

Test(jsonio, anything_else_is_refused_with_its_line)
{
    static const char *const bad[] = {
        "", " ", "{", "{}x", "{} {}", "[1,]", "{\"a\" 1}", "{a: 1}", "'a'", "nul", "\"open",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error err = {0};
        cr_expect_null(parse(bad[i], &err), "'%s' is not JSON", bad[i]);
        cr_expect(strstr(err.text, "prof.json is not JSON"), "%s", err.text);
    }
    struct error err = {0};
    cr_expect_null(parse("{\n \"a\": 1,\n \"b\": ?\n}", &err));
    cr_expect(strstr(err.text, "line 3"), "%s", err.text);
    cr_expect_null(jsonio_parse("x", "{}\0", 3, &err), "a NUL is not white space");
}
