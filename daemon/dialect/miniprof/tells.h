/* tells.h - checks whether a PROFILE_DATA payload is readable, and contains anything. */
#ifndef DIALECT_MINIPROF_TELLS_H
#define DIALECT_MINIPROF_TELLS_H

#include <stddef.h>
#include <stdint.h>

enum tells {
    TELLS_NONSENSE, /* unreadable, or not to the end */
    TELLS_NOTHING,  /* readable, but without a call, event or record */
    TELLS_SOMETHING,
};

/* Checks a payload of version 1, 2 or 3. */
enum tells miniprof_tells(const uint8_t *payload, size_t n);

#endif
