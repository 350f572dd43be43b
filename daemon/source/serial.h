/* serial.h - a serial port through libserialport; for the files of this room only. */
#ifndef SOURCE_SERIAL_H
#define SOURCE_SERIAL_H

#include "base/error.h"

#include <stdint.h>

struct serial;

enum serial_result {
    SERIAL_OPENED,
    SERIAL_REFUSED, /* exists, but is none of libserialport's: a pty, or a driver without modem lines */
    SERIAL_FAILED,  /* *code is the errno */
};

/* Opens /dev/NAME (or a symbolic link to it) non-blocking, raw, 8N1, without flow control, at `baud` or what
 * the driver makes of it. */
enum serial_result serial_open(const char *path, uint32_t baud, struct serial **out, int *code);

/* Closes it and drops what was not sent yet, so that a stuck port cannot delay the end. */
void serial_close(struct serial *serial);

int serial_fd(const struct serial *serial);

/* What arrived at the old speed stays there to be read. */
void serial_set_baud(struct serial *serial, uint32_t baud);

/* The speed as the driver reads it back; 0 when it does not tell. */
uint32_t serial_baud(const struct serial *serial);

#endif
