/* tells.h - whether a PROFILE_DATA payload can be read to its end, and tells anything. */
#ifndef DIALECT_MINIPROF_TELLS_H
#define DIALECT_MINIPROF_TELLS_H

#include <stddef.h>
#include <stdint.h>

enum tells {
    TELLS_NONSENSE, /* it cannot be read, or not to its end */
    TELLS_NOTHING,  /* it can, and has no call, event or record in it */
    TELLS_SOMETHING,
};

/* Judges a payload of version 1, 2 or 3 by itself. */
enum tells miniprof_tells(const uint8_t *payload, size_t n);

#endif
