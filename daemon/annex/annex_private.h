/* annex_private.h - the messages between the processes of the annex, for its own files. */
#ifndef ANNEX_ANNEX_PRIVATE_H
#define ANNEX_ANNEX_PRIVATE_H

#include "annex/annex.h"

#include <sys/types.h>

/* An order of the daemon to the server, sent with a socket. The job is a pointer, which is valid since the server is a
 * fork of the daemon, and only the daemon has the other end. */
struct annex_order {
    const struct annex_job *job; /* NULL: fork a spare server, which takes its orders from that socket */
    size_t n;                    /* bytes of the request, which follow through that socket */
    size_t most;                 /* limit of the answer's bytes */
};

/* Carries out orders from `orders` until its other end is closed, or the process `daemon` ends. */
_Noreturn void annex_serve(int orders, pid_t daemon, bool confined);

/* Writes one byte to `socket` to show that the worker has started, reads the request, does the job, and writes the
 * answer's length (8 bytes, native order) and the answer. Ends when the other end of the socket is closed. */
_Noreturn void annex_work(const struct annex_order *order, int socket, bool confined);

#endif
