/* mpt_hook_ticks.h - what the hooks cost; not for applications. */
#ifndef MPT_HOOK_TICKS_H
#define MPT_HOOK_TICKS_H

#include "mpt_port.h"

/* Ticks that the entry and the exit of a call take together, in sixteenths; 1 is that or less, 65535 that or
 * more. They are run with a function of their own, with interrupts locked out for sixteen pairs at a time,
 * and nothing of it stays. Call it where the tree is not on. */
MPT_NOT_INSTRUMENTED uint16_t mpt_hook_ticks(void);

#endif
