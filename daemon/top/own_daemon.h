/* own_daemon.h - runs a miniprofd only for this command: another process that reads the port and serves a socket for
 * this user only. */
#ifndef TOP_OWN_DAEMON_H
#define TOP_OWN_DAEMON_H

#include "base/error.h"

#include <sys/types.h>

enum { OWN_DAEMON_PATH_SIZE = 100, OWN_DAEMON_LOG_SIZE = 2048 };

struct own_daemon {
    pid_t pid; /* 0: none */
    int out;   /* its standard output; end of file means that it ended */
    int log;   /* its standard error; -1: shared with this process */
    char folder[OWN_DAEMON_PATH_SIZE], url[OWN_DAEMON_PATH_SIZE + 16];
    char said[OWN_DAEMON_LOG_SIZE]; /* the newest part of its log */
};

enum own_daemon_outcome { OWN_DAEMON_RUNS, OWN_DAEMON_ENDED, OWN_DAEMON_INTERRUPTED, OWN_DAEMON_FAILED };

/* Starts it with n arguments and waits until it serves `url`. A signal at the descriptor `signals` interrupts that.
 * With `keeps_log`, its log is kept (own_daemon_hear()). ENDED: it ended by itself and printed an error. FAILED: `err`
 * has the reason. Call own_daemon_stop() in any case. */
enum own_daemon_outcome own_daemon_start(struct own_daemon *daemon, const char *const *arguments, size_t n,
                                         int signals, bool keeps_log, struct error *err);

/* Reads its log, when poll() shows that there is some. Returns the last line. */
const char *own_daemon_hear(struct own_daemon *daemon);

/* Ends it, waits for it, and deletes the socket. Returns its exit status, -1 when a signal ended it. */
int own_daemon_stop(struct own_daemon *daemon);

#endif
