/* console.c - removes what consoles, terminals and loggers add to text. */
#include "dialect/console.h"

#include <string.h>

enum { TEXT, ESCAPE, CONTROL, STRING, STRING_ESCAPE };
enum { SEQUENCE_MOST = 128, BEL = 0x07 };

/* ---- escape sequences ---- */

static int begin_sequence(struct console_filter *filter, uint8_t byte)
{
    filter->state = byte == '['                     ? CONTROL
                    : byte && strchr("]P_^X", byte) ? STRING
                    : byte >= ' ' && byte < '0'     ? ESCAPE
                                                    : TEXT;
    return byte >= ' ' && byte < 0x7F ? CONSOLE_NOTHING : byte;
}

static bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

int console_filter_take(struct console_filter *filter, uint8_t byte)
{
    if (byte == CONSOLE_ESCAPE && filter->state != STRING) {
        *filter = (struct console_filter){.state = ESCAPE};
        return CONSOLE_NOTHING;
    }
    if (filter->state == TEXT)
        return byte;
    if (++filter->n == SEQUENCE_MOST || is_line_end(byte)) {
        filter->state = TEXT;
        return byte;
    }
    switch (filter->state) {
    case CONTROL:
        if (byte < ' ' || byte >= 0x40)
            filter->state = TEXT;
        return byte >= ' ' && byte < 0x7F ? CONSOLE_NOTHING : byte;
    case STRING:
        if ((byte < ' ' && byte != BEL && byte != CONSOLE_ESCAPE) || byte >= 0x7F) {
            filter->state = TEXT; /* not a sequence */
            return byte;
        }
        filter->state = byte == BEL ? TEXT : byte == CONSOLE_ESCAPE ? STRING_ESCAPE : STRING;
        return CONSOLE_NOTHING;
    case STRING_ESCAPE:
        if (byte == '\\') {
            filter->state = TEXT;
            return CONSOLE_NOTHING;
        }
        return begin_sequence(filter, byte);
    default: return begin_sequence(filter, byte);
    }
}

/* ---- prefixes of lines ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static char closing_bracket_of(char c)
{
    return c == '[' ? ']' : c == '(' ? ')' : c == '<' ? '>' : '\0';
}

/* Returns the length of the number, date or time of day at the start of the text. A comma is only part of it
 * after a colon, as in 12:00:00,123. */
static size_t stamp_length(const char *text, size_t n)
{
    size_t i = 0;
    bool has_colon = false;
    for (; i < n; i++) {
        has_colon |= text[i] == ':';
        if (!is_digit(text[i]) && !(text[i] && strchr(":.-/+TZ", text[i])) && !(text[i] == ',' && has_colon))
            break;
    }
    if (i < n && is_letter(text[i])) { /* a unit: 12ms */
        size_t unit = i;
        while (unit < n && is_letter(text[unit]))
            unit++;
        i = unit - i <= 2 ? unit : 0;
    }
    return i;
}

/* Returns the length of a word: a level in capitals, or a word followed by a colon. */
static size_t word_length(const char *text, size_t n)
{
    size_t i = 0;
    bool capitals = true;
    for (; i < n && (is_letter(text[i]) || is_digit(text[i]) || text[i] == '_' || text[i] == '.'); i++)
        capitals &= is_upper(text[i]);
    if (i < n && text[i] == ':')
        return i + 1;
    return capitals && (i == n || text[i] == ' ') ? i : 0;
}

bool console_is_prefix(const char *text, size_t n)
{
    bool stamped = false;
    for (size_t at = 0, length; at < n; at += length) {
        const char *rest = text + at;
        const char *end = closing_bracket_of(*rest) ? memchr(rest, closing_bracket_of(*rest), n - at) : NULL;
        if (end)
            length = (size_t)(end - rest) + 1;
        else if (is_digit(*rest))
            length = stamp_length(rest, n - at);
        else if (is_letter(*rest))
            length = stamped || n - at == 1 || rest[1] == ' ' ? word_length(rest, n - at) : 0;
        else
            length = *rest && strchr(" \t|>~#*-:", *rest) ? 1 : 0;
        if (length == 0)
            return false;
        stamped |= *rest != ' ' && *rest != '\t';
    }
    return true;
}

/* ---- lines of hex digits ---- */

enum { BEGINS, HOLDS, BRACKETS, DIGITS };

static size_t release_held(struct console_hex *hex, uint8_t *out)
{
    size_t n = hex->n;
    memcpy(out, hex->held, n);
    hex->n = 0;
    hex->state = DIGITS;
    return n;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

/* True for a number of several parts; hex digits of records never are. */
static bool is_time(const char *word, size_t n)
{
    bool has_parts = false;
    for (size_t i = 0; i < n; i++)
        has_parts |= !is_digit(word[i]) && !is_letter(word[i]);
    return has_parts && stamp_length(word, n) == n;
}

/* Continues the first word of a line: a time is removed, anything else is handed on. */
static size_t hold_word(struct console_hex *hex, uint8_t c, uint8_t *out)
{
    bool ends = is_blank(c) || is_line_end(c);
    if (ends && is_time((const char *)hex->held, hex->n)) {
        hex->n = 0;
        hex->state = BEGINS;
        return 0;
    }
    if (!ends && hex->n < CONSOLE_HELD) {
        hex->held[hex->n++] = c;
        return 0;
    }
    size_t n = release_held(hex, out);
    out[n++] = c;
    return n;
}

size_t console_hex_take(struct console_hex *hex, uint8_t byte, uint8_t *out)
{
    int taken = console_filter_take(&hex->filter, byte);
    if (taken == CONSOLE_NOTHING)
        return 0;
    uint8_t c = (uint8_t)taken;
    size_t n = 0;
    switch (hex->state) {
    case BEGINS:
        if (closing_bracket_of((char)c)) {
            hex->state = BRACKETS;
            hex->n = 0;
        } else if (is_digit((char)c)) {
            hex->state = HOLDS;
            hex->held[0] = c;
            hex->n = 1;
        } else if (!is_blank(c) && !(c && strchr(">|-~#*", c))) {
            hex->state = is_line_end(c) ? BEGINS : DIGITS;
            out[n++] = c;
        }
        return n;
    case HOLDS: n = hold_word(hex, c, out); break;
    case BRACKETS:
        if (c == ']' || c == ')' || c == '>' || ++hex->n == CONSOLE_HELD)
            hex->state = BEGINS;
        break;
    default: out[n++] = c; break;
    }
    if (is_line_end(c))
        hex->state = BEGINS;
    return n;
}

size_t console_hex_finish(struct console_hex *hex, uint8_t *out)
{
    return hex->state == HOLDS ? release_held(hex, out) : 0;
}
