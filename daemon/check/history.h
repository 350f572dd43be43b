/* history.h - the older profiles: one file, or a folder of them. */
#ifndef CHECK_HISTORY_H
#define CHECK_HISTORY_H

#include "check/measured.h"

enum { HISTORY_MOST = 32 };

/* The profiles of before: the newest first, by when they were captured. */
struct history {
    struct measured profiles[HISTORY_MOST + 1]; /* and one more, the caller's */
    size_t n;
};

/* Reads the profile at `path`, or where that is a folder those of its files whose names end in .json; of more
 * than HISTORY_MOST those written last. Anything but OK comes with a sentence. The caller ends with
 * history_fini(), whatever the outcome. */
enum measured_outcome history_read(struct history *history, const char *path, struct error *err);
void history_fini(struct history *history);

#endif
