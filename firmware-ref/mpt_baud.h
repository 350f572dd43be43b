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

/* The rate now; 0: the line has none. */
uint32_t mpt_baud(void);

void mpt_baud_init(void);

/* The host wants that rate. False: the port cannot do that. */
bool mpt_baud_wish(uint32_t baud);

/* A command came, which the present rate carried. */
void mpt_baud_heard(void);

/* What is to be sent was handed to the port. True: the line is to change, and waits until the port has sent
 * it. */
bool mpt_baud_waits(void);

/* No command waits to be read. True: nothing may be sent of one's own, since it is unknown yet whether the
 * host is at this rate. A rate at which no command came for too long is left for that of the start. */
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
