/* jsonio.h - reads JSON (RFC 8259) that people and browsers wrote: configuration files and request bodies. */
#ifndef BASE_JSONIO_H
#define BASE_JSONIO_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* One value of a parsed text. The values below the top live as long as the top does. Every question may be
 * put to NULL and to a value of another type: the answer is then "no". */
struct jsonio;

/* Reads n bytes that hold one value and white space. NULL, with a sentence that tells the line, when they are
 * not JSON or memory is used up. `what` names the text in that sentence ("prof.json"). The caller frees. */
struct jsonio *jsonio_parse(const char *what, const char *text, size_t n, struct error *err);
void jsonio_free(struct jsonio *top);

bool jsonio_is_object(const struct jsonio *value);
bool jsonio_is_array(const struct jsonio *value);
bool jsonio_is_null(const struct jsonio *value);

/* Goes through the values of an object or array in their order: NULL when there is none, or none more. */
const struct jsonio *jsonio_first(const struct jsonio *value);
const struct jsonio *jsonio_next(const struct jsonio *member);

/* The number of values of an object or array. Both questions cost a walk: loops use jsonio_next(). */
size_t jsonio_count(const struct jsonio *value);
const struct jsonio *jsonio_at(const struct jsonio *value, size_t index); /* NULL past the end */

const char *jsonio_name(const struct jsonio *member); /* NULL outside an object */

/* Finds the first member of that name; NULL when there is none. */
const struct jsonio *jsonio_member(const struct jsonio *object, const char *name);

/* What the value says; NULL when it is not a string. */
const char *jsonio_text(const struct jsonio *value);

/* False when it is not such a value; *out is then untouched. Integers are exact below 2^53, and a number with
 * a fraction, a minus sign or a larger value is none. */
bool jsonio_u64(const struct jsonio *value, uint64_t *out);
bool jsonio_double(const struct jsonio *value, double *out);
bool jsonio_bool(const struct jsonio *value, bool *out);

#endif
