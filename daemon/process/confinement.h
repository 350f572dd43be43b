/* confinement.h - the rights that the daemon gives up before it reads untrusted bytes, so that a mistake in
 * code that reads them is worth little to an attacker.
 *
 * It may read what its user may, but no devices; write below the folders that were named; open its own port;
 * accept connections, and make those that its source needs. All else is refused: by a list of allowed system
 * calls (seccomp), and by Landlock, as far as the kernel has them. */
#ifndef PROCESS_CONFINEMENT_H
#define PROCESS_CONFINEMENT_H

#include "process/rights.h"

#include <stdint.h>

/* Gives up rights to files, devices, ports and other processes. Processes that are made afterwards are
 * confined as well, and may be signalled. To be called first, before any other thread runs. */
void confinement_restrict_rights(const struct confinement *confinement);

/* Gives up an administrator's rights but those in `kept`, a bit for each capability by its number (CAP_...,
 * below 32). Those that the process does not have it does not get. */
void confinement_keep_capabilities(uint32_t kept);

/* Leaves a list of system calls only; no process can be started any more. */
void confinement_restrict_calls(const struct confinement *confinement);

/* What is in force, as part of a sentence: "seccomp, Landlock 7". Constant once both were called. */
const char *confinement_in_force(void);

#endif
