/* cached.h - text shared by several answers, so that it is made once. */
#ifndef SERVER_CACHED_H
#define SERVER_CACHED_H

#include "base/sink.h"

#include <stdatomic.h>
#include <stddef.h>

/* Text without line breaks, shared and never changed. */
struct cached {
    atomic_uint references;
    size_t n;
    char *bytes;
};

/* Takes over the buffer's bytes and empties it. Returns the text with one reference, which the caller owns. NULL
 * when memory is used up; the buffer then keeps its bytes. */
struct cached *cached_new(struct sink_buffer *text);

/* Adds a reference and returns the text. NULL is allowed. */
struct cached *cached_ref(struct cached *cached);

/* Releases a reference. NULL is allowed. */
void cached_unref(struct cached *cached);

#endif
