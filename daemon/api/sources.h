/* sources.h - decides which files of this machine may be shown as source code.
 *
 * An untrusted ELF names its source files, and one that names /etc/shadow must not reveal it. So a file is shown
 * only in two cases, with all links followed: it is in a folder that the user named, or it has a suffix of source
 * files and is near the program. Near means below the ELF's folder, below the build directory, or beside the
 * latter. */
#ifndef API_SOURCES_H
#define API_SOURCES_H

#include "api/http_settings.h"
#include "base/error.h"

#include <limits.h>

struct sources {
    const struct http_source_path *maps;
    size_t map_n;
    bool any;        /* the user allowed all files that the ELF names */
    const char *elf; /* path of the ELF; "" unknown */
};

/* True when the file at `path` may be shown, for a unit with the build directory `built_in` (NULL unknown). `real`
 * becomes its resolved path. False with an error when it may not, or is missing. */
bool sources_admit(const struct sources *sources, const char *path, const char *built_in,
                   char real[static PATH_MAX], struct error *err);

#endif
