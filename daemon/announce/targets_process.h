/* targets_process.h - tells whether the daemon that wrote an entry still runs. */
#ifndef ANNOUNCE_TARGETS_PROCESS_H
#define ANNOUNCE_TARGETS_PROCESS_H

#include <stdbool.h>

enum { TARGETS_PROCESS_SIZE = 160 };

/* Writes what identifies this process among all that ever ran here: machine and boot (as hashes), namespace
 * of process numbers, number, and when it started. "" where the system does not say. */
void targets_process_self(char text[static TARGETS_PROCESS_SIZE]);

/* True when the process that wrote `text` has certainly ended: it ran on this machine, before it was booted
 * last, or in this namespace and is gone. False whenever that cannot be known. */
bool targets_process_has_ended(const char *text);

#endif
