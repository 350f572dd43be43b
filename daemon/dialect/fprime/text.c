/* text.c - the F-Prime profiler's events as lines of text. */
#include "dialect/fprime/text.h"

#include <string.h>

enum { DIGITS_MOST = 10, AHEAD = 3 };

#define ADDRESS_MOST 0x7FFFFFFFu
#define THUMB        1u

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex_letter(char c)
{
    return (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* ---- a line ---- */

/* Returns the end of the number; NULL when there is none. */
static const char *read_number(const char *p, struct fprime_number *number)
{
    *number = (struct fprime_number){0};
    p = skip_blanks(p);
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        number->is_hex = true;
        p += 2;
    }
    int digits = 0;
    for (; is_digit(*p) || is_hex_letter(*p); p++, digits++) {
        unsigned value = is_digit(*p) ? (unsigned)(*p - '0') : (unsigned)((*p | 0x20) - 'a' + 10);
        number->hex = number->hex << 4 | value;
        number->decimal = number->decimal * 10 + value; /* undefined when is_hex */
        number->is_hex |= value > 9;
    }
    return digits && digits <= DIGITS_MOST && !is_word(*p) ? skip_blanks(p) : NULL;
}

static struct fprime_line read_line(const char *p)
{
    struct fprime_line line = {0};
    struct fprime_number phase;
    if (!(p = read_number(p, &line.address)) || *p++ != ',')
        return line;
    if (!(p = read_number(p, &phase)) || *p++ != ',' || phase.hex > 1)
        return line;
    line.is_exit = phase.hex;
    line.is_readable = read_number(p, &line.ticks) != NULL;
    return line;
}

static void hold(struct fprime_text *text)
{
    text->line[text->line_n] = '\0';
    struct fprime_line line = read_line(text->line);
    text->held[text->held_n++] = line;
    text->inside = false;
    text->line_n = 0;
    text->before = '\n';
    if (!line.is_readable)
        return;
    if (line.address.is_hex || line.ticks.is_hex)
        text->votes++;
    else if (line.ticks.hex > text->reload && line.ticks.decimal <= text->reload)
        text->votes--;
}

/* Returns true at the end of a `P:` line. A line that is too long is truncated. */
static bool take(struct fprime_text *text, char c)
{
    if (text->inside) {
        if (c == '\n' || c == '\r' || c == '\0') {
            hold(text);
            return true;
        }
        if (text->line_n < FPRIME_TEXT_LINE)
            text->line[text->line_n++] = c;
        return false;
    }
    if (c == ':' && text->before == 'P')
        text->inside = true;
    else if (c == 'P')
        text->before = is_word(text->before) ? 'x' : 'P';
    else
        text->before = c;
    return false;
}

static bool feed_byte(struct fprime_text *text, uint8_t byte)
{
    int c = console_filter_take(&text->filter, byte);
    return c != CONSOLE_NOTHING && take(text, (char)c);
}

/* ---- events ---- */

static struct fprime_event event_of(const struct fprime_text *text, const struct fprime_line *line)
{
    bool decimal = text->is_decimal;
    uint64_t address = decimal ? line->address.decimal : line->address.hex;
    uint64_t ticks = decimal ? line->ticks.decimal : line->ticks.hex;
    if (line->is_readable && line->is_exit && !decimal && line->address.hex == ADDRESS_MOST && ticks &&
        ticks <= FPRIME_LOSS_MOST)
        return (struct fprime_event){.kind = FPRIME_GAP, .told = true, .lost = ticks};
    bool wrong_digits = decimal && (line->address.is_hex || line->ticks.is_hex);
    if (!line->is_readable || wrong_digits || !address || address > ADDRESS_MOST || ticks > text->reload)
        return (struct fprime_event){.kind = FPRIME_GAP, .lost = 1};
    return (struct fprime_event){
        .kind = FPRIME_EVENT,
        .is_exit = line->is_exit,
        .address = (uint32_t)address & ~THUMB,
        .ticks = (uint32_t)ticks,
    };
}

static void decide(struct fprime_text *text, bool at_once)
{
    if (text->decided)
        return;
    if (at_once || text->votes >= AHEAD || text->votes <= -AHEAD || text->held_n == FPRIME_TEXT_HELD) {
        text->decided = true;
        text->is_decimal = text->votes < 0;
    }
}

struct fprime_event fprime_text_next(struct fprime_text *text, const uint8_t **bytes, const uint8_t *end,
                                     bool ends)
{
    for (;;) {
        if (text->decided && text->held_at < text->held_n)
            return event_of(text, &text->held[text->held_at++]);
        if (text->decided)
            text->held_at = text->held_n = 0;
        bool more = false;
        while (!more && *bytes < end)
            more = feed_byte(text, *(*bytes)++);
        if (!more && ends && text->inside) {
            hold(text);
            more = true;
        }
        decide(text, !more && ends);
        if (!more && !(text->decided && text->held_n))
            return (struct fprime_event){.kind = FPRIME_NONE};
    }
}
