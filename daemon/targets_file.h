/* targets_file.h - the list of addresses that Prometheus collects from (file_sd), a JSON file that several of
 * us share. */
#ifndef TARGETS_FILE_H
#define TARGETS_FILE_H

#include "base/error.h"

/* One of the list. All texts are valid UTF-8. */
struct targets_entry {
    const char *address;  /* HOST:PORT; no two entries have the same */
    const char *board;    /* labels from here on */
    const char *version;  /* of miniprofd */
    const char *build_id; /* of the firmware; "": not known, and no label */
};

/* Puts the entry into the file at `path`, in the place of one with its address; there need be no file yet.
 * Whoever reads the file meanwhile finds it as it was or as it is then, and of two who change it at once the
 * second waits for the first: PATH.lock is locked meanwhile, and is left. False, with the file as it was,
 * when it cannot be written, is no such list, or is locked for 10 s. */
bool targets_file_put(const char *path, const struct targets_entry *entry, struct error *err);

/* Takes the entry with that address out. A file that is not there, or has no such entry, is left as it is. */
bool targets_file_remove(const char *path, const char *address, struct error *err);

#endif
