/* link.h - the host board's UART: one byte stream over a pty, a socket or a pair of descriptors.
 *
 * There is one, and it belongs to one thread. */
#ifndef PORT_HOST_LINK_H
#define PORT_HOST_LINK_H

#include "uart.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MPT_LINK_ADDRESS = 128 }; /* bytes of an address and its NUL */

/* Each opens the link and writes the address for the host: a path, `tcp:127.0.0.1:PORT`, `unix:PATH`. Returns
 * false, with errno set and nothing open, when that is not possible. */
bool mpt_link_open_pty(char *address);
bool mpt_link_open_tcp(uint16_t port, char *address); /* 0 picks a free one */
bool mpt_link_open_unix(const char *path, char *address);

/* Has the open pty behave as a UART that begins at `baud` (uart.h). */
void mpt_link_be_uart(uint32_t baud, const struct mpt_uart_faults *faults);

/* Reads and writes the given descriptors, which it makes non-blocking and takes over. */
void mpt_link_open_fds(int read_fd, int write_fd);

/* Like mpt_port_write() and mpt_port_read() (mpt_port.h). */
size_t mpt_link_write(const uint8_t *bytes, size_t n);
size_t mpt_link_read(uint8_t *bytes, size_t n);

/* Sleeps until bytes arrive, there is room to write again, or the time is over; accepts a client. */
void mpt_link_wait(int limit_ms);

/* Returns true when the input of mpt_link_open_fds has ended. */
bool mpt_link_is_over(void);

/* Waits until the host has read what was written, at most `limit_ms`, then closes the link. */
void mpt_link_finish(int limit_ms);

/* In a forked process: closes its copies of the descriptors. */
void mpt_link_abandon(void);

#endif
