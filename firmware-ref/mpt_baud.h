/* mpt_baud.h - the rate of the line, which the host may change (protocol/SPEC.md section 14); not for
 * applications. Nothing of it is compiled for a port without MPT_PORT_BAUD (mpt_port.h). */
#ifndef MPT_BAUD_H
#define MPT_BAUD_H

#include "mpt_config.h"
#include "mpt_port.h"

#include <stdbool.h>

#if defined MPT_PORT_BAUD && MPT_SET_CONFIG
#define MPT_BAUD 1
#else
#define MPT_BAUD 0
#endif

#if MPT_BAUD

/* Returns the rate now, 0 when the line has none. */
uint32_t mpt_baud(void);

void mpt_baud_init(void);

/* Changes to the rate that the host wants, after the answer. Returns false when the port cannot have it. */
bool mpt_baud_wish(uint32_t baud);

/* A command arrived at the present rate. */
void mpt_baud_heard(void);

/* All that is to be sent was handed to the port. Returns true while a change of rate waits until the port has
 * sent it. */
bool mpt_baud_waits(void);

/* No command waits to be read. Leaves a rate at which no command arrived for too long, for that of the start.
 * Returns true when only answers may be sent, since it is unknown yet whether the host uses this rate. */
bool mpt_baud_is_quiet(void);

#else

static inline void mpt_baud_init(void) {}

static inline void mpt_baud_heard(void) {}

static inline bool mpt_baud_waits(void)
{
    return false;
}

static inline bool mpt_baud_is_quiet(void)
{
    return false;
}

#endif
#endif
