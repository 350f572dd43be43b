/* sources.h - which files of this machine may be shown as source code.
 *
 * An ELF names its source files, and an ELF may come from anywhere: one that names /etc/shadow must not get
 * it shown. So a file is shown when, with all links followed, it lies where the user said that sources are,
 * or has a name as sources have one and lies with the program: below the ELF's folder, below the folder that
 * its compiler ran in, or beside that. */
#ifndef API_SOURCES_H
#define API_SOURCES_H

#include "api/http_settings.h"
#include "base/error.h"

#include <limits.h>

struct sources {
    const struct http_source_path *maps;
    size_t map_n;
    bool any;        /* the user wants to see whatever the ELF names */
    const char *elf; /* where the ELF lies; "" unknown */
};

/* True when the file at `path` may be shown, of a unit that was compiled in the folder `built_in` (NULL
 * unknown). Fills `real` with where it lies in the end. False with a sentence when it may not, or is not
 * there. */
bool sources_admit(const struct sources *sources, const char *path, const char *built_in,
                   char real[static PATH_MAX], struct error *err);

#endif
