/* control_lines.h - DTR and RTS of a serial port, which reset boards and show senders that a reader listens;
 * for the files of this room only.
 *
 * Linux switches both on at each opening. A terminal without modem lines, such as a pty, is left alone. */
#ifndef SOURCE_CONTROL_LINES_H
#define SOURCE_CONTROL_LINES_H

#include "source/source.h"

/* Duration of a pulse that switches a line off: circuits with a capacitor, as on Arduino boards, need some
 * milliseconds. */
enum { LINES_PULSE_MS = 100 };

/* Sets the lines of an open port as the user wants them, both at once, since reset circuits such as that of
 * the ESP32 depend on their difference. A line to be pulsed is switched off. Returns true if there is one:
 * lines_end_pulse() is due in LINES_PULSE_MS. */
bool lines_set(int fd, const struct source_settings *settings);

/* Switches the pulsed lines on. */
void lines_end_pulse(int fd, const struct source_settings *settings);

/* Switches off the lines that the user wants off: each opening of the port, by any program, switches them
 * on. */
void lines_keep_off(int fd, const struct source_settings *settings);

/* The present state. */
struct source_lines lines_read(int fd);

#endif
