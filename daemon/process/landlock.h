/* landlock.h - rights to files, TCP ports, signals and sockets that a process gives up (Landlock), as far as
 * the kernel has it: each version of Landlock holds back more kinds. */
#ifndef PROCESS_LANDLOCK_H
#define PROCESS_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Rights to files, with the numbers of the kernel. Headers of older systems lack the newer ones. */
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

/* A set of rights that are given up, and of exceptions from it. */
struct landlock {
    int fd;              /* of the kernel's set; -1: there is none */
    int version;         /* of the kernel's Landlock */
    uint64_t files, tcp; /* rights that are given up */
    bool has_failed;     /* an exception could not be made: the set is not put in force */
};

/* Begins a set: `files` and `tcp` are the rights to give up, wherever they are not excepted. Signals and
 * abstract sockets of processes outside are given up with it (since version 6). False without Landlock. */
bool landlock_init(struct landlock *landlock, uint64_t files, uint64_t tcp);

/* Excepts `rights` to the file at `path`, or to all below the folder there. A path that does not exist, or
 * leads to no file of a file system, needs no exception. */
void landlock_allow(struct landlock *landlock, const char *path, uint64_t rights);

/* Excepts one TCP port; 0 in the case of LANDLOCK_TCP_BIND is any that the system picks. */
void landlock_allow_tcp(struct landlock *landlock, uint64_t rights, uint16_t port);

/* Puts the set in force for this thread and all that it starts, and ends it. Returns the version; 0 when
 * nothing is in force. The process may not gain rights any more (no_new_privs). */
int landlock_begin(struct landlock *landlock);

#endif
