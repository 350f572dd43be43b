/* test_text.c - cleans names from the wire. */
#include "base/text.h"

#include <criterion/criterion.h>
#include <string.h>

static char *cleaned(const char *text, size_t n)
{
    static char out[256];
    text_clean_utf8(out, sizeof out, text, n);
    return out;
}

Test(text, valid_utf8_is_kept)
{
    const char *text = "main \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80";
    cr_assert_str_eq(cleaned(text, strlen(text)), text);
}

Test(text, invalid_bytes_become_replacement_characters)
{
    cr_assert_str_eq(cleaned("a\xFFz", 3), "a\xEF\xBF\xBDz");
    cr_assert_str_eq(cleaned("\xC0\x80", 2), "\xEF\xBF\xBD\xEF\xBF\xBD", "overlong");
    cr_assert_str_eq(cleaned("\xED\xA0\x80", 3), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "surrogate");
    cr_assert_str_eq(cleaned("\xE2\x82", 2), "\xEF\xBF\xBD\xEF\xBF\xBD", "cut short");
}

Test(text, cleaning_truncates_between_characters)
{
    char out[5];
    cr_assert_eq(text_clean_utf8(out, sizeof out, "ab\xE2\x82\xAC", 5), 5);
    cr_assert_str_eq(out, "ab");
}

Test(text, cleaning_ends_at_a_nul_and_at_n)
{
    cr_assert_str_eq(cleaned("ab\0cd", 5), "ab");
    cr_assert_str_eq(cleaned("abcd", 2), "ab");
}

static void expect(void (*write)(struct sink *, const char *), const char *text, const char *want)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    write(&out.sink, text);
    cr_assert_str_eq(out.bytes ? out.bytes : "", want);
    sink_buffer_fini(&out);
}

Test(text, each_edge_escapes_its_own_separators)
{
    expect(text_write_json, "a\"b\\c\n\x01", "\"a\\\"b\\\\c\\n\\u0001\"");
    expect(text_write_xml, "<img src='x' \"&\x02>", "&lt;img src=&#39;x&#39; &quot;&amp;\xEF\xBF\xBD&gt;");
    expect(text_write_xml, "\xEF\xBF\xBE<\xEF\xBF\xBD\xEF\xBF\xBF",
           "\xEF\xBF\xBD&lt;\xEF\xBF\xBD\xEF\xBF\xBD");
    expect(text_write_csv, "a,b\"c", "\"a,b\"\"c\"");
    expect(text_write_csv, "plain", "plain");
    expect(text_write_csv, "=cmd()", "\"'=cmd()\"");
    expect(text_write_folded, "a;b\nc", "a:b?c");
    expect(text_write_label, "a\"b\\c", "a\\\"b\\\\c");
}

/* Control text for terminals and CI runners, and its replacement. */
static const char *const plain[][2] = {
    {"caf\xC3\xA9 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xF0\x9F\x98\x80"},
    {"\x1b]0;t\x07\x7f\r\n\t", "?]0;t?????"},
    {"\xC2\x9B"
     "31m",
     "?31m"}, /* CSI as UTF-8, and as a byte */
    {"\x9B"
     "31m",
     "?31m"},
    {"\xE2\x80\xAEgnp.exe\xE2\x81\xA6", "?gnp.exe?"},
    {"a\xE2\x80\xA8"
     "b\xD8\x9C\xEF\xBB\xBF\xEF\xBF\xBF",
     "a?b???"},
    {"::error::x", "?:error::x"},
    {"  \xC2\xA0::error::x", "  \xC2\xA0?:error::x"}, /* runners trim white space of all kinds */
    {"\n::error::x", "?::error::x"},
    {"std::vector", "std::vector"},
    {"a ##[error]", "a #?[error]"},
    {"###vso[task.complete]", "#??vso[task.complete]"},
    {"\xE2\x82", "??"}, /* cut short */
};

Test(text, control_sequences_of_terminals_and_runners_are_replaced)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char text[64];
        strcpy(text, plain[i][0]);
        cr_expect_eq(text_plain(text), strlen(plain[i][1]));
        cr_expect_str_eq(text, plain[i][1]);
        expect(text_write_plain, plain[i][0], plain[i][1]);
        for (size_t j = 0; j < sizeof plain / sizeof *plain; j++) {
            int order = text_plain_compare(plain[i][0], plain[j][0]);
            int want = strcmp(plain[i][1], plain[j][1]);
            cr_expect_eq((order > 0) - (order < 0), (want > 0) - (want < 0), "%zu %zu", i, j);
        }
    }
}

Test(text, json_and_xml_may_be_shown_on_a_terminal)
{
    expect(text_write_json, "##vso[x] #1 ###", "\"#\\u0023vso[x] #1 #\\u0023\\u0023\"");
    expect(text_write_json, "\xC2\x9B \xE2\x80\xAE \x7f \xC3\xA9", "\"\\u009b \\u202e \\u007f \xC3\xA9\"");
    expect(text_write_xml, "\xC2\x9B\xE2\x80\xAE\t", "\xEF\xBF\xBD\xEF\xBF\xBD\t");
}

Test(text, a_spreadsheet_finds_no_formula)
{
    expect(text_write_csv, "  =1+1", "\"'  =1+1\"");
    expect(text_write_csv, "\n=1+1", "?=1+1");
    expect(text_write_csv,
           "\xEF\xBC\x9D"
           "cmd",
           "\"'\xEF\xBC\x9D"
           "cmd\"");
    expect(text_write_csv, "a;=1", "\"a;=1\"");
    expect(text_write_csv, "x\x1b[31m\xC2\x9D", "x?[31m?");
}
