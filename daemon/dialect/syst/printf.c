/* printf.c - a printf with formats, arguments and sizes of a target.
 *
 * The format may be hostile, so no part of it is passed to the host's printf. Only the digits of
 * floating-point numbers, which are hard to get right, are written by the C library, with formats of our
 * own. */
#include "dialect/syst/printf.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum length { LENGTH_NONE, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE };

struct field {
    bool left, plus, space, alternate, zero;
    bool too_wide;
    size_t width;
    bool has_precision;
    size_t precision;
    enum length length;
    char conversion;
};

struct printer {
    struct syst_text *text;
    struct mp_bytes *arguments;
    bool wide;
};

/* ---- reading a conversion ---- */

static size_t bounded(struct field *field, uint64_t value)
{
    if (value <= SYST_FIELD_MAX)
        return (size_t)value;
    field->too_wide = true;
    return SYST_FIELD_MAX;
}

static size_t read_number(struct field *field, const char **at, const char *end)
{
    uint64_t value = 0;
    for (; *at < end && isdigit((unsigned char)**at); (*at)++)
        if (value <= SYST_FIELD_MAX)
            value = 10 * value + (uint64_t)(**at - '0');
    return bounded(field, value);
}

static void read_flags(struct field *field, const char **at, const char *end)
{
    for (; *at < end; (*at)++)
        switch (**at) {
        case '-': field->left = true; break;
        case '+': field->plus = true; break;
        case ' ': field->space = true; break;
        case '#': field->alternate = true; break;
        case '0': field->zero = true; break;
        default: return;
        }
}

static void read_width(struct printer *printer, struct field *field, const char **at, const char *end)
{
    if (*at < end && **at == '*') {
        int64_t width = (int32_t)mp_bytes_u32(printer->arguments);
        (*at)++;
        field->left |= width < 0;
        field->width = bounded(field, (uint64_t)(width < 0 ? -width : width));
    } else {
        field->width = read_number(field, at, end);
    }
    if (*at == end || **at != '.')
        return;
    (*at)++;
    field->has_precision = true;
    if (*at < end && **at == '*') {
        int32_t precision = (int32_t)mp_bytes_u32(printer->arguments);
        (*at)++;
        field->has_precision = precision >= 0;
        field->precision = precision < 0 ? 0 : bounded(field, (uint64_t)precision);
    } else {
        field->precision = read_number(field, at, end);
    }
}

static void read_length(struct field *field, const char **at, const char *end)
{
    for (; *at < end; (*at)++)
        switch (**at) {
        case 'h': field->length = field->length == LENGTH_SHORT ? LENGTH_CHAR : LENGTH_SHORT; break;
        case 'l': field->length = field->length == LENGTH_LONG ? LENGTH_LONG_LONG : LENGTH_LONG; break;
        case 'j': field->length = LENGTH_LONG_LONG; break;
        case 'z':
        case 't': field->length = LENGTH_SIZE; break;
        case 'L': break; /* long double is sent as double */
        default: return;
        }
}

/* ---- writing a field ---- */

/* Writes sign or prefix, leading zeros and digits, padded to the width. */
static void write_field(struct printer *printer, const struct field *field, const char *prefix, size_t zeros,
                        const char *body, size_t n)
{
    size_t inside = strlen(prefix) + zeros + n;
    size_t padding = field->width > inside ? field->width - inside : 0;
    if (!field->left)
        syst_text_fill(printer->text, ' ', padding);
    syst_text_word(printer->text, prefix);
    syst_text_fill(printer->text, '0', zeros);
    syst_text_bytes(printer->text, body, n);
    if (field->left)
        syst_text_fill(printer->text, ' ', padding);
}

static void write_padded_with_zeros(struct printer *printer, const struct field *field, const char *prefix,
                                    const char *body, size_t n)
{
    size_t inside = strlen(prefix) + n;
    bool zeros = field->zero && !field->left && field->width > inside;
    write_field(printer, field, prefix, zeros ? field->width - inside : 0, body, n);
}

static const char *sign_of(const struct field *field, bool negative)
{
    return negative ? "-" : field->plus ? "+" : field->space ? " " : "";
}

static uint64_t read_integer(const struct printer *printer, const struct field *field, bool is_signed)
{
    bool is_long = field->length == LENGTH_LONG_LONG ||
                   ((field->length == LENGTH_LONG || field->length == LENGTH_SIZE) && printer->wide);
    uint64_t value = mp_bytes_u32(printer->arguments);
    if (is_long)
        return value | (uint64_t)mp_bytes_u32(printer->arguments) << 32;
    if (field->length == LENGTH_CHAR)
        return is_signed ? (uint64_t)(int8_t)value : (uint8_t)value;
    if (field->length == LENGTH_SHORT)
        return is_signed ? (uint64_t)(int16_t)value : (uint16_t)value;
    return is_signed ? (uint64_t)(int32_t)value : value;
}

static void write_integer(struct printer *printer, const struct field *field)
{
    bool is_signed = field->conversion == 'd' || field->conversion == 'i';
    uint64_t value = read_integer(printer, field, is_signed);
    if (printer->arguments->ran_short)
        return;
    bool negative = is_signed && (int64_t)value < 0;
    if (negative)
        value = 0 - value;
    bool hex = field->conversion == 'x' || field->conversion == 'X', octal = field->conversion == 'o';
    const char *alphabet = field->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    uint64_t base = hex ? 16 : octal ? 8 : 10;
    const char *prefix = is_signed                          ? sign_of(field, negative)
                         : hex && field->alternate && value ? (field->conversion == 'X' ? "0X" : "0x")
                                                            : "";
    char digits[22];
    size_t n = 0;
    for (; value; value /= base)
        digits[sizeof digits - ++n] = alphabet[value % base];
    size_t least = field->has_precision ? field->precision : 1;
    if (octal && field->alternate && least <= n)
        least = n + 1;
    size_t zeros = least > n ? least - n : 0;
    const char *first = digits + sizeof digits - n;
    size_t inside = strlen(prefix) + zeros + n;
    if (field->zero && !field->left && !field->has_precision && field->width > inside)
        zeros += field->width - inside;
    write_field(printer, field, prefix, zeros, first, n);
}

static int double_digits(const struct field *field, double value, char *out, size_t room)
{
    int precision = field->has_precision ? (int)field->precision : -1; /* -1: as without one */
#define DIGITS(letter)                                                                                       \
    (field->alternate ? snprintf(out, room, "%#.*" letter, precision, value)                                 \
                      : snprintf(out, room, "%.*" letter, precision, value))
    switch (field->conversion) {
    case 'f': return DIGITS("f");
    case 'F': return DIGITS("F");
    case 'e': return DIGITS("e");
    case 'E': return DIGITS("E");
    case 'g': return DIGITS("g");
    case 'G': return DIGITS("G");
    case 'a': return DIGITS("a");
    default: return DIGITS("A");
    }
#undef DIGITS
}

static void write_double(struct printer *printer, const struct field *field)
{
    uint64_t low = mp_bytes_u32(printer->arguments);
    uint64_t bits = low | (uint64_t)mp_bytes_u32(printer->arguments) << 32;
    if (printer->arguments->ran_short)
        return;
    double value;
    memcpy(&value, &bits, sizeof value);
    char digits[SYST_FIELD_MAX + 400]; /* the largest double has 309 digits before the point */
    int n = double_digits(field, fabs(value), digits, sizeof digits);
    if (n < 0)
        return;
    char prefix[4] = "";
    strcpy(prefix, sign_of(field, signbit(value)));
    const char *body = digits;
    if (isfinite(value) && (field->conversion == 'a' || field->conversion == 'A')) {
        strcat(prefix, field->conversion == 'a' ? "0x" : "0X"); /* zeros go after it */
        body += 2;
        n -= 2;
    }
    if (isfinite(value))
        write_padded_with_zeros(printer, field, prefix, body, (size_t)n);
    else
        write_field(printer, field, prefix, 0, body, (size_t)n);
}

static void write_pointer(struct printer *printer, const struct field *field)
{
    uint64_t value = mp_bytes_u32(printer->arguments);
    if (printer->wide)
        value |= (uint64_t)mp_bytes_u32(printer->arguments) << 32;
    if (printer->arguments->ran_short)
        return;
    if (value == 0) { /* like MIPI's printer and glibc */
        write_field(printer, field, "", 0, "(nil)", 5);
        return;
    }
    char digits[17];
    int n = snprintf(digits, sizeof digits, "%llx", (unsigned long long)value);
    write_padded_with_zeros(printer, field, "0x", digits, (size_t)n);
}

static void write_character(struct printer *printer, const struct field *field)
{
    uint32_t c = mp_bytes_u32(printer->arguments);
    char utf8[4];
    size_t n = 0;
    if (printer->arguments->ran_short)
        return;
    if (field->length != LENGTH_LONG || c < 0x80) {
        utf8[n++] = (char)c;
    } else if (c < 0x800) {
        utf8[n++] = (char)(0xC0 | c >> 6);
        utf8[n++] = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        utf8[n++] = (char)(0xE0 | c >> 12);
        utf8[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        utf8[n++] = (char)(0x80 | (c & 0x3F));
    } else {
        utf8[n++] = (char)(0xF0 | (c >> 18 & 7));
        utf8[n++] = (char)(0x80 | (c >> 12 & 0x3F));
        utf8[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        utf8[n++] = (char)(0x80 | (c & 0x3F));
    }
    /* A NUL would end the text for all readers. */
    write_field(printer, field, "", 0, utf8, n == 1 && !utf8[0] ? 0 : n);
}

static void write_string(struct printer *printer, const struct field *field)
{
    struct mp_bytes *arguments = printer->arguments;
    const uint8_t *end = arguments->left ? memchr(arguments->at, 0, arguments->left) : NULL;
    size_t n = end ? (size_t)(end - arguments->at) : 0;
    const uint8_t *word = mp_bytes_take(arguments, end ? n + 1 : arguments->left + 1);
    if (!word)
        return;
    if (field->has_precision && field->precision < n)
        n = field->precision;
    write_field(printer, field, "", 0, (const char *)word, n);
}

/* Writes one conversion. Returns false when it does not exist. */
static bool write_conversion(struct printer *printer, const struct field *field)
{
    switch (field->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': write_integer(printer, field); return true;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': write_double(printer, field); return true;
    case 'c': write_character(printer, field); return true;
    case 's': write_string(printer, field); return true;
    case 'p': write_pointer(printer, field); return true;
    case 'n': mp_bytes_take(printer->arguments, printer->wide ? 8 : 4); return true;
    case '%': syst_text_char(printer->text, '%'); return true;
    default: return false;
    }
}

static void write_note(struct printer *printer, const char *from, const char *to, const char *note)
{
    syst_text_char(printer->text, '[');
    syst_text_bytes(printer->text, from, (size_t)(to - from));
    syst_text_word(printer->text, note);
}

bool syst_printf(struct syst_text *text, const char *format, size_t n, struct mp_bytes *arguments, bool wide)
{
    struct printer printer = {text, arguments, wide};
    const char *nul = n ? memchr(format, 0, n) : NULL;
    const char *at = format, *end = nul ? nul : format + n;
    while (at < end && !syst_text_is_full(text)) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        syst_text_bytes(text, at, (size_t)((percent ? percent : end) - at));
        if (!percent)
            break;
        struct field field = {0};
        at = percent + 1;
        read_flags(&field, &at, end);
        read_width(&printer, &field, &at, end);
        read_length(&field, &at, end);
        field.conversion = at < end ? *at++ : 0;
        if (field.too_wide) {
            write_note(&printer, percent, at, ": too wide]");
            field.width = field.precision = 0;
        }
        if (!arguments->ran_short && !write_conversion(&printer, &field)) {
            /* The size of its arguments is unknown. */
            syst_text_bytes(text, percent, (size_t)(end - percent));
            break;
        }
        if (arguments->ran_short) {
            write_note(&printer, percent, at, ": insufficient argument bytes]");
            return false;
        }
    }
    return true;
}
