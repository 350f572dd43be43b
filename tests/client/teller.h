/* teller.h - a server that answers each request with the same given bytes and closes. */
#ifndef CLIENT_TELLER_H
#define CLIENT_TELLER_H

#include <stddef.h>

/* Starts a thread that serves at a Unix socket in a new folder until the process ends. Returns its address for
 * `--at`, valid as long. Aborts on failure. */
const char *teller_start(void);

/* Sets the answer from now on; copies it. */
void teller_says(const void *bytes, size_t n);

#endif
