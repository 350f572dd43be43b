/* child.h - sets up a process that the daemon forked: releases what belongs to the daemon. */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include <sys/types.h>

/* Where child_begin() puts the descriptor that it keeps. */
enum { CHILD_SOCKET = 3 };

/* To be called in the child. It ends when the process `daemon` does, not by a signal from a terminal, and
 * a reader that waits for the end of the daemon's output does not wait for it. Standard streams lead to /dev/null
 * (standard error stays where a sanitizer reports on it), and it may gain no rights. `name` is what process
 * lists call it, 15 bytes at most. */
void child_begin(pid_t daemon, const char *name);

/* Closes all descriptors but the standard ones and `socket`. Returns the new number of the socket: CHILD_SOCKET,
 * or `socket` if it cannot be moved. */
int child_keep_only(int socket);

#endif
