/* test_text.c - names from the wire at every edge. */
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
    expect(text_write_folded, "a;b\nc", "a:b c");
}
