/* console_lines.c - lines of text between packets.
 *
 * What is left of a damaged packet may have printable bytes, too, and its end is a line feed. It begins with
 * a byte that no text has, and counts as one line up to there. */
#include "session/console_lines.h"

#include <string.h>

enum { LEAST = 2 };

static bool is_character(int c)
{
    return (c >= ' ' && c < 0x7F) || c == '\t';
}

static void begin_line(struct console_lines *lines)
{
    lines->is_broken = false;
    lines->n = 0;
    lines->raw = 0;
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

void console_lines_take(struct console_lines *lines, const uint8_t *bytes, size_t n, const uint64_t *ticks,
                        const struct event_out *out)
{
    for (size_t i = 0; i < n; i++) {
        int c = console_filter_take(&lines->filter, bytes[i]);
        lines->raw++;
        if (c == '\n') {
            if (!lines->is_broken && lines->n >= LEAST)
                end_line(lines, ticks, out);
            begin_line(lines);
        } else if (is_character(c) || c >= 0xA0) {
            lines->is_broken |= lines->n == CONSOLE_LINE_MOST;
            if (!lines->is_broken)
                lines->line[lines->n++] = (char)c;
        } else if (c != CONSOLE_NOTHING && c != '\r') {
            lines->is_broken = true;
        }
    }
}

void console_lines_break(struct console_lines *lines)
{
    begin_line(lines);
}
