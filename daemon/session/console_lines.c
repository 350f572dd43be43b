/* console_lines.c - finds lines of text between packets.
 *
 * The rest of a damaged packet can have printable bytes, too, and ends with a line feed. So a line must have
 * only ASCII and whole characters of UTF-8, and at least LEAST ASCII characters: one in a thousand random
 * sequences of that length does. A shorter line is reported as bytes between packets. */
#include "session/console_lines.h"

#include <string.h>

enum { LEAST = 7 };

static bool is_character(int c)
{
    return (c >= ' ' && c < 0x7F) || c == '\t';
}

static void begin_line(struct console_lines *lines)
{
    lines->is_broken = false;
    lines->n = lines->ascii = lines->more = 0;
    lines->raw = 0;
    lines->filter = (struct console_filter){0};
}

static void tell_line(const char *line, size_t n, uint64_t ticks, const struct event_out *out)
{
    static const struct event_message more = {.status = "OK", .origin = "console"};
    const struct event event = {
        .kind = EVENT_TEXT,
        .flags = EVENT_ESTIMATED_TIME,
        .ticks = ticks,
        .text = {.text = line, .n = (uint32_t)n, .severity = SEVERITY_INFO, .message = &more}};
    out->batch(out->user, &event, 1);
}

static void end_line(struct console_lines *lines, const uint64_t *ticks, const struct event_out *out)
{
    lines->bytes += lines->raw;
    if (ticks) {
        tell_line(lines->line, lines->n, *ticks, out);
    } else if (lines->held_n + lines->n < CONSOLE_LINES_HELD) {
        memcpy(lines->held + lines->held_n, lines->line, lines->n);
        lines->held_n += lines->n;
        lines->held[lines->held_n++] = '\n';
    }
}

void console_lines_release(struct console_lines *lines, uint64_t ticks, const struct event_out *out)
{
    for (size_t at = 0; at < lines->held_n;) {
        size_t n = (size_t)((char *)memchr(lines->held + at, '\n', lines->held_n - at) - (lines->held + at));
        tell_line(lines->held + at, n, ticks, out);
        at += n + 1;
    }
    lines->held_n = 0;
}

/* Reads a byte of 0x80 or more; returns false if it is invalid in UTF-8. */
static bool take_more(struct console_lines *lines, int c)
{
    if (lines->more)
        return c < 0xC0 && lines->more-- > 0;
    lines->more = c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 0;
    return lines->more > 0;
}

static void take_byte(struct console_lines *lines, int c)
{
    bool is_ascii = is_character(c);
    if (c == CONSOLE_NOTHING || (c == '\r' && !lines->more))
        return;
    if (is_ascii ? lines->more > 0 : c < 0x80 || !take_more(lines, c))
        lines->is_broken = true;
    lines->ascii += is_ascii;
    if (lines->n < CONSOLE_LINE_MOST)
        lines->line[lines->n++] = (char)c;
}

void console_lines_take(struct console_lines *lines, const uint8_t *bytes, size_t n, const uint64_t *ticks,
                        const struct event_out *out)
{
    for (size_t i = 0; i < n; i++) {
        int c = console_filter_take(&lines->filter, bytes[i]);
        lines->raw++;
        if (c != '\n') {
            take_byte(lines, c);
            continue;
        }
        if (!lines->is_broken && !lines->more && lines->ascii >= LEAST)
            end_line(lines, ticks, out);
        begin_line(lines);
    }
}

uint64_t console_lines_text(const struct console_lines *lines)
{
    return lines->bytes + (lines->is_broken ? 0 : lines->raw);
}

void console_lines_break(struct console_lines *lines)
{
    begin_line(lines);
}
