/* targets_file.h - edits the list of addresses from which Prometheus collects (file_sd), a JSON file that several
 * daemons share. */
#ifndef ANNOUNCE_TARGETS_FILE_H
#define ANNOUNCE_TARGETS_FILE_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdint.h>

/* An entry of the list. All texts are valid UTF-8. */
struct targets_entry {
    const char *address;  /* HOST:PORT, unique in the list */
    const char *board;    /* labels from here on */
    const char *version;  /* of miniprofd */
    const char *build_id; /* of the firmware; "": unknown, no label */
    const char *process;  /* process that wrote it (targets_process.h); "": unknown, no label */
};

/* Until when to wait for the lock, in milliseconds of the monotonic clock. Another thread may change it. */
typedef _Atomic uint64_t targets_deadline;

/* Adds the entry to the file at `path`, replacing one with the same address. Creates a missing file. With
 * `removes_dead`, also removes entries of daemons that ended without removing theirs.
 *
 * Follows links. The file keeps its mode, owner and group. If a new file has the same, it replaces the old one, so that
 * readers see either the old or the new list. Otherwise the old one is overwritten, padded with blanks to its old
 * length. A file without write permission is replaced if mode and group stay the same, which changes its owner: so
 * users can share a list in a folder of their group. PATH.lock is locked during a change and is not deleted; another
 * daemon waits for it.
 *
 * False, with the file unchanged, when it cannot be written, is not such a list, or is locked until the deadline. */
bool targets_file_put(const char *path, const struct targets_entry *entry, bool removes_dead,
                      const targets_deadline *deadline, struct error *err);

/* Removes the entry with that address. Does nothing when the file or the entry is missing. */
bool targets_file_remove(const char *path, const char *address, const targets_deadline *deadline,
                         struct error *err);

#endif
