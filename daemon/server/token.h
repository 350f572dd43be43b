/* token.h - a token of our own making, for --token-file auto. */
#ifndef SERVER_TOKEN_H
#define SERVER_TOKEN_H

#include "base/error.h"

#include <limits.h>

/* Makes a token that nobody can guess, in a new file that only this user may read, and writes the file's path
 * to `path`: in the folder miniprofd of $XDG_RUNTIME_DIR, or of ~/.cache where there is no such thing; the
 * folder is made, and is only this user's as well. False with a sentence when that cannot be. The caller
 * deletes the file when the token is worth nothing any more. */
bool token_make(char path[static PATH_MAX], struct error *err);

#endif
