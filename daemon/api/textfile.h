/* textfile.h - reads the text of source files that an ELF names from this machine's disk.
 *
 * An ELF may name anything, so only regular text files up to a size limit are read. Called on threads that may
 * wait for a disk. */
#ifndef API_TEXTFILE_H
#define API_TEXTFILE_H

#include "api/http_settings.h"
#include "base/error.h"

#include <limits.h>

enum { TEXTFILE_MOST = 8, TEXTFILE_LINES_MOST = 500000 }; /* MiB, and lines */

/* Zero is no text. */
struct textfile {
    char *bytes;
    size_t n;
    uint32_t *starts; /* of each line, and of the end */
    uint32_t lines;
    int64_t modified_s; /* of the file, seconds since 1970 */
};

/* Returns the path on this machine of a file that was compiled at `path`: the first of `maps` whose `from` is a
 * prefix applies, else it is `path`. An empty `from` is a prefix of every relative path. NULL when the result is
 * too long. */
const char *textfile_place(const struct http_source_path *maps, size_t n, const char *path,
                           char out[static PATH_MAX]);

/* Reads the file at `path`, using at most `room` bytes of memory. False with an error when it is missing or not
 * readable text. */
bool textfile_init(struct textfile *text, const char *path, size_t room, struct error *err);
size_t textfile_bytes(const struct textfile *text); /* memory used */
void textfile_fini(struct textfile *text);

/* Returns the n bytes of a line without its end, NULL when there is no such line. Lines count from 1. The bytes
 * may be invalid UTF-8. */
const char *textfile_line(const struct textfile *text, uint32_t line, size_t *n);

#endif
