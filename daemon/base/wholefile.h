/* wholefile.h - reads a file that the user has named into memory, as a whole.
 *
 * The name may be that of a pipe, a device or a folder. Only regular files up to a size limit are read, so
 * the caller waits for nothing but the disk. */
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

/* Reads a regular file of at most `most` MiB. False, with an error and nothing to free, for any other file
 * or a failed read; the error text calls the file `what` ("names file"). A file that grows meanwhile is read up to the size it had. */
bool wholefile_read(struct wholefile *file, const char *what, const char *path, size_t most,
                    struct error *err);

#endif
