/* lookout.c - buffers bytes to detect their dialect. */
#include "session/lookout.h"

#include <stdlib.h>
#include <string.h>

bool lookout_init(struct lookout *lookout, struct error *err)
{
    *lookout = (struct lookout){.bytes = malloc(DIALECT_GUESS_MOST)};
    return lookout->bytes ? true : error_set(err, "Out of memory while preparing to recognize the dialect.");
}

void lookout_fini(struct lookout *lookout)
{
    free(lookout->bytes);
}

void lookout_restart(struct lookout *lookout, size_t first_look)
{
    lookout->n = 0;
    lookout->look_at = first_look;
}

size_t lookout_take(struct lookout *lookout, const uint8_t *bytes, size_t n)
{
    size_t room = lookout->look_at - lookout->n;
    if (n > room)
        n = room;
    memcpy(lookout->bytes + lookout->n, bytes, n);
    lookout->n += n;
    return n;
}

bool lookout_is_due(const struct lookout *lookout)
{
    return lookout->n == lookout->look_at;
}

bool lookout_is_full(const struct lookout *lookout)
{
    return lookout->n == DIALECT_GUESS_MOST;
}

const struct dialect *lookout_look(struct lookout *lookout)
{
    while (lookout->look_at <= lookout->n && lookout->look_at < DIALECT_GUESS_MOST)
        lookout->look_at *= 2;
    return dialect_guess_so_far(lookout->bytes, lookout->n);
}
