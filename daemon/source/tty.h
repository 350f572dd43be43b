/* tty.h - a pty or another terminal with plain termios; for the files of this room only. */
#ifndef SOURCE_TTY_H
#define SOURCE_TTY_H

#include <stdint.h>

/* Opens the terminal at `path` non-blocking, raw, 8N1, without flow control, at `baud` or what the driver
 * makes of it. Returns the descriptor, or -1 with *code the errno: ENOTTY when it is no terminal. */
int tty_open(const char *path, uint32_t baud, int *code);

/* Closes it and drops what was not sent yet, so that a stuck terminal cannot delay the end. */
void tty_close(int fd);

/* Leaves the modem lines as they are when an open terminal is closed: where they went off, the next opening
 * would switch them on again, which resets some boards. */
void tty_keep_lines(int fd);

/* What arrived at the old speed stays there to be read. */
void tty_set_baud(int fd, uint32_t baud);

/* The speed as the driver reads it back; 0 when it does not tell. */
uint32_t tty_baud(int fd);

#endif
