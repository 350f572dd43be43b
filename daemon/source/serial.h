/* serial.h - a serial port through libserialport. Only for files of this room. */
#ifndef SOURCE_SERIAL_H
#define SOURCE_SERIAL_H

#include "base/error.h"

#include <stdint.h>

struct serial;

enum serial_result {
    SERIAL_OPENED,
    SERIAL_REFUSED, /* exists, but not for libserialport: a pty, or a driver without modem lines */
    SERIAL_FAILED,  /* *code is the errno */
};

/* Opens /dev/NAME (or a symbolic link to it) non-blocking, raw, 8N1, without flow control, at `baud` or the
 * driver's nearest rate. */
enum serial_result serial_open(const char *path, uint32_t baud, struct serial **out, int *code);

/* Closes it and drops unsent bytes, so that a stuck port cannot delay the end. */
void serial_close(struct serial *serial);

int serial_fd(const struct serial *serial);

/* Bytes received at the old speed can still be read. */
void serial_set_baud(struct serial *serial, uint32_t baud);

/* The speed that the driver reports; 0 if it does not. */
uint32_t serial_baud(const struct serial *serial);

#endif
