/* json.c - writes JSON to a sink. */
#include "base/json.h"

#include "base/digits.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { KEY_MOST = 80, VALUE_MOST = 48 }; /* bytes written at once */

/* Begins a member or an element with n bytes of its value, VALUE_MOST at most. One write is cheaper than one
 * for each piece. */
static void begin_with(struct json *json, const char *key, const char *value, size_t n)
{
    char text[sizeof ",\"\":" + KEY_MOST + VALUE_MOST], *end = text;
    if (json->has_comma)
        *end++ = ',';
    json->has_comma = true;
    if (key) {
        size_t key_n = strlen(key);
        *end++ = '"';
        if (key_n > KEY_MOST) {
            sink_write(json->sink, text, (size_t)(end - text));
            sink_write(json->sink, key, key_n);
            end = text;
        } else {
            memcpy(end, key, key_n);
            end += key_n;
        }
        *end++ = '"';
        *end++ = ':';
    }
    memcpy(end, value, n);
    sink_write(json->sink, text, (size_t)(end - text) + n);
}

static void begin_json_value(struct json *json, const char *key)
{
    begin_with(json, key, "", 0);
}

static void open_with(struct json *json, const char *key, char bracket)
{
    begin_with(json, key, &bracket, 1);
    json->has_comma = false;
}

static void close_with(struct json *json, char bracket)
{
    sink_char(json->sink, bracket);
    json->has_comma = true;
}

void json_raw(struct json *json, const char *key, const char *value, size_t n)
{
    begin_json_value(json, key);
    sink_write(json->sink, value, n);
}

void json_object_open(struct json *json, const char *key)
{
    open_with(json, key, '{');
}

void json_object_close(struct json *json)
{
    close_with(json, '}');
}

void json_array_open(struct json *json, const char *key)
{
    open_with(json, key, '[');
}

void json_array_close(struct json *json)
{
    close_with(json, ']');
}

enum { INTEGER_MOST = 1 + 1 + DIGITS_MOST }; /* comma, sign, digits */

/* Writes a number at `to` and returns its end. */
static char *put_integer(char *to, bool comma, uint64_t value, bool is_signed)
{
    bool negative = is_signed && value >> 63;
    if (comma)
        *to++ = ',';
    if (negative)
        *to++ = '-';
    return digits_write(to, negative ? 0 - value : value);
}

static void write_json_integer(struct json *json, const char *key, uint64_t value, bool is_signed)
{
    char text[INTEGER_MOST];
    begin_with(json, key, text, (size_t)(put_integer(text, false, value, is_signed) - text));
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
    write_json_integer(json, key, value, false);
}

void json_i64(struct json *json, const char *key, int64_t value)
{
    write_json_integer(json, key, (uint64_t)value, true);
}

enum { PIECE = 2048 }; /* bytes passed to the sink at once */

void json_integers(struct json *json, const uint64_t *values, size_t n, bool is_signed)
{
    for (size_t i = 0; i < n;) {
        char text[PIECE], *end = text;
        for (; i < n && end <= text + PIECE - INTEGER_MOST; i++) {
            end = put_integer(end, json->has_comma, values[i], is_signed);
            json->has_comma = true;
        }
        sink_write(json->sink, text, (size_t)(end - text));
    }
}

static uint64_t power_of_ten(int n)
{
    uint64_t power = 1;
    for (int i = 0; i < n; i++)
        power *= 10;
    return power;
}

/* Writes a point and `decimals` digits, zero-padded. */
static char *put_fraction(char *to, uint64_t value, int decimals)
{
    *to = '.';
    for (int i = decimals; i > 0; i--, value /= 10)
        to[i] = (char)('0' + value % 10);
    return to + 1 + decimals;
}

/* True when rounding `scaled`, the number in units of the last digit, certainly gives the result of printf,
 * which is exact. False near the middle between two units, because the product is inexact. */
static bool rounds_for_sure(double scaled)
{
    static const double most = 4294967296.0, near = 1e-6; /* a double at 2^32 is off by 2^-21 at most */
    return scaled < most && fabs(scaled - floor(scaled) - 0.5) > near;
}

void json_double(struct json *json, const char *key, double value, int decimals)
{
    uint64_t one = power_of_ten(decimals);
    double scaled = fabs(value) * (double)one;
    if (!isfinite(value)) {
        json_null(json, key);
    } else if (!rounds_for_sure(scaled)) {
        begin_json_value(json, key);
        sink_printf(json->sink, "%.*f", decimals, value);
    } else {
        char text[VALUE_MOST], *end = text;
        uint64_t rounded = (uint64_t)(scaled + 0.5);
        if (signbit(value))
            *end++ = '-';
        end = digits_write(end, rounded / one);
        if (decimals > 0)
            end = put_fraction(end, rounded % one, decimals);
        begin_with(json, key, text, (size_t)(end - text));
    }
}

void json_decimal(struct json *json, const char *key, uint64_t value, int decimals)
{
    char text[VALUE_MOST];
    uint64_t one = power_of_ten(decimals);
    char *end = digits_write(text, value / one);
    if (value % one > 0) /* 1.000 is written as 1, which saves space */
        end = put_fraction(end, value % one, decimals);
    begin_with(json, key, text, (size_t)(end - text));
}

void json_bool(struct json *json, const char *key, bool value)
{
    begin_with(json, key, value ? "true" : "false", value ? 4 : 5);
}

void json_null(struct json *json, const char *key)
{
    begin_with(json, key, "null", 4);
}

void json_known_u64(struct json *json, const char *key, bool known, uint64_t value)
{
    if (known)
        json_u64(json, key, value);
    else
        json_null(json, key);
}

void json_hex(struct json *json, const char *key, uint64_t value, int digits)
{
    begin_json_value(json, key);
    sink_printf(json->sink, "\"0x%0*llx\"", digits, (unsigned long long)value);
}

void json_text(struct json *json, const char *key, const char *text)
{
    if (!text) {
        json_null(json, key);
        return;
    }
    begin_json_value(json, key);
    text_write_json(json->sink, text);
}
