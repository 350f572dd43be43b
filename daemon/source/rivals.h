/* rivals.h - detects other programs that have the daemon's port open: a terminal program that reads its
 * bytes, or one that changes the rate.
 *
 * A separate process looks for them (rival_watch.c), since the daemon gives up the right to inspect other
 * processes. The daemon sends it a byte when the port opens or closes; the kernel reports when any program opens or closes
 * it, and only then the process looks. */
#ifndef SOURCE_RIVALS_H
#define SOURCE_RIVALS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A program. */
struct rival {
    pid_t process; /* 0: none */
    char name[16]; /* the kernel's name, as printable ASCII */
};

/* A message from the process to the daemon. */
struct rivals_news {
    struct rival rival; /* a program that has the port open now */
    uint32_t count;     /* number of such programs, as far as this user can see */
    bool was_opened;    /* a program opened it since the last message, and may have closed it again */
    bool is_settled;    /* true some time after the last opening or closing: these programs keep it open */
};

/* Starts the process, if `spec` is a port of this machine; to be called once, before rights are given up and
 * before the first thread. Without `confined` it keeps its user's rights. Returns false with an error on
 * failure; then other programs are detected only by the settings they change. */
bool rivals_start(const char *spec, bool confined, struct error *err);

/* Ends it. No effect if there is none. */
void rivals_stop(void);

/* ---- for the files of this room only ---- */

/* Readable in poll() when there is a message, or the process has ended; -1: there is no process. */
int rivals_fd(void);

/* Reports that the port was opened, or is being closed: rivals are reported for an open port only. */
void rivals_watch(bool is_open);

/* Reads the next message; returns false if there is none. If the process has ended it is reaped, and
 * rivals_fd() is -1 from then on. */
bool rivals_take(struct rivals_news *news);

/* True if the process ended without rivals_stop(): other programs are no longer detected. */
bool rivals_are_lost(void);

/* The body of the process, with `socket` to the daemon. */
_Noreturn void rival_watch(int socket, const char *path, pid_t daemon, bool confined);

#endif
