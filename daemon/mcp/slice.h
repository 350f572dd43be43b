/* slice.h - values of a JSON text as the bytes that they are written in: a number of any size stays what it
 * is, which a double cannot promise beyond 2^53.
 *
 * The text must be JSON, as jsonio_parse() takes it, and outlive its slices. For this room only. */
#ifndef MCP_SLICE_H
#define MCP_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value with its brackets or quotes. n is 0 where there is none. */
struct slice {
    const char *at;
    size_t n;
};

/* The value that the text holds, without the white space around it. */
struct slice slice_of(const char *text, size_t n);

/* Goes through the members of an object or the elements of an array, in their order. */
struct slice_walk {
    const char *at, *end;
    bool is_object;
};
struct slice_walk slice_walk(struct slice value);

/* Answers the next; false at the end, and of a value that is neither. `name` is a string, with its quotes; n
 * is 0 in an array. */
bool slice_next(struct slice_walk *walk, struct slice *name, struct slice *value);

/* Finds a member by its name, which has no escapes; and one inside others, "target.description". */
struct slice slice_member(struct slice object, const char *name);
struct slice slice_path(struct slice top, const char *path);

size_t slice_count(struct slice value);
bool slice_is_composite(struct slice value); /* an object or an array */

/* False when it is no whole number that fits. */
bool slice_u64(struct slice value, uint64_t *out);

/* What a string says, which the caller frees; NULL when it is none, or memory is used up. */
char *slice_text(struct slice value);

#endif
