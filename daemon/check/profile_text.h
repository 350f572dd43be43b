/* profile_text.h - checks whether a file is text, as a profile must be. */
#ifndef CHECK_PROFILE_TEXT_H
#define CHECK_PROFILE_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* True when the n bytes of the file at `path` are UTF-8 without NUL. Otherwise false with an error that says what they
 * are and what to do. */
bool profile_is_text(const char *text, size_t n, const char *path, struct error *err);

/* False with a sentence where there is a folder at `path`. */
bool profile_is_no_folder(const char *path, struct error *err);

#endif
