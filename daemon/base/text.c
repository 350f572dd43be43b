/* text.c - names made safe for the place they are written to. */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";

/* Length of the well-formed UTF-8 sequence at s (n bytes left), or 0. Table 3-7 of the Unicode Standard. */
static size_t sequence_length(const unsigned char *s, size_t n)
{
    if (s[0] < 0x80)
        return 1;
    unsigned low = 0x80, high = 0xBF;
    size_t length;
    if (s[0] >= 0xC2 && s[0] <= 0xDF) {
        length = 2;
    } else if ((s[0] & 0xF0) == 0xE0) {
        length = 3;
        if (s[0] == 0xE0)
            low = 0xA0;
        else if (s[0] == 0xED)
            high = 0x9F;
    } else if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        length = 4;
        if (s[0] == 0xF0)
            low = 0x90;
        else if (s[0] == 0xF4)
            high = 0x8F;
    } else {
        return 0;
    }
    if (n < length || s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

size_t text_clean_utf8(char *out, size_t out_size, const char *text, size_t n)
{
    size_t needed = 0, used = 0;
    bool full = out_size == 0;
    for (size_t i = 0; i < n && text[i];) {
        const char *from = text + i;
        size_t length = sequence_length((const unsigned char *)from, n - i);
        i += length ? length : 1;
        if (length == 0) {
            from = replacement;
            length = sizeof replacement - 1;
        }
        if (!full && out_size - used > length) {
            memcpy(out + used, from, length);
            used += length;
        } else {
            full = true;
        }
        needed += length;
    }
    if (out_size > 0)
        out[used] = '\0';
    return needed;
}

char *text_clean_utf8_dup(const char *text, size_t n)
{
    size_t size = text_clean_utf8(NULL, 0, text, n) + 1;
    char *out = malloc(size);
    if (out)
        text_clean_utf8(out, size, text, n);
    return out;
}

/* Writes n bytes, with what `escape` returns in the place of each byte that it returns something for. */
static void write_escaped_n(struct sink *sink, const char *text, size_t n,
                            const char *(*escape)(unsigned char c, char scratch[8]))
{
    char scratch[8];
    const char *start = text, *end = text + n;
    for (; text < end; text++) {
        const char *instead = escape((unsigned char)*text, scratch);
        if (!instead)
            continue;
        sink_write(sink, start, (size_t)(text - start));
        sink_text(sink, instead);
        start = text + 1;
    }
    sink_write(sink, start, (size_t)(text - start));
}

static void write_escaped(struct sink *sink, const char *text,
                          const char *(*escape)(unsigned char c, char scratch[8]))
{
    write_escaped_n(sink, text, strlen(text), escape);
}

static const char *escape_json(unsigned char c, char scratch[8])
{
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    if (c >= 0x20 && c != 0x7f)
        return NULL;
    static const char hex[] = "0123456789abcdef";
    memcpy(scratch, "\\u00", 4);
    scratch[4] = hex[c >> 4];
    scratch[5] = hex[c & 15];
    scratch[6] = '\0';
    return scratch;
}

static const char *escape_xml(unsigned char c, char scratch[8])
{
    (void)scratch;
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t':
    case '\n':
    case '\r': return NULL;
    default: return c < 0x20 ? replacement : NULL;
    }
}

static const char *escape_csv(unsigned char c, char scratch[8])
{
    (void)scratch;
    return c == '"' ? "\"\"" : NULL;
}

static const char *escape_folded(unsigned char c, char scratch[8])
{
    (void)scratch;
    return c == ';' ? ":" : c < 0x20 || c == 0x7f ? " " : NULL;
}

void text_write_json(struct sink *sink, const char *text)
{
    sink_char(sink, '"');
    write_escaped(sink, text, escape_json);
    sink_char(sink, '"');
}

void text_write_xml(struct sink *sink, const char *text)
{
    const char *at = text;
    while ((at = strstr(at, "\xEF\xBF"))) {
        if ((unsigned char)at[2] < 0xBE) {
            at += 3;
            continue;
        }
        write_escaped_n(sink, text, (size_t)(at - text), escape_xml); /* U+FFFE or U+FFFF */
        sink_text(sink, replacement);
        text = at += 3;
    }
    write_escaped(sink, text, escape_xml);
}

void text_write_csv(struct sink *sink, const char *text)
{
    bool formula = *text && strchr("=+-@\t\r", *text);
    bool quoted = formula || text[strcspn(text, ",\"\r\n")];
    if (quoted)
        sink_char(sink, '"');
    if (formula)
        sink_char(sink, '\'');
    write_escaped(sink, text, escape_csv);
    if (quoted)
        sink_char(sink, '"');
}

void text_write_folded(struct sink *sink, const char *text)
{
    write_escaped(sink, text, escape_folded);
}
