/* teller.h - a server that answers each request with the same bytes, whatever they are, and closes. */
#ifndef CLIENT_TELLER_H
#define CLIENT_TELLER_H

#include <stddef.h>

/* Listens at a socket in a file of a folder of its own, from a thread, until the process ends. Returns its
 * address as `--at` takes it, lent for as long. Aborts when that cannot be done. */
const char *teller_start(void);

/* What is answered from now on; copied. */
void teller_says(const void *bytes, size_t n);

#endif
