/* test_digits.c - parses digits in memory. */
#include "base/digits.h"

#include <criterion/criterion.h>
#include <string.h>

Test(digits, a_number_is_written_as_it_is_counted)
{
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {{0, "0"},   {9, "9"},     {10, "10"},
                 {99, "99"}, {100, "100"}, {UINT64_MAX, "18446744073709551615"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[DIGITS_MOST + 1];
        *digits_write(out, cases[i].value) = '\0';
        cr_expect_str_eq(out, cases[i].text);
        cr_expect_eq(digits_count(cases[i].value), strlen(cases[i].text));
    }
}

Test(digits, only_hex_digits_of_either_case_have_a_value)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    for (int c = 0; c < 256; c++) {
        const char *at = c ? strchr(lower, c) : NULL;
        const char *also = c ? strchr(upper, c) : NULL;
        int value = at ? (int)(at - lower) : also ? (int)(also - upper) : -1;
        cr_expect_eq(digits_hex_value((char)c), value, "byte %d", c);
    }
}

Test(digits, an_address_is_0x_and_hex_digits_of_at_most_64_bits)
{
    static const struct {
        const char *text;
        uint64_t address;
    } good[] = {{"0x0", 0},
                {"0x8001234", 0x8001234},
                {"0xffffFFFFffffFFFF", UINT64_MAX},
                {"0x00000000000000000001", 1}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t address = 1;
        cr_expect(digits_read_address(good[i].text, &address), "%s", good[i].text);
        cr_expect_eq(address, good[i].address, "%s", good[i].text);
    }
    static const char *const bad[] = {
        "",      "0",     "0x",    "8001234", "0X80", "0x-5", "0x 5", "0x8 ", "0x10000000000000000",
        "0x80g", "x0x80", "0x0x8", "main"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t address;
        cr_expect_not(digits_read_address(bad[i], &address), "%s", bad[i]);
    }
}
