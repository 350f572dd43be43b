/* announcement.h - registers this daemon and its board with Prometheus while it serves. */
#ifndef ANNOUNCE_ANNOUNCEMENT_H
#define ANNOUNCE_ANNOUNCEMENT_H

#include "base/error.h"

struct board;

/* All pointers are borrowed until announcement_end(). */
struct announcement_settings {
    const char *path;    /* of the file that several daemons share (targets_file.h) */
    const char *address; /* "http://HOST:PORT/"; the address of all interfaces becomes this machine's name */
    const char *name;    /* name of the board; NULL: its port */
    const char *port;
    const char *version; /* of miniprofd */
    struct board *board; /* its newest snapshot has the firmware's build id */
};

/* Starts a thread that writes the entry, and writes it again when another firmware runs. A later failure is logged
 * once and retried. Waits until the entry is written, up to 10 s while another program keeps the file locked. NULL
 * with an error when it cannot be written. NULL and *is_over when the descriptor `stop` became readable first. */
struct announcement *announcement_begin(const struct announcement_settings *settings, int stop, bool *is_over,
                                        struct error *err);

/* Has the entry removed, without waiting. NULL is allowed, here and below. */
void announcement_leave(struct announcement *announcement);

/* Waits until the entry is removed, then frees. Gives up, and logs that, one second after announcement_leave() if
 * another program keeps the file locked, or after two if its file system does not respond. */
void announcement_end(struct announcement *announcement);

#endif
