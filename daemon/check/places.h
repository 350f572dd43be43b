/* places.h - finds the source files of functions on this machine. */
#ifndef CHECK_PLACES_H
#define CHECK_PLACES_H

#include "check/gate.h"

#include <limits.h>

enum { PLACES_MAPS_MAX = 32 };

/* Where sources are. The command line owns the texts. */
struct places {
    const char *root; /* NULL: the repository of the working directory, else that directory */
    struct places_map {
        const char *from; /* from_n bytes; empty: prefix of every relative path */
        size_t from_n;
        const char *to;
    } maps[PLACES_MAPS_MAX];
    size_t maps_n;
};

/* Adds FROM=TO. False when it is malformed, or there are too many. */
bool places_add_map(struct places *places, const char *text);

/* Sets each row's file, as a path below the root: the one that DWARF names, joined with its build directory and changed
 * by `maps`. If the build was elsewhere, it is the file with the longest common end of the path. Otherwise it is an
 * absolute path outside the root. Only existing files count; other rows have none. */
void places_find(const struct places *places, struct gate_result *result);

#endif
