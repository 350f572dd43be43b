/* bound_lines.h - reads files of limits, one a line. */
#ifndef BASE_BOUND_LINES_H
#define BASE_BOUND_LINES_H

#include "base/error.h"

/* Passes each line of the file at `path` to `take`, without surrounding blanks. Skips empty lines and those
 * that begin with '#'. False when the file is missing or not text, or when `take` returns false; the error
 * then names the line. */
bool bound_read_lines(const char *path, bool (*take)(void *user, const char *line, struct error *err),
                      void *user, struct error *err);

#endif
