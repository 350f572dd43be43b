/* path.h - normalizes names of source files. */
#ifndef SYMBOL_PATH_H
#define SYMBOL_PATH_H

#include <stddef.h>

#define PATH_SIZE 4096 /* longer ones are not shown */

/* Writes the path of file `name` in `directory` ("" for none; not used when `name` is absolute) into `out`:
 * without "./", doubled slashes and "x/../", and relative to `build` ("" when unknown) when it is inside.
 * Returns its length; 0 when there is no name or it is too long. */
size_t path_join(char out[static PATH_SIZE], const char *build, const char *directory, const char *name);

#endif
