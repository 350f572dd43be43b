/* hex.c - reads messages as lines of hex digits, anywhere in a log.
 *
 * A line is valid if it ends as a line and has an even number of digits. Otherwise it was cut off or mixed
 * with other output, so it is damaged and unreliable. Digits may be in groups of two or four, separated by
 * spaces; such a line has nothing else. After ungrouped digits, other text may follow. */
#include "dialect/syst/hex.h"

#include "base/digits.h"

static const char mark[] = "SYS-T RAW DATA:";
enum { MARK = sizeof mark - 1, SYS = 3 };

/* Returns how much of the mark matches after one more byte. The only part that may begin again inside the
 * mark is the second S of SYS. */
static uint8_t match(uint8_t matched, uint8_t byte)
{
    if (byte == mark[matched])
        return matched + 1;
    if (matched == SYS && byte == mark[1])
        return 2;
    return byte == mark[0];
}

static void end_line(struct syst_hex *hex, bool is_whole, const struct syst_out *out)
{
    hex->inside = false;
    if (is_whole && hex->digits > 0 && hex->digits % 2 == 0) {
        out->message(out->user, &(struct syst_frame){.bytes = hex->bytes, .n = hex->digits / 2});
        return;
    }
    out->health->framing_errors++;
    out->health->bytes_skipped += MARK + hex->digits;
    out->lost(out->user);
}

static void feed_digit(struct syst_hex *hex, int value, const struct syst_out *out)
{
    if (hex->digits == 2 * sizeof hex->bytes) { /* longer than any message */
        end_line(hex, false, out);
        return;
    }
    uint8_t *byte = &hex->bytes[hex->digits++ / 2];
    *byte = (uint8_t)(*byte << 4 | value);
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t';
}

/* Ends a group of digits; others may follow. */
static bool end_group(struct syst_hex *hex)
{
    size_t n = hex->digits - hex->group_at;
    if (hex->group_at == 0)
        hex->group = n == 2 || n == 4 ? n : 0;
    hex->group_at = hex->digits;
    hex->between = true;
    return hex->group > 0 && n == hex->group;
}

/* Reads a byte that is not a digit, in the line of a message. Returns true when the line may continue. */
static bool feed_between(struct syst_hex *hex, uint8_t byte, const struct syst_out *out)
{
    bool ends = byte == '\r' || byte == '\n', in_groups = hex->group_at > 0;
    if (is_blank(byte) && (hex->between || end_group(hex)))
        return true;
    if (in_groups && ends && !hex->between)
        ends = hex->digits - hex->group_at <= hex->group;
    end_line(hex, ends || (is_blank(byte) && !in_groups), out);
    return false;
}

static void feed_byte(struct syst_hex *hex, uint8_t byte, const struct syst_out *out)
{
    int value = hex->inside ? digits_hex_value((char)byte) : -1;
    if (value >= 0) {
        hex->between = false;
        feed_digit(hex, value, out);
        return;
    }
    if (hex->inside && feed_between(hex, byte, out))
        return;
    hex->matched = match(hex->matched, byte);
    if (hex->matched == MARK) {
        hex->matched = 0;
        hex->inside = hex->between = true;
        hex->digits = hex->group_at = hex->group = 0;
    }
}

void syst_hex_feed(struct syst_hex *hex, const uint8_t *bytes, size_t n, const struct syst_out *out)
{
    for (size_t i = 0; i < n; i++) {
        int byte = console_filter_take(&hex->filter, bytes[i]);
        if (byte != CONSOLE_NOTHING)
            feed_byte(hex, (uint8_t)byte, out);
    }
}

void syst_hex_finish(struct syst_hex *hex, const struct syst_out *out)
{
    if (hex->inside)
        feed_between(hex, '\n', out);
}

bool syst_hex_is_in(const uint8_t *bytes, size_t n)
{
    uint8_t matched = 0;
    for (size_t i = 0; i < n; i++) {
        matched = match(matched, bytes[i]);
        if (matched == MARK)
            return true;
    }
    return false;
}
