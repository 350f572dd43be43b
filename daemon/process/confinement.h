/* confinement.h - drops the daemon's rights before it reads untrusted bytes, so that a bug in a decoder is of
 * little use to an attacker.
 *
 * The daemon may read its user's files but no devices, write below folders that the user named, open its port,
 * accept connections, and make those that its source needs. Everything else is refused, by a list of allowed
 * system calls (seccomp) and by Landlock, if the kernel has them. */
#ifndef PROCESS_CONFINEMENT_H
#define PROCESS_CONFINEMENT_H

#include "process/rights.h"

#include <stdint.h>

/* Drops rights to files, devices, ports and other processes. Processes made afterwards are confined, too, and may
 * be signalled. Call this first, before any other thread runs. */
void confinement_restrict_rights(const struct confinement *confinement);

/* Drops all capabilities except those in `kept`, a bit for each number (CAP_..., below 32). The process gets none
 * that it did not have. */
void confinement_keep_capabilities(uint32_t kept);

/* Restricts the system calls to a list. No process can be started any more. */
void confinement_restrict_calls(const struct confinement *confinement);

/* Returns the mechanisms applied, for a sentence: "seccomp, Landlock 7". Constant once both were called. */
const char *confinement_in_force(void);

#endif
