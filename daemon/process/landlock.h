/* landlock.h - drops a process's rights to files, TCP ports, signals and sockets (Landlock). Each version of
 * Landlock restricts more kinds. */
#ifndef PROCESS_LANDLOCK_H
#define PROCESS_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Rights to files, with the kernel's numbers. Headers of older systems lack the newer ones. */
enum {
    LANDLOCK_FILE_EXECUTE = 1 << 0,
    LANDLOCK_FILE_WRITE = 1 << 1,
    LANDLOCK_FILE_READ = 1 << 2,
    LANDLOCK_FILE_REMOVE_DIR = 1 << 4,
    LANDLOCK_FILE_REMOVE = 1 << 5,
    LANDLOCK_FILE_MAKE_CHAR = 1 << 6,
    LANDLOCK_FILE_MAKE_DIR = 1 << 7,
    LANDLOCK_FILE_MAKE_REG = 1 << 8,
    LANDLOCK_FILE_MAKE_SOCK = 1 << 9,
    LANDLOCK_FILE_MAKE_FIFO = 1 << 10,
    LANDLOCK_FILE_MAKE_BLOCK = 1 << 11,
    LANDLOCK_FILE_MAKE_SYM = 1 << 12,
    LANDLOCK_FILE_TRUNCATE = 1 << 14,     /* since version 3 */
    LANDLOCK_FILE_DEVICE_IOCTL = 1 << 15, /* since version 5 */
};

enum { LANDLOCK_TCP_BIND = 1 << 0, LANDLOCK_TCP_CONNECT = 1 << 1 }; /* since version 4 */

/* A set of rights to drop, and exceptions. */
struct landlock {
    int fd;              /* of the kernel's set; -1: none */
    int version;         /* of the kernel's Landlock */
    uint64_t files, tcp; /* rights to drop */
    bool has_failed;     /* an exception failed: the set will not be applied */
};

/* Begins a set: `files` and `tcp` are the rights to drop, except for the exceptions. The set also drops signals to
 * and abstract sockets of outside processes (since version 6). False without Landlock. */
bool landlock_init(struct landlock *landlock, uint64_t files, uint64_t tcp);

/* Excepts `rights` to the file at `path`, or everything below a folder. A path that does not exist, or is not in a
 * file system, needs no exception. */
void landlock_allow(struct landlock *landlock, const char *path, uint64_t rights);

/* Excepts one TCP port. With LANDLOCK_TCP_BIND, 0 is any that the system chooses. */
void landlock_allow_tcp(struct landlock *landlock, uint64_t rights, uint16_t port);

/* Applies the set to this thread and all that it starts, and frees the set. Returns the version, 0 when it was not
 * applied. no_new_privs must be set before. */
int landlock_begin(struct landlock *landlock);

#endif
