/* nameless.h - functions of a profile that no ELF had a name for. */
#ifndef CHECK_NAMELESS_H
#define CHECK_NAMELESS_H

#include "check/measured.h"

/* Warns, in the log, that the profile was named by an ELF and has functions at addresses that it does not
 * have: how many, with which share of own time. They are compared by address, which moves with each build. */
void nameless_tell(const struct measured *measured);

#endif
