/* link.h - the host board's UART: one byte stream over a pty, a socket or a descriptor. */
#ifndef PORT_HOST_LINK_H
#define PORT_HOST_LINK_H

#include <stddef.h>
#include <stdint.h>

/* Each opens the link and prints, as the first line of standard output, where a host finds it: a path,
 * `tcp:127.0.0.1:PORT`, `unix:PATH`. On failure they print a sentence and exit with status 1. */
void link_open_pty(void);
void link_open_tcp(uint16_t port); /* 0 picks a free one */
void link_open_unix(const char *path);

/* Reads and writes the given descriptors; prints nothing. */
void link_open_fds(int read_fd, int write_fd);

/* Sleeps until bytes come, there is room to write again, or the time is over. At the end of the input of
 * link_open_fds the program ends. */
void link_wait(int limit_ms);

#endif
