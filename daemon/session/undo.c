/* undo.c - undoes changes that lines, drivers, terminals and tools make to bytes. */
#include "session/undo.h"

#include <string.h>

#include "base/digits.h"
#include "dialect/console.h"

size_t undo_crlf(const uint8_t *bytes, size_t n, uint8_t *out)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '\n' && (k == 0 || out[k - 1] != '\r') && i > 0)
            return 0; /* an LF without CR */
        k -= bytes[i] == '\n' && k > 0;
        out[k++] = bytes[i];
    }
    return k < n ? k : 0;
}

static size_t undo_twice(const uint8_t *bytes, size_t n, uint8_t *out, uint8_t value)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        out[k++] = bytes[i];
        i += bytes[i] == value && i + 1 < n && bytes[i + 1] == value;
    }
    return k;
}

size_t undo_ff_twice(const uint8_t *bytes, size_t n, uint8_t *out)
{
    return undo_twice(bytes, n, out, 0xFF);
}

/* The value whose runs all have even length was doubled. */
size_t undo_some_twice(const uint8_t *bytes, size_t n, uint8_t *out)
{
    size_t runs[256] = {0}, best = 0;
    bool odd[256] = {false};
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i; k < n && bytes[k] == bytes[i]; k++) {
        }
        runs[bytes[i]]++;
        odd[bytes[i]] |= (k - i) % 2 && i > 0 && k < n;
    }
    for (size_t value = 0; value < 256; value++)
        if (!odd[value] && runs[value] > (odd[best] ? 0 : runs[best]))
            best = value;
    return odd[best] || runs[best] < 2 ? 0 : undo_twice(bytes, n, out, (uint8_t)best);
}

size_t undo_all_twice(const uint8_t *bytes, size_t n, uint8_t *out)
{
    size_t k = 0;
    for (size_t i = n > 1 && bytes[0] != bytes[1]; i + 1 < n; i += 2) {
        if (bytes[i] != bytes[i + 1])
            return 0;
        out[k++] = bytes[i];
    }
    return k;
}

size_t undo_inverted(const uint8_t *bytes, size_t n, uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)~bytes[i];
    return n;
}

size_t undo_bits_reversed(const uint8_t *bytes, size_t n, uint8_t *out)
{
    for (size_t i = 0; i < n; i++) {
        unsigned value = 0;
        for (int bit = 0; bit < 8; bit++)
            value |= (bytes[i] >> bit & 1u) << (7 - bit);
        out[i] = (uint8_t)value;
    }
    return n;
}

size_t undo_nibbles_swapped(const uint8_t *bytes, size_t n, uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(bytes[i] << 4 | bytes[i] >> 4);
    return n;
}

static size_t undo_order(const uint8_t *bytes, size_t n, uint8_t *out, size_t word)
{
    size_t whole = n - n % word;
    for (size_t i = 0; i < whole; i++)
        out[i] = bytes[i - i % word + (word - 1 - i % word)];
    return whole;
}

size_t undo_bytes_swapped(const uint8_t *bytes, size_t n, uint8_t *out)
{
    return undo_order(bytes, n, out, 2);
}

size_t undo_words_swapped(const uint8_t *bytes, size_t n, uint8_t *out)
{
    return undo_order(bytes, n, out, 4);
}

static bool is_one_of(uint8_t byte, const char *characters)
{
    return byte && strchr(characters, byte);
}

static const char hex_between[] = " \t\r\n,;:\\xX{}[]-\"'", base64_between[] = " \r\n=";

/* Pairs of digits, with white space, commas, 0x, \x and the like in between. */
size_t undo_hex(const uint8_t *bytes, size_t n, uint8_t *out)
{
    size_t k = 0, others = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_prefix = i + 1 < n && bytes[i] == '0' && (bytes[i + 1] | 0x20) == 'x';
        int high = digits_hex_value((char)bytes[i]),
            low = i + 1 < n ? digits_hex_value((char)bytes[i + 1]) : -1;
        if (is_prefix) {
            i++;
        } else if (high >= 0 && low >= 0) {
            out[k++] = (uint8_t)(high << 4 | low);
            i++;
        } else if (high >= 0 || !is_one_of(bytes[i], hex_between)) {
            others++;
        }
    }
    return others * 16 <= n ? k : 0;
}

static int base64_value(uint8_t c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

size_t undo_base64(const uint8_t *bytes, size_t n, uint8_t *out)
{
    size_t k = 0;
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < n; i++) {
        int value = base64_value(bytes[i]);
        if (value < 0 && !is_one_of(bytes[i], base64_between))
            return 0;
        if (bytes[i] == '=')
            held = 0;
        if (value < 0)
            continue;
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held >= 8)
            out[k++] = (uint8_t)(bits >> (held -= 8));
    }
    return k;
}

size_t undo_utf8(const uint8_t *bytes, size_t n, uint8_t *out)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_pair = (bytes[i] == 0xC2 || bytes[i] == 0xC3) && i + 1 < n && bytes[i + 1] >> 6 == 2;
        if (bytes[i] >= 0x80 && !is_pair && i > 0 && i + 1 < n)
            return 0;
        out[k++] = is_pair ? (uint8_t)(bytes[i] << 6 | (bytes[i + 1] & 0x3F)) : bytes[i];
        i += is_pair;
    }
    return k < n ? k : 0;
}

static size_t undo_utf16(const uint8_t *bytes, size_t n, uint8_t *out, size_t low)
{
    size_t k = 0, i = 0;
    if (n >= 2 && (bytes[low] == 0xFF) && bytes[1 - low] == 0xFE)
        i = 2;
    for (; i + 1 < n; i += 2) {
        if (bytes[i + 1 - low])
            return 0;
        out[k++] = bytes[i + low];
    }
    return k;
}

size_t undo_utf16le(const uint8_t *bytes, size_t n, uint8_t *out)
{
    return undo_utf16(bytes, n, out, 0);
}

size_t undo_utf16be(const uint8_t *bytes, size_t n, uint8_t *out)
{
    return undo_utf16(bytes, n, out, 1);
}

size_t undo_slip(const uint8_t *bytes, size_t n, uint8_t *out)
{
    enum { END = 0xC0, ESC = 0xDB, ESC_END = 0xDC, ESC_ESC = 0xDD };
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        bool escaped = bytes[i] == ESC && i + 1 < n && (bytes[i + 1] == ESC_END || bytes[i + 1] == ESC_ESC);
        if (escaped)
            out[k++] = bytes[++i] == ESC_END ? END : ESC;
        else if (bytes[i] != END)
            out[k++] = bytes[i];
    }
    return k;
}

static bool is_printable(uint8_t byte)
{
    return (byte >= ' ' && byte < 0x7F) || byte == '\t';
}

/* Removes escape sequences, and runs of at least RUN printable characters that end like lines. */
size_t undo_text(const uint8_t *bytes, size_t n, uint8_t *out)
{
    enum { RUN = 6 };
    struct console_filter filter = {0};
    size_t k = 0, run = 0, lines = 0;
    for (size_t i = 0; i < n; i++) {
        int c = console_filter_take(&filter, bytes[i]);
        if (c == CONSOLE_NOTHING)
            continue;
        if (run >= RUN && (c == '\n' || c == '\r')) {
            k -= run;
            lines++;
            run = 0;
            i += c == '\r' && i + 1 < n && bytes[i + 1] == '\n';
            continue;
        }
        out[k++] = (uint8_t)c;
        run = is_printable((uint8_t)c) ? run + 1 : 0;
    }
    return lines ? k : 0;
}

/* ---- incremental use ---- */

size_t undo_group(undo_fn undo)
{
    return undo == undo_base64 ? 4 : undo == undo_hex || undo == undo_utf16le || undo == undo_utf16be ? 2 : 1;
}

size_t undo_unfinished(undo_fn undo, const uint8_t *bytes, size_t n)
{
    bool is_hex = undo == undo_hex;
    size_t group = undo_group(undo), open = 0, begin = 0;
    if (undo == undo_utf16le || undo == undo_utf16be)
        return n % 2;
    if (undo == undo_utf8)
        return n && (bytes[n - 1] == 0xC2 || bytes[n - 1] == 0xC3);
    for (size_t i = 0; i < n; i++) {
        if ((is_hex ? digits_hex_value((char)bytes[i]) : base64_value(bytes[i])) >= 0) {
            begin = open ? begin : i;
            open = (open + 1) % group;
        } else if (is_hex || bytes[i] == '=') {
            open = 0;
        }
    }
    size_t rest = open ? n - begin : 0;
    return rest <= UNDO_UNFINISHED_MOST ? rest : 0;
}

bool undo_is_idle(undo_fn undo, const uint8_t *bytes, size_t n)
{
    bool is_idle = true;
    for (size_t i = 0; i < n; i++)
        is_idle &= undo == undo_utf8     ? bytes[i] < 0x80
                   : undo == undo_hex    ? bytes[i] == '0' || is_one_of(bytes[i], hex_between)
                   : undo == undo_base64 ? is_one_of(bytes[i], base64_between)
                                         : bytes[i] >= 0xFE;
    return is_idle;
}
