/* elfwatch.h - detects that one of the ELF files was written again, and when all are complete. */
#ifndef SESSION_ELFWATCH_H
#define SESSION_ELFWATCH_H

#include "base/elf_list.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Identifies a file's content, as far as the file system shows. */
struct elfwatch_mark {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
};

/* A mark of each file of the list. */
struct elfwatch_marks {
    struct elfwatch_mark all[ELF_LIST_MOST];
};

struct elfwatch {
    const struct elf_list *elfs;  /* borrowed */
    struct elfwatch_marks loaded; /* of the files in use */
    struct elfwatch_marks seen;   /* at the last check */
    struct elfwatch_marks failed; /* of files that could not be loaded; retried only when one changes */
};

/* Marks the present files as in use. To be called before loading, so that a change during loading is
 * detected. */
void elfwatch_init(struct elfwatch *watch, const struct elf_list *elfs);

/* Checks the files. True if a file differs from the one in use, and none has changed since the last check, so
 * they are worth loading. Missing files are waited for. */
bool elfwatch_look(struct elfwatch *watch);

/* Reports the result of loading after elfwatch_look() returned true: they are in use, or loading failed. */
void elfwatch_loaded(struct elfwatch *watch);
void elfwatch_failed(struct elfwatch *watch);

#endif
