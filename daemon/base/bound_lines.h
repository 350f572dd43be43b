/* bound_lines.h - reads files of limits, one a line. */
#ifndef BASE_BOUND_LINES_H
#define BASE_BOUND_LINES_H

#include "base/error.h"

/* Hands the lines of the file at `path` on, without the blanks around them; those that are empty or begin
 * with '#' are left out. False when there is no such file, it is no text, or `take` answers false; the
 * sentence then names the line. */
bool bound_read_lines(const char *path, bool (*take)(void *user, const char *line, struct error *err),
                      void *user, struct error *err);

#endif
