/* textfile.h - the text of source files that an ELF names, read from this machine's disk.
 *
 * What an ELF names may be anything: only regular files of text up to a size are read, and nothing is waited
 * for. Called on threads that may wait for a disk. */
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

/* Where the file lies here that lay at `path` when it was compiled: the first of `maps` whose `from` is the
 * front of it selects it; `path` where none is. An empty `from` is the front of every relative path. NULL
 * when the result is too long. */
const char *textfile_place(const struct http_source_path *maps, size_t n, const char *path,
                           char out[static PATH_MAX]);

/* Reads the file at `path`, of which no more than `room` bytes may be kept. False with a sentence when it is
 * not there, or is none to show. */
bool textfile_init(struct textfile *text, const char *path, size_t room, struct error *err);
size_t textfile_bytes(const struct textfile *text); /* kept */
void textfile_fini(struct textfile *text);

/* The n bytes of a line, without its end; lines count from 1. NULL when there is no such line. The bytes are
 * what the file has: not all of them need be UTF-8. */
const char *textfile_line(const struct textfile *text, uint32_t line, size_t *n);

#endif
