/* places.h - where a function stands in the sources of this machine. */
#ifndef CHECK_PLACES_H
#define CHECK_PLACES_H

#include "check/gate.h"

#include <limits.h>

enum { PLACES_MAPS_MAX = 32 };

/* Where sources are. Text is the command line's. */
struct places {
    const char *root; /* NULL: the repository that the working directory is in, else that directory */
    struct places_map {
        const char *from; /* from_n bytes; none: the front of every relative path */
        size_t from_n;
        const char *to;
    } maps[PLACES_MAPS_MAX];
    size_t maps_n;
};

/* Adds FROM=TO; false when it is none, or there are too many. */
bool places_add_map(struct places *places, const char *text);

/* Says of each row at which file below the root its function is, as a path from there: the one that DWARF
 * names, joined with the directory that it was compiled in, as `maps` have it; where the build was made
 * elsewhere, the file with the longest such end; else, as a whole path, one that is elsewhere on this
 * machine. Only files that are there count; other rows have none. */
void places_find(const struct places *places, struct gate_result *result);

#endif
