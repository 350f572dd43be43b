/* nameless.h - warns of functions that no ELF had a name for. */
#ifndef CHECK_NAMELESS_H
#define CHECK_NAMELESS_H

#include "check/measured.h"

/* Logs a warning if the profile has an ELF but also functions at addresses that it lacks, with their number and share
 * of self time. They are compared by address, which changes with each build. */
void nameless_tell(const struct measured *measured);

#endif
