/* json.c - writes JSON straight onto a sink. */
#include "base/json.h"

#include "base/digits.h"
#include "base/text.h"

#include <math.h>

static void begin(struct json *json, const char *key)
{
    if (key) {
        sink_write(json->sink, json->comma ? ",\"" : "\"", json->comma ? 2 : 1);
        sink_text(json->sink, key);
        sink_write(json->sink, "\":", 2);
    } else if (json->comma) {
        sink_char(json->sink, ',');
    }
    json->comma = true;
}

static void open_with(struct json *json, const char *key, char bracket)
{
    begin(json, key);
    sink_char(json->sink, bracket);
    json->comma = false;
}

static void close_with(struct json *json, char bracket)
{
    sink_char(json->sink, bracket);
    json->comma = true;
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

/* Writes a number at `to` and answers where it ends. */
static char *put(char *to, bool comma, uint64_t value, bool is_signed)
{
    bool negative = is_signed && value >> 63;
    if (comma)
        *to++ = ',';
    if (negative)
        *to++ = '-';
    return digits_write(to, negative ? 0 - value : value);
}

static void integer(struct json *json, const char *key, uint64_t value, bool is_signed)
{
    char text[INTEGER_MOST];
    if (key)
        begin(json, key);
    char *end = put(text, !key && json->comma, value, is_signed);
    json->comma = true;
    sink_write(json->sink, text, (size_t)(end - text));
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
    integer(json, key, value, false);
}

void json_i64(struct json *json, const char *key, int64_t value)
{
    integer(json, key, (uint64_t)value, true);
}

enum { PIECE = 2048 }; /* bytes that go to the sink at once */

void json_integers(struct json *json, const uint64_t *values, size_t n, bool is_signed)
{
    for (size_t i = 0; i < n;) {
        char text[PIECE], *end = text;
        for (; i < n && end <= text + PIECE - INTEGER_MOST; i++) {
            end = put(end, json->comma, values[i], is_signed);
            json->comma = true;
        }
        sink_write(json->sink, text, (size_t)(end - text));
    }
}

void json_double(struct json *json, const char *key, double value, int decimals)
{
    if (!isfinite(value)) {
        json_null(json, key);
        return;
    }
    begin(json, key);
    sink_printf(json->sink, "%.*f", decimals, value);
}

void json_decimal(struct json *json, const char *key, uint64_t value, int decimals)
{
    begin(json, key);
    uint64_t one = 1;
    for (int i = 0; i < decimals; i++)
        one *= 10;
    sink_u64(json->sink, value / one);
    if (value % one > 0) /* 1.5 and 1.500 are the same number, and there are many of them */
        sink_printf(json->sink, ".%0*llu", decimals, (unsigned long long)(value % one));
}

void json_bool(struct json *json, const char *key, bool value)
{
    begin(json, key);
    sink_text(json->sink, value ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
    begin(json, key);
    sink_text(json->sink, "null");
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
    begin(json, key);
    sink_printf(json->sink, "\"0x%0*llx\"", digits, (unsigned long long)value);
}

void json_text(struct json *json, const char *key, const char *text)
{
    if (!text) {
        json_null(json, key);
        return;
    }
    begin(json, key);
    text_write_json(json->sink, text);
}
