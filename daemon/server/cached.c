/* cached.c - text shared by several answers. */
#include "server/cached.h"

#include <stdlib.h>

struct cached *cached_ref(struct cached *cached)
{
    if (cached)
        atomic_fetch_add(&cached->references, 1);
    return cached;
}

void cached_unref(struct cached *cached)
{
    if (!cached || atomic_fetch_sub(&cached->references, 1) != 1)
        return;
    free(cached->bytes);
    free(cached);
}

struct cached *cached_new(struct sink_buffer *text)
{
    struct cached *cached = text->sink.failed ? NULL : malloc(sizeof *cached);
    if (!cached)
        return NULL;
    /* Frees the unused rest of the buffer, which grew in steps. */
    char *fitted = realloc(text->bytes, text->n);
    *cached = (struct cached){.n = text->n, .bytes = fitted ? fitted : text->bytes};
    atomic_init(&cached->references, 1);
    sink_buffer_init(text);
    return cached;
}
