/* tokenfile.h - reads the file with a secret that clients have to know. */
#ifndef BASE_TOKENFILE_H
#define BASE_TOKENFILE_H

#include "base/error.h"

enum { TOKEN_SIZE = 1025 };

/* Reads the token in the file at `path`, without the white space behind it. False with a sentence when that
 * is no regular file, others than its owner can read or write it, or it holds no token. Nothing is waited
 * for. */
bool token_file_read(const char *path, char token[static TOKEN_SIZE], struct error *err);

#endif
