/* slice.h - values of a JSON text as slices of its bytes, so that numbers stay exact beyond 2^53, unlike doubles.
 *
 * The text must be JSON that jsonio_parse() accepts, and must outlive its slices. For this room only. */
#ifndef MCP_SLICE_H
#define MCP_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value with its brackets or quotes. n is 0 for none. */
struct slice {
    const char *at;
    size_t n;
};

/* Returns the value of the text, without surrounding white space. */
struct slice slice_of(const char *text, size_t n);

/* Iterates over the members of an object or the elements of an array, in their order. */
struct slice_walk {
    const char *at, *end;
    bool is_object;
};
struct slice_walk slice_walk(struct slice value);

/* Gets the next one. False at the end, and for another kind of value. `name` is a quoted string; in an array its n is
 * 0. */
bool slice_next(struct slice_walk *walk, struct slice *name, struct slice *value);

/* Find a member by its name without escapes, or by a path such as "target.description". */
struct slice slice_member(struct slice object, const char *name);
struct slice slice_path(struct slice top, const char *path);

size_t slice_count(struct slice value);
bool slice_is_composite(struct slice value); /* an object or an array */

/* Reads an integer. False when the value is not one, or too large. */
bool slice_u64(struct slice value, uint64_t *out);

/* Returns the text of a string, which the caller frees. NULL when it is not one, or memory is used up. */
char *slice_text(struct slice value);

#endif
