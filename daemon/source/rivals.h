/* rivals.h - other programs that have the daemon's port open: a terminal program that reads along, or one
 * that changes the rate.
 *
 * A process beside the daemon looks for them (rival_watch.c), since the daemon gives up the right to look
 * into other processes. It is reported when the port is open, learns from the kernel when anybody else opens
 * or closes it, and looks then only. */
#ifndef SOURCE_RIVALS_H
#define SOURCE_RIVALS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A program. */
struct rival {
    pid_t process; /* 0: none */
    char name[16]; /* as the kernel has it, printable ASCII */
};

/* What was found, from the process to the daemon. */
struct rivals_news {
    struct rival rival; /* one that has the port open now */
    uint32_t count;     /* how many do, as far as this user may see */
    bool was_opened;    /* somebody opened it since the last news, and may have closed it again */
    bool is_settled;    /* a moment has passed since the port was opened or closed: who has it now stays */
};

/* Makes the process, if `spec` is a port of this machine; to be called once, before rights are given up and
 * before the first thread. Without `confined` it keeps the rights of its user. False with a sentence; then
 * other programs are noticed by what they change only. */
bool rivals_start(const char *spec, bool confined, struct error *err);

/* Ends it. Nothing happens when there is none. */
void rivals_stop(void);

/* ---- for the files of this room only ---- */

/* Readable in poll() when there are news, or when the process has ended; -1: there is no such process. */
int rivals_fd(void);

/* Says that the port was opened, or is being closed: rivals are reported for an open port only. */
void rivals_watch(bool is_open);

/* Takes the next news; false when there are none. When the process has ended it is reaped, and rivals_fd() is
 * -1 from then on. */
bool rivals_take(struct rivals_news *news);

/* True when the process has ended though nobody called rivals_stop(): other programs are no longer looked
 * for. */
bool rivals_are_lost(void);

/* What the process does, with `socket` to the daemon. */
_Noreturn void rival_watch(int socket, const char *path, pid_t daemon, bool confined);

#endif
