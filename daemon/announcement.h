/* announcement.h - tells Prometheus that there is somebody to collect from, and of which board, for as long
 * as we serve. */
#ifndef ANNOUNCEMENT_H
#define ANNOUNCEMENT_H

#include "base/error.h"

struct board;

/* All of it is borrowed until announcement_end(). */
struct announcement_settings {
    const char *path;    /* of the file that several of us share (targets_file.h) */
    const char *address; /* "http://HOST:PORT/"; that of all interfaces is told as the name of this machine */
    const char *name;    /* what the board is called; NULL: as its port */
    const char *port;
    const char *version; /* of miniprofd */
    struct board *board; /* whose newest snapshot says which firmware runs */
};

/* Writes our entry. NULL with a sentence when that is not possible. */
struct announcement *announcement_begin(const struct announcement_settings *settings, struct error *err);

/* Writes the entry anew when another firmware runs than it says. Returns after how many milliseconds it wants
 * to be asked again; -1, never, for NULL. What cannot be written is told in the log, once, and tried again.
 */
int announcement_refresh(struct announcement *announcement);

/* Takes our entry out, and frees. */
void announcement_end(struct announcement *announcement);

#endif
