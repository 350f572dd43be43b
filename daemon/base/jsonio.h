/* jsonio.h - parses JSON (RFC 8259) of users and browsers: configuration files and request bodies. */
#ifndef BASE_JSONIO_H
#define BASE_JSONIO_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* One value of a parsed text. The values below the top live as long as the top does. All functions accept
 * NULL and values of another type: they then return NULL, 0 or false. */
struct jsonio;

/* Parses n bytes with one value and white space. Returns NULL when they are not JSON or memory is used up;
 * the error has the line and calls the text `what` ("prof.json"). The caller frees. */
struct jsonio *jsonio_parse(const char *what, const char *text, size_t n, struct error *err);
void jsonio_free(struct jsonio *top);

bool jsonio_is_object(const struct jsonio *value);
bool jsonio_is_array(const struct jsonio *value);
bool jsonio_is_null(const struct jsonio *value);

/* Iterates over the values of an object or array in their order. NULL at the end. */
const struct jsonio *jsonio_first(const struct jsonio *value);
const struct jsonio *jsonio_next(const struct jsonio *member);

/* The number of values of an object or array. Both functions walk the list: loops use jsonio_next(). */
size_t jsonio_count(const struct jsonio *value);
const struct jsonio *jsonio_at(const struct jsonio *value, size_t index); /* NULL past the end */

const char *jsonio_name(const struct jsonio *member); /* NULL outside an object */

/* Returns the first member with that name, NULL when there is none. */
const struct jsonio *jsonio_member(const struct jsonio *object, const char *name);

/* Returns the text of a string, NULL for another type. */
const char *jsonio_text(const struct jsonio *value);

/* Read a value of that type into *out. False for another type; *out is then unchanged. An integer must be
 * below 2^53, without fraction or minus sign. */
bool jsonio_u64(const struct jsonio *value, uint64_t *out);
bool jsonio_double(const struct jsonio *value, double *out);
bool jsonio_bool(const struct jsonio *value, bool *out);

#endif
