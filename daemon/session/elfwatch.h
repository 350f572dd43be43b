/* elfwatch.h - notices that a file was written anew, and when it is whole again. */
#ifndef SESSION_ELFWATCH_H
#define SESSION_ELFWATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Which bytes these are, as far as the file system tells. */
struct elfwatch_mark {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
};

struct elfwatch {
    const char *path;            /* borrowed */
    struct elfwatch_mark loaded; /* of what is in use */
    struct elfwatch_mark seen;   /* at the last look */
    struct elfwatch_mark failed; /* of what could not be loaded; looked at again only when it changes */
};

/* Takes the file as it is now for what is in use. To be called before loading, so that a change during that
 * is seen. */
void elfwatch_init(struct elfwatch *watch, const char *path);

/* Takes a look. True: the file is another than the one in use, and has not changed since the last look, so it
 * is worth loading. Missing files are waited for. */
bool elfwatch_look(struct elfwatch *watch);

/* Tells what became of the file that elfwatch_look() answered true for: it is in use, or could not be loaded.
 */
void elfwatch_loaded(struct elfwatch *watch);
void elfwatch_failed(struct elfwatch *watch);

#endif
