/* child.h - what a process beside the daemon, made by fork(), does first: it lets go of what is
 * the daemon's. */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include <sys/types.h>

/* Where child_begin() puts the descriptor that it keeps. */
enum { CHILD_SOCKET = 3 };

/* To be called in the child. It ends when the process `daemon` does, not by a signal from a terminal, and
 * whoever waits for the daemon's output to end does not wait for it. Standard streams lead to /dev/null
 * (standard error stays where a sanitizer reports on it), and it may gain no rights. `name` is what process
 * lists call it, 15 bytes at most. */
void child_begin(pid_t daemon, const char *name);

/* Closes all descriptors but the standard ones and `socket`. Returns where that is now: CHILD_SOCKET, or
 * `socket` if it cannot be moved. */
int child_keep_only(int socket);

#endif
