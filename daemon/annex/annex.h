/* annex.h - a process beside the daemon in which foreign libraries read untrusted input. An ELF that crashes
 * them, hangs them or exhausts memory only costs one answer.
 *
 * The server process (annex_server.c) is forked before the first thread, since forking from a program with
 * threads is unsafe. It only forks a worker (worker.c) for each job. A second server sleeps, and is used when
 * the first does not respond. A worker has no rights: it can open nothing, and its time and memory are
 * limited. Request and answer use a socket. An answer is as untrusted as its input. */
#ifndef ANNEX_ANNEX_H
#define ANNEX_ANNEX_H

#include "base/error.h"
#include "base/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A job for a worker. It must be static and constant. */
struct annex_job {
    const char *title; /* for errors, such as "reading symbols" */
    /* Reads the n bytes of `request`, which it may overwrite, and writes its answer. If the sink fails, or
     * the job marks it as failed, there is no answer. Memory need not be freed, since the process ends. */
    void (*run)(uint8_t *request, size_t n, struct sink *answer);
    unsigned seconds; /* time limit, both wall-clock and processor time */
};

/* The limit for all answers, even if `most` is larger. */
enum { ANNEX_ANSWER_MOST = 1 << 30 };

/* Forks the server, and a spare that takes over when the first ends or does not respond. Call this once, before the
 * first thread. Without `confined`, workers only have limits of time and memory. False with an error. Without an annex,
 * jobs run in the caller's process, which is for tests. */
bool annex_start(bool confined, struct error *err);

/* The number of server processes: one, and its spare. */
enum { ANNEX_SERVERS = 2 };

/* Writes the ids of the server processes, so that killing them can be allowed. Returns their number. */
size_t annex_processes(pid_t out[ANNEX_SERVERS]);

/* Makes every current and later annex_ask() return at once without an answer, because the program ends. Any thread may
 * call it. Does nothing without an annex. */
void annex_give_up(void);

/* Ends the processes without waiting for jobs. Call this when no more jobs are requested. Does nothing without an
 * annex. */
void annex_stop(void);

/* Has a worker do `job` with the n bytes of `request`. Waits for its answer of at most `most` bytes, and returns its
 * *answer_n bytes, which the caller frees. NULL with half a sentence ("reading symbols took longer than 10 s") when
 * there is none. A server that has ended, or starts no worker within two seconds, is replaced by the other one, which
 * does the job. Without an annex the job may overwrite the request. Several threads may call this at once. */
uint8_t *annex_ask(const struct annex_job *job, uint8_t *request, size_t n, size_t most, size_t *answer_n,
                   struct error *err);

#endif
