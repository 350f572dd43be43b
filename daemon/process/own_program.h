/* own_program.h - this program once more, in a process of its own. */
#ifndef PROCESS_OWN_PROGRAM_H
#define PROCESS_OWN_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* The path for execv(): /proc/self/exe, or where that is the loader of the release archive
 * (scripts/packaging/launcher.c), the launcher, which starts the loader once more. Never to be freed. */
const char *own_program_path(void);

struct own_program_start {
    const char *const *arguments; /* argv, with argv[0]; NULL ends them */
    const char *without;          /* a variable that its environment lacks; NULL: none */
    const sigset_t *blocked;      /* signals that it does not receive; NULL: none */
    int in, out, log;             /* its standard streams; -1: those of this process */
};

/* Starts it. It gets SIGTERM when this process ends, also when that is killed. Where it cannot be executed it
 * ends with 1 and a sentence on its standard error. Answers its process; -1 with errno. */
pid_t own_program_start(const struct own_program_start *start);

/* Blocks the signals that own_program_wait() takes: to be called before the start. *before becomes the mask
 * to set again. */
void own_program_block_signals(sigset_t *before);

/* Waits until it ends. Sends it SIGTERM when this process gets that or SIGINT; *interrupted tells. Answers its
 * wait status. */
int own_program_wait(pid_t pid, bool *interrupted);

/* Ends it with SIGTERM, and waits for that. Answers its wait status. */
int own_program_end(pid_t pid);

#endif
