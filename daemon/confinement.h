/* confinement.h - what the program gives up once it knows what it is to do, so that a mistake in code that
 * reads untrusted bytes is worth little: it may read what its user may, and write to the places that were
 * named, but start no program, look into no other process and change nothing about the system.
 *
 * Landlock and seccomp do that, where the kernel has them (Linux 5.13 and 3.5); where it has not, all works
 * as well. */
#ifndef CONFINEMENT_H
#define CONFINEMENT_H

#include <stddef.h>

enum { CONFINEMENT_PLACES_MOST = 40 };

/* What may be written to; device files may be in any case. */
struct confinement {
    const char *places[CONFINEMENT_PLACES_MOST]; /* folders, and files with all else in their folder */
    size_t n;
    const char *socket; /* where a socket is made; NULL: none is */
    const char *port;   /* a file that is written to as it is; NULL: none */
};

/* Confines this thread and all that it will start: to be called before it starts any. */
void confinement_begin(const struct confinement *confinement);

#endif
