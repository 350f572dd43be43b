/* tokenfile.h - reads the file with the secret that clients must send. */
#ifndef BASE_TOKENFILE_H
#define BASE_TOKENFILE_H

#include "base/error.h"

enum { TOKEN_SIZE = 1025 };

/* Reads the token in the file at `path`, without trailing white space. False with an error when it is not a
 * regular file, everybody can read it, others than its owner can write it, or it has no token. Never blocks. */
bool token_file_read(const char *path, char token[static TOKEN_SIZE], struct error *err);

#endif
