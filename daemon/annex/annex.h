/* annex.h - a process beside the daemon in which foreign libraries read untrusted input: an ELF that
 * crashes them, hangs them or has them ask for all memory costs one answer.
 *
 * The process (annex_server.c) is made before the first thread, and does nothing but make a fresh one
 * (worker.c) for each job, since a program with threads is no good parent. A second one sleeps, and is used
 * when the first one does not answer. A worker has no rights: it opens nothing, and has so much time and
 * memory. Its request and its answer go through a socket, and an answer is as untrusted as what it was made
 * of. */
#ifndef ANNEX_ANNEX_H
#define ANNEX_ANNEX_H

#include "base/error.h"
#include "base/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Something to be done in a worker. It is the same for as long as the program runs: static, constant. */
struct annex_job {
    const char *title; /* for sentences, as in "reading symbols" */
    /* Reads the n bytes of `request`, which it may write to, and writes its answer. A sink that fails, by
     * itself or set to by the job, is an answer that did not come. Allocations may be left: the
     * process ends. */
    void (*run)(uint8_t *request, size_t n, struct sink *answer);
    unsigned seconds; /* that it may take, of the clock and of the processor */
};

/* No answer may be longer, whatever is said when it is asked for. */
enum { ANNEX_ANSWER_MOST = 1 << 30 };

/* Makes the process, and a spare one that takes over when the first one ends or does not answer; to be called
 * once, before the first thread. Without `confined` workers have the limits of time and memory, and no other.
 * False with a sentence. While there is no annex, jobs run where they are asked for, which is for tests. */
bool annex_start(bool confined, struct error *err);

/* How many processes there are: the one that serves, and its spare. */
enum { ANNEX_SERVERS = 2 };

/* Writes the process ids, for a caller that may kill them, and returns how many there are. 0: there are none. */
size_t annex_processes(pid_t out[ANNEX_SERVERS]);

/* Has every annex_ask() that waits, and each that follows, return without an answer at once: for a program
 * that is ending. Any thread may call it. Nothing happens when there is no annex. */
void annex_give_up(void);

/* Ends the processes without waiting for jobs. To be called when no job is asked for any more; nothing
 * happens when there is no annex. */
void annex_stop(void);

/* Has a worker do `job` with the n bytes of `request` and waits for its answer of at most `most` bytes, which
 * is the caller's to free: *answer_n bytes. NULL with half a sentence ("reading symbols took longer than 10
 * s") when none came. A process that has ended, or does not start a worker within two seconds, is replaced,
 * and the job is done by the other one. Without an annex the job has the request itself, which it may write
 * to. Any thread may call it, and several at once. */
uint8_t *annex_ask(const struct annex_job *job, uint8_t *request, size_t n, size_t most, size_t *answer_n,
                   struct error *err);

#endif
