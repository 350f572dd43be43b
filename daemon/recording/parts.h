/* parts.h - the names of a recording in parts: FILE is the newest, FILE.1 the one before, and so on, each
 * with its own pace file (source/pace.h). */
#ifndef RECORDING_PARTS_H
#define RECORDING_PARTS_H

#include "base/error.h"

enum { PARTS_MOST = 8 };

/* True if `path` can be kept in parts: it is a file and not a link, and none of the other names is taken.
 * Otherwise false with an error. */
bool parts_are_free(const char *path, struct error *err);

/* Renames each of the `n` parts to the next name, so that the newest name is free; first deletes the oldest
 * if there are PARTS_MOST. Replaces no file: returns false with an error if another program has created one
 * of the names, or renaming fails. If the process is killed meanwhile, each part has one of its two names,
 * and no pace file is beside another part's bytes. */
bool parts_shift(const char *path, unsigned n, struct error *err);

/* Waits until the bytes written to `fd` are on the disk. Skips descriptors without a disk, such as a pipe.
 * Returns false with errno if the disk failed. */
bool parts_sync_fd(int fd);

/* The same for the older parts, which have the first `n` names except FILE, and for their folder. */
bool parts_sync_older(const char *path, unsigned n);

#endif
