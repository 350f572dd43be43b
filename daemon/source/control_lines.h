/* control_lines.h - DTR and RTS of a serial port, which reset boards and tell senders that somebody listens;
 * for the files of this room only.
 *
 * Linux switches both on at each opening. A terminal without modem lines, such as a pty, is left alone. */
#ifndef SOURCE_CONTROL_LINES_H
#define SOURCE_CONTROL_LINES_H

#include "source/source.h"

/* How long a pulse switches a line off: circuits with a capacitor, as on Arduino boards, need some
 * milliseconds. */
enum { LINES_PULSE_MS = 100 };

/* Sets the lines of an open port as the user wants them, both at once: reset circuits such as that of the
 * ESP32 look at their difference. A line to be pulsed goes off. True when there is one: lines_end_pulse() is
 * due in LINES_PULSE_MS. */
bool lines_set(int fd, const struct source_settings *settings);

/* Switches the pulsed lines on. */
void lines_end_pulse(int fd, const struct source_settings *settings);

/* Switches those off that the user wants off: each opening of the port, by whomever, switches them on. */
void lines_keep_off(int fd, const struct source_settings *settings);

/* How they are now. */
struct source_lines lines_read(int fd);

#endif
