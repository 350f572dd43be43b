/* token.h - generates a token, for --token-file auto. */
#ifndef SERVER_TOKEN_H
#define SERVER_TOKEN_H

#include "base/error.h"

#include <limits.h>

/* Makes a random token in a new file that only this user may read, and sets `path`. The file is in the folder
 * miniprofd of $XDG_RUNTIME_DIR, or else of ~/.cache; the folder is created, for this user only. False with an
 * error when that fails. The caller deletes the file when the token expires. */
bool token_make(char path[static PATH_MAX], struct error *err);

#endif
