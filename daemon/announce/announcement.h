/* announcement.h - announces this daemon and its board to Prometheus, for as long
 * as we serve. */
#ifndef ANNOUNCE_ANNOUNCEMENT_H
#define ANNOUNCE_ANNOUNCEMENT_H

#include "base/error.h"

struct board;

/* All of it is borrowed until announcement_end(). */
struct announcement_settings {
    const char *path; /* of the file that several of us share (targets_file.h) */
    const char
        *address; /* "http://HOST:PORT/"; that of all interfaces is reported as the name of this machine */
    const char *name; /* what the board is called; NULL: as its port */
    const char *port;
    const char *version; /* of miniprofd */
    struct board *board; /* whose newest snapshot says which firmware runs */
};

/* Writes our entry, on a thread of its own, which writes it again when another firmware runs; what cannot be
 * written then is logged, once, and tried again. Waits until the entry is there; up to 10 s where another
 * program keeps the file locked. NULL with a sentence when it cannot be written; NULL and *is_over when
 * `stop`, a descriptor, became readable before. */
struct announcement *announcement_begin(const struct announcement_settings *settings, int stop, bool *is_over,
                                        struct error *err);

/* Has the entry taken out, and returns at once. NULL is fine, here and below. */
void announcement_leave(struct announcement *announcement);

/* Waits until the entry is taken out, then frees. A second after announcement_leave() that is given up where
 * another program keeps the file locked, after two where its file system does not answer; which is logged. */
void announcement_end(struct announcement *announcement);

#endif
