/* mpt_hook_ticks.h - measures what the hooks cost; not for applications. */
#ifndef MPT_HOOK_TICKS_H
#define MPT_HOOK_TICKS_H

#include "mpt_config.h"
#include "mpt_port.h"
#include "protocol/description.h"

enum { MPT_HOOK_FORMS = MPT_VERSION_3 ? MP_HOOK_FORMS : 1 };

/* Measures the ticks that entry and exit of a call take together in each form of the hooks (enum mp_hooks),
 * in sixteenths; 1 means that or less, 65535 that or more. The hooks run with a function of their own, with
 * interrupts locked out for sixteen pairs at a time, and leave nothing behind. Call it while the tree is off:
 * it uses the tree's memory. */
MPT_NOT_INSTRUMENTED void mpt_hook_ticks(uint16_t sixteenths[MPT_HOOK_FORMS]);

#endif
