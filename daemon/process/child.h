/* child.h - sets up a process that the daemon forked: releases what belongs to the daemon. */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include <sys/types.h>

/* Where child_begin() puts the descriptor that it keeps. */
enum { CHILD_SOCKET = 3 };

/* Call this in the child. It then ends with the process `daemon`, but not by a signal from a terminal. Standard
 * streams become /dev/null, so that readers of the daemon's output do not wait for the child (with a sanitizer,
 * standard error stays). The child cannot gain privileges. `name` is for process lists, 15 bytes at most. */
void child_begin(pid_t daemon, const char *name);

/* Closes all descriptors but the standard ones and `socket`. Returns the new number of the socket: CHILD_SOCKET,
 * or `socket` if it cannot be moved. */
int child_keep_only(int socket);

#endif
