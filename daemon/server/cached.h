/* cached.h - text that several answers share, so that it is made once. */
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

/* Takes over the buffer's bytes, with one reference, which is the caller's; the buffer is empty then. NULL
 * when memory is used up: the buffer keeps what it has. */
struct cached *cached_new(struct sink_buffer *text);

/* Returns the same with one more reference; NULL is fine. */
struct cached *cached_ref(struct cached *cached);

/* Gives a reference back; NULL is fine. */
void cached_unref(struct cached *cached);

#endif
