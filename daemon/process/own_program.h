/* own_program.h - starts this program in another process, and waits for it. */
#ifndef PROCESS_OWN_PROGRAM_H
#define PROCESS_OWN_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Returns the path for execv(): /proc/self/exe. If that is the loader of the release archive
 * (scripts/packaging/launcher.c), it is the launcher, which starts the loader. Not to be freed. */
const char *own_program_path(void);

struct own_program_start {
    const char *const *arguments; /* argv, with argv[0]; NULL ends them */
    const char *without;          /* a variable to remove from its environment; NULL: none */
    const sigset_t *blocked;      /* signals blocked in it; NULL: none */
    int in, out, log;             /* its standard streams; -1: those of this process */
};

/* Starts it. It gets SIGTERM when this process ends, even by SIGKILL. If it cannot be executed, it ends with
 * status 1 and an error on its standard error. Returns its process id, or -1 with errno. */
pid_t own_program_start(const struct own_program_start *start);

/* Blocks the signals that own_program_wait() handles. Call this before the start. *before becomes the mask to
 * restore. */
void own_program_block_signals(sigset_t *before);

/* Waits until it ends, and returns its wait status. When this process gets SIGTERM or SIGINT, sends it SIGTERM and
 * sets *interrupted. */
int own_program_wait(pid_t pid, bool *interrupted);

/* Ends it with SIGTERM, and waits for it. Returns its wait status. */
int own_program_end(pid_t pid);

#endif
