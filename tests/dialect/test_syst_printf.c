/* test_syst_printf.c - a target's printf: its widths, all conversions, and malicious formats. */
#include "dialect/syst/printf.h"

#include <criterion/criterion.h>

#include "support/random.h"
#include "support/syst.h"

struct result {
    char text[70000];
    size_t n;
    bool whole;
};

static struct result print(const char *format, const struct stream *arguments, bool wide)
{
    static struct result result;
    struct syst_text text = {result.text, 0, sizeof result.text - 1};
    struct mp_bytes bytes = mp_bytes_over(arguments->bytes, arguments->n);
    result.whole = syst_printf(&text, format, strlen(format), &bytes, wide);
    result.n = text.n;
    result.text[text.n] = 0;
    return result;
}

static void expect_number(const char *format, uint64_t value, int bytes, bool wide, const char *expected)
{
    struct stream arguments = {0};
    syst_number(&arguments, value, bytes);
    struct result result = print(format, &arguments, wide);
    cr_assert(result.whole, "%s", format);
    cr_assert_str_eq(result.text, expected, "%s: \"%s\" is not \"%s\"", format, result.text, expected);
    stream_fini(&arguments);
}

static void expect_double(const char *format, double value)
{
    struct stream arguments = {0};
    uint64_t bits;
    char expected[1000];
    memcpy(&bits, &value, sizeof bits);
    syst_number(&arguments, bits, 8);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(expected, sizeof expected, format, value);
#pragma GCC diagnostic pop
    struct result result = print(format, &arguments, false);
    cr_assert_str_eq(result.text, expected, "%s: \"%s\" is not \"%s\"", format, result.text, expected);
    stream_fini(&arguments);
}

Test(syst_printf, integers_have_the_target_s_widths)
{
    expect_number("%d", 0xFFFFFFFF, 4, false, "-1");
    expect_number("%ld", 0xFFFFFFFE, 4, false, "-2");
    expect_number("%ld", UINT64_MAX, 8, true, "-1");
    expect_number("%zu", UINT32_MAX, 4, false, "4294967295");
    expect_number("%zu", UINT64_MAX, 8, true, "18446744073709551615");
    expect_number("%td", 0x80000000, 4, false, "-2147483648");
    expect_number("%td", UINT64_C(0x8000000000000000), 8, true, "-9223372036854775808");
    expect_number("%lld", UINT64_MAX, 8, false, "-1");
    expect_number("%jd", 5, 8, false, "5");
    expect_number("%hhd", 0x1FF, 4, false, "-1");
    expect_number("%hhu", 0x1FF, 4, false, "255");
    expect_number("%hd", 0x18000, 4, false, "-32768");
    expect_number("%hx", 0xABCDE, 4, false, "bcde");
}

Test(syst_printf, flags_width_and_precision_are_as_in_c)
{
    static const struct {
        const char *format;
        unsigned value;
    } cases[] = {
        {"%5d|", 42},     {"%-5d|", 42},   {"%05d|", 42},    {"%+d|", 42},     {"% d|", 42},
        {"%+05d|", 42},   {"%.5d|", 42},   {"%8.5d|", 42},   {"%-8.5d|", 42},  {"%08.5d|", 42},
        {"%.0d|", 0},     {"%5.0d|", 0},   {"%x|", 0xBEEF},  {"%#x|", 0xBEEF}, {"%#X|", 0xBEEF},
        {"%#x|", 0},      {"%#o|", 8},     {"%#o|", 0},      {"%#.0o|", 0},    {"%#010x|", 0xBEEF},
        {"%-#10x|", 255}, {"%#.8x|", 255}, {"%u|", 4000000}, {"%o|", 0777},    {"%#5o|", 8},
        {"%-05d|", 7},    {"%i|", 3},      {"%#.3o|", 8},    {"% 5d|", 1},     {"%+ d|", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[100];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(expected, sizeof expected, cases[i].format, cases[i].value);
#pragma GCC diagnostic pop
        expect_number(cases[i].format, cases[i].value, 4, false, expected);
    }
}

Test(syst_printf, floating_point_is_as_in_c)
{
    static const double values[] = {0.0,    -0.0, 1.0,    3.14159265358979, -2.5e-10,  1e300,
                                    0.5e-3, 1e15, 123456, 1.0 / 0.0,        -1.0 / 0.0};
    static const char *const formats[] = {"%f",      "%F",   "%e",    "%E",     "%g",      "%G",     "%a",
                                          "%A",      "%.0f", "%#.0f", "%10.3f", "%-9.1e|", "%+g",    "% f",
                                          "%015.4f", "%#g",  "%.15g", "%020a",  "%.2a",    "%-20A|", "%010f"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            expect_double(formats[f], values[v]);
}

Test(syst_printf, text_pointers_and_characters)
{
    struct stream arguments = {0};
    stream_bytes(&arguments, "left\0right\0cut off", 18);
    stream_byte(&arguments, 0);
    struct result result = print("[%-6s|%6s|%.3s]", &arguments, false);
    cr_assert_str_eq(result.text, "[left  | right|cut]");
    stream_fini(&arguments);
    expect_number("%p", 0xAABB, 4, false, "0xaabb");
    expect_number("%p", 0, 8, true, "(nil)");
    expect_number("%8p|", 0, 4, false, "   (nil)|");
    expect_number("%p", UINT64_C(0x123456789A), 8, true, "0x123456789a");
    expect_number("%c%%", 'x', 4, false, "x%");
    expect_number("[%c]", 0, 4, false, "[]");
    expect_number("%lc", 0x20AC, 4, false, "\xE2\x82\xAC");
    expect_number("a%nb", 0x1234, 4, false, "ab");
    expect_number("100%", 0, 4, false, "100%");
    expect_number("%Y %d", 0, 4, false, "%Y %d");
}

Test(syst_printf, a_star_takes_an_argument)
{
    struct stream arguments = {0};
    syst_number(&arguments, 6, 4);
    syst_number(&arguments, 7, 4);
    syst_number(&arguments, (uint32_t)-4, 4);
    syst_number(&arguments, 7, 4);
    syst_number(&arguments, 8, 4);
    syst_number(&arguments, 3, 4);
    syst_number(&arguments, 7, 4);
    struct result result = print("[%*d|%*d|%*.*d]", &arguments, false);
    cr_assert_str_eq(result.text, "[     7|7   |     007]");
    stream_fini(&arguments);
}

Test(syst_printf, missing_arguments_leave_the_text_so_far_and_a_note)
{
    struct stream none = {0}, text = {0};
    struct result result = print("value %d of", &none, false);
    cr_assert(!result.whole);
    cr_assert_str_eq(result.text, "value [%d: insufficient argument bytes]");
    stream_bytes(&text, "no end", 6);
    result = print("%s", &text, false);
    cr_assert(!result.whole, "text without its NUL");
    stream_fini(&text);
}

Test(syst_printf, widths_beyond_reason_are_named_and_not_obeyed)
{
    expect_number("%2147483648d", 5, 4, false, "[%2147483648d: too wide]5");
    expect_number("%.99999999999999999999d", 5, 4, false, "[%.99999999999999999999d: too wide]5");
    struct stream arguments = {0};
    syst_number(&arguments, 0x80000000, 4);
    syst_number(&arguments, 0x7FFFFFFF, 4);
    syst_number(&arguments, 0, 8);
    struct result result = print("%*.*f", &arguments, false);
    cr_assert(result.n < 100, "%s", result.text);
    stream_fini(&arguments);
}

Test(syst_printf, whatever_the_format_and_arguments_are_it_ends_within_its_room)
{
    static const char liked[] = "%%%%%%%%diuoxXcsfeEgGaApn*.0-+ #hhlljztL123456789";
    struct test_random random = test_random_start("formats");
    for (int round = 0; round < 3000; round++) {
        char format[60], out[300];
        uint8_t arguments[80];
        for (size_t i = 0; i < sizeof format; i++)
            format[i] = liked[test_random_below(&random, sizeof liked)];
        for (size_t i = 0; i < sizeof arguments; i++)
            arguments[i] = test_random_below(&random, 3) ? 0 : (uint8_t)test_random_next(&random);
        struct syst_text text = {out, 0, test_random_below(&random, sizeof out)};
        struct mp_bytes bytes = mp_bytes_over(arguments, test_random_below(&random, sizeof arguments));
        syst_printf(&text, format, test_random_below(&random, sizeof format), &bytes, round % 2);
        cr_assert_leq(text.n, text.room);
    }
}
