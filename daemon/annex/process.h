/* process.h - what the processes of the annex tell each other; for its own files. */
#ifndef ANNEX_PROCESS_H
#define ANNEX_PROCESS_H

#include "annex/annex.h"

/* What the daemon tells the server, beside a socket: the job is a pointer, since the server is a copy of the
 * daemon, and nobody but the daemon has the other end. */
struct annex_order {
    const struct annex_job *job;
    size_t n;    /* bytes of the request, which come through that socket */
    size_t most; /* that the answer may have */
};

/* Does what the orders from `orders` say until its other end is closed. */
_Noreturn void annex_serve(int orders, bool confined);

/* Reads the request, does the job and answers, at `socket`: the answer's length (8 bytes of this machine),
 * the answer. */
_Noreturn void annex_work(const struct annex_order *order, int socket, bool confined);

#endif
