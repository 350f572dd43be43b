/* parts.h - the names of a recording in parts: FILE is the newest, FILE.1 the one before, and so on, each
 * with a pace file of its own (source/pace.h). */
#ifndef RECORDING_PARTS_H
#define RECORDING_PARTS_H

#include "base/error.h"

enum { PARTS_MOST = 8 };

/* True when `path` can be kept in parts: it is a file and no link, and none of the other names is taken.
 * False with a sentence otherwise. */
bool parts_are_free(const char *path, struct error *err);

/* Gives each of the `n` parts the next name, so that that of the newest is free, and deletes the oldest
 * before if there are PARTS_MOST. It replaces nothing: false with a sentence when somebody else has put a
 * file into the way, or a name cannot be changed. A process that is killed meanwhile leaves each part under
 * one of the two names, and no pace file beside another's bytes. */
bool parts_shift(const char *path, unsigned n, struct error *err);

/* Waits until what was written to `fd` is on the disk. What has none, as a pipe, is passed over. False with
 * errno when the disk failed. */
bool parts_sync_fd(int fd);

/* Does that for the older parts, those of the first `n` names but FILE itself, and for the folder that tells
 * of them all. */
bool parts_sync_older(const char *path, unsigned n);

#endif
