/* history.h - reads the older profiles: one file, or a folder of them. */
#ifndef CHECK_HISTORY_H
#define CHECK_HISTORY_H

#include "check/measured.h"

enum { HISTORY_MOST = 32 };

/* The older profiles, the last captured first. */
struct history {
    struct measured profiles[HISTORY_MOST + 1]; /* and one that the caller adds */
    size_t n;
};

/* Reads the profile at `path`, or all *.json files if that is a folder; of more than HISTORY_MOST files, those written
 * last. `history` must be all zero. Any outcome but OK comes with an error. The caller ends with history_fini() in any case. */
enum measured_outcome history_read(struct history *history, const char *path, struct error *err);
void history_fini(struct history *history);

#endif
