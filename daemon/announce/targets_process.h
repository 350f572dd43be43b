/* targets_process.h - checks whether the daemon that wrote an entry still runs. */
#ifndef ANNOUNCE_TARGETS_PROCESS_H
#define ANNOUNCE_TARGETS_PROCESS_H

#include <stdbool.h>

enum { TARGETS_PROCESS_SIZE = 160 };

/* Writes a unique identification of this process: hashes of machine and boot, PID namespace, PID, and start time. ""
 * where the system does not provide these. */
void targets_process_self(char text[static TARGETS_PROCESS_SIZE]);

/* True when the process that wrote `text` has certainly ended: it ran on this machine before the last boot, or in this
 * namespace and is gone. False when that is unknown. */
bool targets_process_has_ended(const char *text);

#endif
