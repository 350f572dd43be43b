/* targets_file.h - the list of addresses that Prometheus collects from (file_sd), a JSON file that several of
 * us share. */
#ifndef ANNOUNCE_TARGETS_FILE_H
#define ANNOUNCE_TARGETS_FILE_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdint.h>

/* One of the list. All texts are valid UTF-8. */
struct targets_entry {
    const char *address;  /* HOST:PORT; no two entries have the same */
    const char *board;    /* labels from here on */
    const char *version;  /* of miniprofd */
    const char *build_id; /* of the firmware; "": not known, and no label */
    const char *process;  /* who writes it (targets_process.h); "": not known, and no label */
};

/* Until when the lock is waited for, in milliseconds of the monotonic clock; another thread may change it. */
typedef _Atomic uint64_t targets_deadline;

/* Puts the entry into the file at `path`, in the place of one with its address; there need be no file yet.
 * With `removes_dead`, entries of daemons that have ended without removing theirs are removed.
 *
 * A link is followed. A file keeps its mode, owner and group. It is replaced by a new one where that has the
 * same, so that readers find the list as it was or as it is then; else it is written over, padded with blanks
 * to its length before. One that may not be written to is replaced where mode and group stay the same, which
 * makes it ours: so users share a list whose folder belongs to their group. Of two who change it at once the
 * second waits for the first: PATH.lock is locked meanwhile, and is left.
 *
 * False, with the file as it was, when it cannot be written, is no such list, or is locked until the
 * deadline. */
bool targets_file_put(const char *path, const struct targets_entry *entry, bool removes_dead,
                      const targets_deadline *deadline, struct error *err);

/* Takes the entry with that address out. A file that is not there, or has no such entry, is left as it is. */
bool targets_file_remove(const char *path, const char *address, const targets_deadline *deadline,
                         struct error *err);

#endif
