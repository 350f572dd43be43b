/* json.h - writes JSON (RFC 8259) to a sink, without building a tree first. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/sink.h"

/* The writer inserts commas. It is zero-initialised except for `sink`. Keys are string literals and are not
 * escaped. A NULL key means an array element or the top value. Integers are exact to 64 bits. */
struct json {
    struct sink *sink;
    bool has_comma;
};

void json_object_open(struct json *json, const char *key);
void json_object_close(struct json *json);
void json_array_open(struct json *json, const char *key);
void json_array_close(struct json *json);

void json_u64(struct json *json, const char *key, uint64_t value);
void json_i64(struct json *json, const char *key, int64_t value);

/* Writes n elements of the open array; signed ones are in two's complement. The output is that of json_u64()
 * or json_i64() for each, but several times as fast. */
void json_integers(struct json *json, const uint64_t *values, size_t n, bool is_signed);

/* Writes the output of printf's %.*f, or null for a number that is not finite. At most 19 decimals. */
void json_double(struct json *json, const char *key, double value, int decimals);

void json_decimal(struct json *json, const char *key, uint64_t value, int decimals); /* 1234, 3: 1.234 */
/* Writes n bytes, which must be one JSON value. */
void json_raw(struct json *json, const char *key, const char *value, size_t n);

void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
void json_hex(struct json *json, const char *key, uint64_t value, int digits); /* "0x0012abcd" */

/* Writes null, not 0, when the number is unknown. */
void json_known_u64(struct json *json, const char *key, bool known, uint64_t value);

/* Writes a string. `text` must be valid UTF-8; NULL is written as null. */
void json_text(struct json *json, const char *key, const char *text);

#endif
