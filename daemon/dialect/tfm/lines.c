/* lines.c - finds the TF-M profiler's output among the lines of a console log.
 *
 * There are three kinds: `tag,count` in hex, one entry per line; the tags and counts that the profiler's
 * self-test prints while it verifies them; and the averages of the PSA case. The latter two print unsigned
 * numbers with %d, so 2^31 and more are negative. The self-test verifies its entries by topic and then again
 * by checkpoint; the repetition is not reported. */
#include "dialect/tfm/lines.h"

#include "base/digits.h"

#include <string.h>

/* ---- words of a line ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Reads a number of 1 to `most` digits at *at, and advances *at. Returns false when there is none. */
static bool read_number(const char **at, unsigned base, unsigned most, uint64_t *value)
{
    unsigned n = 0;
    *value = 0;
    for (; n < most && digits_hex_value(**at) >= 0 && (unsigned)digits_hex_value(**at) < base; (*at)++, n++)
        *value = base * *value + (unsigned)digits_hex_value(**at);
    return n > 0 && !(digits_hex_value(**at) >= 0 && (unsigned)digits_hex_value(**at) < base);
}

/* Reads a decimal number. One of 32 bits that was printed with %d may be negative. */
static bool read_printed(const char **at, uint64_t *value)
{
    bool negative = **at == '-';
    *at += negative;
    if (!read_number(at, 10, 19, value) || (negative && *value > UINT64_C(1) << 31))
        return false;
    *value = negative ? (uint32_t)(0 - *value) : *value;
    return true;
}

/* Reads up to eight hex digits; *marked becomes true if they follow 0x. */
static bool read_hex(const char **at, bool *marked, uint32_t *value)
{
    uint64_t wide;
    *marked = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
    *at += *marked ? 2 : 0;
    bool read = read_number(at, 16, 8, &wide);
    *value = (uint32_t)wide;
    return read;
}

/* Returns the text after `label`; NULL when the line does not have it. */
static const char *text_behind(const char *line, const char *label)
{
    const char *at = strstr(line, label);
    return at ? at + strlen(label) : NULL;
}

/* ---- the three kinds ---- */

/* Reads "tag,count", alone in the line except for a prefix of a terminal or logger; or at the end of any
 * line, if it is marked as hex. */
static bool read_pair(const char *line, struct tfm_item *item)
{
    const char *comma = strrchr(line, ',');
    if (!comma)
        return false;
    const char *start = comma;
    while (start > line && !is_space(start[-1]) && !strchr("])>|", start[-1]))
        start--;
    bool tag_marked, count_marked;
    const char *at = start;
    if (!read_hex(&at, &tag_marked, &item->tag) || at != comma)
        return false;
    at = comma + 1 + strspn(comma + 1, " \t");
    if (!read_hex(&at, &count_marked, &item->count) || at[strspn(at, " \t")])
        return false;
    return (tag_marked || console_is_prefix(line, (size_t)(start - line))) && tfm_tag_is_log(item->tag);
}

/* Reads "[anything] secure NAME average is N CPU cycles". */
static bool read_average(const char *line, const struct tfm_out *out)
{
    static const char middle[] = " average is ", apart[] = "non-", world[] = "secure ";
    const char *end = strstr(line, middle), *at, *name = NULL;
    uint64_t mean;
    if (!end)
        return false;
    for (const char *from = line; (from = strstr(from, world)) && from < end; from += sizeof world - 1)
        if (from == line || is_space(from[-1]) || from[-1] == '-' || from[-1] == ']')
            name = from;
    if (!name)
        return false;
    size_t n_apart = sizeof apart - 1;
    bool secure = (size_t)(name - line) < n_apart || strncmp(name - n_apart, apart, n_apart) != 0;
    name += sizeof world - 1;
    at = end + sizeof middle - 1;
    if (name >= end || !read_printed(&at, &mean) || strncmp(at, " CPU cycles", 11) != 0)
        return false;
    out->average(out->user, name, (size_t)(end - name), secure, mean);
    return true;
}

/* Reads "------Verify Data By TOPIC------" and similar lines. */
static bool read_heading(struct tfm_lines *lines)
{
    if (!strstr(lines->line, "------"))
        return false;
    lines->has_tag = false;
    lines->again = lines->by_topic && strstr(lines->line, "Verify Data By Checkpoint") != NULL;
    lines->by_topic = strstr(lines->line, "Verify Data By TOPIC") != NULL;
    return true;
}

static void read_line(struct tfm_lines *lines, const struct tfm_out *out)
{
    const char *line = lines->line, *at;
    struct tfm_item item;
    uint64_t value;
    if (read_average(line, out)) {
        out->health->records++;
    } else if (read_heading(lines)) {
        return;
    } else if (strstr(line, "cali_idx: ") && (at = text_behind(line, "tag: 0x")) &&
               read_number(&at, 16, 8, &value)) {
        lines->has_tag = !lines->again && tfm_tag_is_log((uint32_t)value);
        lines->tag = (uint32_t)value;
    } else if (lines->has_tag && (at = text_behind(line, ", actual: "))) {
        lines->has_tag = false;
        if (read_printed(&at, &value) && value <= UINT32_MAX)
            out->item(out->user, &(struct tfm_item){lines->tag, (uint32_t)value});
    } else if (read_pair(line, &item)) {
        out->item(out->user, &item);
    }
}

static void end_line(struct tfm_lines *lines, const struct tfm_out *out)
{
    lines->line[lines->n] = 0;
    if (lines->n && !lines->too_long)
        read_line(lines, out);
    lines->n = 0;
    lines->too_long = false;
}

void tfm_lines_byte(struct tfm_lines *lines, uint8_t byte, const struct tfm_out *out)
{
    int c = console_filter_take(&lines->filter, byte);
    if (c == CONSOLE_NOTHING)
        return;
    if (c == '\n' || c == '\r')
        end_line(lines, out);
    else if (lines->n == TFM_LINE_MAX - 1 || (c < ' ' && c != '\t') || c == 0x7F)
        lines->too_long = true; /* or not text */
    else
        lines->line[lines->n++] = c < 0x80 ? (char)c : '?'; /* part of a UTF-8 letter */
}

void tfm_lines_finish(struct tfm_lines *lines, const struct tfm_out *out)
{
    end_line(lines, out);
}
