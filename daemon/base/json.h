/* json.h - writes JSON (RFC 8259) straight onto a sink, without building a tree first. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/sink.h"

/* The writer keeps the commas right. It is zero-initialised except for `sink`. Keys are string literals of
 * ours and are not escaped; a NULL key means an array element or the top value. Integers are written exactly,
 * to 64 bits. */
struct json {
    struct sink *sink;
    bool comma;
};

void json_object_open(struct json *json, const char *key);
void json_object_close(struct json *json);
void json_array_open(struct json *json, const char *key);
void json_array_close(struct json *json);

void json_u64(struct json *json, const char *key, uint64_t value);
void json_i64(struct json *json, const char *key, int64_t value);

/* Writes n elements of the array that is open, signed ones in two's complement: what json_u64() or json_i64()
 * would write one by one, several times as fast. */
void json_integers(struct json *json, const uint64_t *values, size_t n, bool is_signed);

/* Writes what printf's %.*f does, null where the number is not finite; at most 19 decimals. */
void json_double(struct json *json, const char *key, double value, int decimals);

void json_decimal(struct json *json, const char *key, uint64_t value, int decimals); /* 1234, 3: 1.234 */
/* Writes n bytes that are one JSON value already. */
void json_raw(struct json *json, const char *key, const char *value, size_t n);

void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
void json_hex(struct json *json, const char *key, uint64_t value, int digits); /* "0x0012abcd" */

/* Writes null when the number is not known, never 0. */
void json_known_u64(struct json *json, const char *key, bool known, uint64_t value);

/* `text` must be valid UTF-8; NULL is written as null. */
void json_text(struct json *json, const char *key, const char *text);

#endif
