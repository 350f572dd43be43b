/* text.c - makes names safe for where they are written. */
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

/* The code point of a sequence of that length, up to U+FFFF. */
static uint32_t code_of(const unsigned char *s, size_t length)
{
    switch (length) {
    case 1: return s[0];
    case 2: return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    case 3: return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    default: return UINT32_MAX; /* no order is above U+FFFF */
    }
}

static bool code_is_order(uint32_t c)
{
    static const uint32_t orders[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                         {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
                                         {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (c >= orders[i][0] && c <= orders[i][1])
            return true;
    return false;
}

size_t text_character(const char *text, bool *is_order)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t length = sequence_length(s, 4); /* a NUL ends it before a byte behind it is read */
    *is_order = length == 0 || code_is_order(code_of(s, length));
    return length ? length : 1;
}

/* The position of text_plain() in a text. */
struct plain {
    const char *at;
    size_t length; /* of the character at `at` */
    bool is_replaced;
    bool is_blank; /* only white space so far, which a CI runner trims, also beyond ASCII */
    char before;   /* the original byte before */
};

static struct plain plain_start(const char *text)
{
    return (struct plain){.at = text, .is_blank = true};
}

/* Moves to the next character. False at the end. */
static bool plain_next(struct plain *plain)
{
    const char *at = plain->at += plain->length;
    bool is_order;
    if (!*at)
        return false;
    plain->length = text_character(at, &is_order);
    plain->is_replaced = is_order || (at[0] == '#' && plain->before == '#') ||
                         (plain->is_blank && at[0] == ':' && at[1] == ':');
    plain->is_blank = plain->is_blank && !plain->is_replaced && (at[0] == ' ' || plain->length > 1);
    plain->before = at[0];
    return true;
}

size_t text_plain(char *text)
{
    struct plain plain = plain_start(text);
    char *out = text;
    while (plain_next(&plain)) {
        if (plain.is_replaced) {
            *out++ = '?';
            continue;
        }
        memmove(out, plain.at, plain.length);
        out += plain.length;
    }
    *out = '\0';
    return (size_t)(out - text);
}

/* Writes text made plain. `escape` returns the replacement of an ASCII character, or NULL. */
static void write_plain(struct sink *sink, const char *text, const char *(*escape)(char c))
{
    struct plain plain = plain_start(text);
    while (plain_next(&plain)) {
        const char *instead = plain.is_replaced ? "?" : plain.length == 1 ? escape(*plain.at) : NULL;
        if (instead)
            sink_text(sink, instead);
        else
            sink_write(sink, plain.at, plain.length);
    }
}

static const char *escape_nothing(char c)
{
    (void)c;
    return NULL;
}

static const char *escape_quotes(char c)
{
    return c == '"' ? "\"\"" : NULL;
}

static const char *escape_folded(char c)
{
    return c == ';' ? ":" : NULL;
}

static const char *escape_label(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

void text_write_plain(struct sink *sink, const char *text)
{
    write_plain(sink, text, escape_nothing);
}

void text_write_folded(struct sink *sink, const char *text)
{
    write_plain(sink, text, escape_folded);
}

void text_write_label(struct sink *sink, const char *text)
{
    write_plain(sink, text, escape_label);
}

int text_plain_compare(const char *a, const char *b)
{
    struct plain left = plain_start(a), right = plain_start(b);
    for (;;) {
        bool is_left = plain_next(&left), is_right = plain_next(&right);
        if (!is_left || !is_right)
            return is_left - is_right;
        const char *from = left.is_replaced ? "?" : left.at, *to = right.is_replaced ? "?" : right.at;
        size_t length = left.is_replaced ? 1 : left.length;
        int order = strncmp(from, to, length); /* no character is a prefix of another */
        if (order)
            return order;
    }
}

/* Writes text. `escape` gets each ASCII character or order, and the byte before it, and returns its
 * replacement or NULL. */
static void write_escaped(struct sink *sink, const char *text,
                          const char *(*escape)(uint32_t c, char before, char scratch[8]))
{
    const char *begin = text;
    char scratch[8];
    const char *start = text;
    for (size_t length; *text; text += length) {
        const unsigned char *s = (const unsigned char *)text;
        bool is_order = false;
        length = *s < 0x80 ? 1 : text_character(text, &is_order);
        if (*s >= 0x80 && !is_order)
            continue;
        const char *instead = escape(*s >= 0x80 && length == 1 ? 0xFFFD : code_of(s, length),
                                     text > begin ? text[-1] : '\0', scratch);
        if (!instead)
            continue;
        sink_write(sink, start, (size_t)(text - start));
        sink_text(sink, instead);
        start = text + length;
    }
    sink_write(sink, start, (size_t)(text - start));
}

static const char *escape_json(uint32_t c, char before, char scratch[8])
{
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    if (c >= 0x20 && c < 0x7f && !(c == '#' && before == '#'))
        return NULL;
    static const char hex[] = "0123456789abcdef";
    memcpy(scratch, "\\u", 2);
    for (int i = 0; i < 4; i++)
        scratch[2 + i] = hex[c >> (12 - 4 * i) & 15];
    scratch[6] = '\0';
    return scratch;
}

static const char *escape_xml(uint32_t c, char before, char scratch[8])
{
    (void)before;
    (void)scratch;
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\r': return "&#13;"; /* otherwise a reader turns it into a line feed */
    case '\t':
    case '\n': return NULL;
    default: return c < 0x20 || c >= 0x7f ? replacement : NULL;
    }
}

void text_write_json(struct sink *sink, const char *text)
{
    sink_char(sink, '"');
    write_escaped(sink, text, escape_json);
    sink_char(sink, '"');
}

void text_write_xml(struct sink *sink, const char *text)
{
    write_escaped(sink, text, escape_xml);
}

/* True when a spreadsheet would take such a field for a formula. */
static bool is_formula(const char *text)
{
    static const char *const begins[] = {
        "=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

void text_write_csv(struct sink *sink, const char *text)
{
    bool formula = is_formula(text);
    bool quoted = formula || text[strcspn(text, ",;\"")];
    if (quoted)
        sink_char(sink, '"');
    if (formula)
        sink_char(sink, '\'');
    write_plain(sink, text, escape_quotes);
    if (quoted)
        sink_char(sink, '"');
}
