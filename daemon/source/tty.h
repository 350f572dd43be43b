/* tty.h - a pty or another terminal with plain termios. Only for files of this room. */
#ifndef SOURCE_TTY_H
#define SOURCE_TTY_H

#include <stdint.h>

/* Opens the terminal at `path` non-blocking, raw, 8N1, without flow control, at `baud` or the driver's
 * nearest rate. Returns the descriptor, or -1 with the errno in *code: ENOTTY if it is no terminal. */
int tty_open(const char *path, uint32_t baud, int *code);

/* Closes it and drops unsent bytes, so that a stuck terminal cannot delay the end. */
void tty_close(int fd);

/* Keeps the modem lines when an open terminal is closed: if they were switched off, the next opening would
 * switch them on again, which resets some boards. */
void tty_keep_lines(int fd);

/* Bytes received at the old speed can still be read. */
void tty_set_baud(int fd, uint32_t baud);

/* The speed that the driver reports; 0 if it does not. */
uint32_t tty_baud(int fd);

#endif
