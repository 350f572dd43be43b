/* own_daemon.h - a miniprofd of this command alone: the same program, in a process of its own, which reads
 * the port and answers at a socket that only this user may use. */
#ifndef TOP_OWN_DAEMON_H
#define TOP_OWN_DAEMON_H

#include "base/error.h"

#include <sys/types.h>

enum { OWN_DAEMON_PATH_SIZE = 100, OWN_DAEMON_LOG_SIZE = 2048 };

struct own_daemon {
    pid_t pid; /* 0: there is none */
    int out;   /* its standard output; its end is the daemon's */
    int log;   /* its standard error; -1: it writes to ours */
    char folder[OWN_DAEMON_PATH_SIZE], url[OWN_DAEMON_PATH_SIZE + 16];
    char said[OWN_DAEMON_LOG_SIZE]; /* the newest of its log */
};

enum own_daemon_outcome { OWN_DAEMON_RUNS, OWN_DAEMON_ENDED, OWN_DAEMON_INTERRUPTED, OWN_DAEMON_FAILED };

/* Starts it with n arguments and waits until it can be asked at `url`. `signals` is a signalfd: what comes
 * there interrupts. With `keeps_log`, what it logs is kept (own_daemon_hear()). ENDED: it ended by itself,
 * with a sentence of its own on standard error; FAILED: the error says why. own_daemon_stop() in any case. */
enum own_daemon_outcome own_daemon_start(struct own_daemon *daemon, const char *const *arguments, size_t n,
                                         int signals, bool keeps_log, struct error *err);

/* Takes in what it has logged, when poll() says that there is some. The last line is the answer. */
const char *own_daemon_hear(struct own_daemon *daemon);

/* Ends it, waits for that, and deletes the socket. Answers its exit status, -1 when a signal ended it. */
int own_daemon_stop(struct own_daemon *daemon);

#endif
