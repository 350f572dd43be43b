/* wholefile.h - reads files that people name, whole, into memory.
 *
 * What is named may be anything: a pipe, a device, a folder. Only regular files up to a size are read, and
 * nothing is waited for but the disk. */
#ifndef BASE_WHOLEFILE_H
#define BASE_WHOLEFILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct wholefile {
    char *bytes; /* n of them and a NUL; the caller frees */
    size_t n;
    int64_t modified_s; /* seconds since 1970 */
};

/* Reads the file at `path`, a regular one of at most `most` MiB. False, with nothing to free, when it is not
 * that; the sentence calls it `what` ("names file"). A file that grows meanwhile is read as
 * far as it went. */
bool wholefile_read(struct wholefile *file, const char *what, const char *path, size_t most,
                    struct error *err);

#endif
