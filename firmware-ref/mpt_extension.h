/* mpt_extension.h - other profilers' records beside the agent's own, in EXTENSION packets (protocol/SPEC.md
 * section 4). Built in with MPT_EXTENSIONS (mpt_config.h). */
#ifndef MPT_EXTENSION_H
#define MPT_EXTENSION_H

#include "mpt_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves whole records, oldest first, to `to`, `room` bytes at the most, and returns how many bytes these are;
 * 0: none waits, or none is as short. mpt_poll() calls it, in its context. A record of more than
 * MPT_EXTENSION_BYTES - 1 bytes never goes, and holds up those behind it. */
typedef size_t (*mpt_extension_take)(uint8_t *to, size_t room);

/* From now on mpt_poll() takes from `take` while profiling is on, and sends what it got as bytes of `dialect`
 * (enum mp_extension). Any number of times before or after mpt_init(), from the context that calls
 * mpt_poll(); false: MPT_EXTENSIONS are there already. */
bool mpt_extension(uint8_t dialect, mpt_extension_take take);

/* For mpt_poll(). The one sends what is left of a packet of theirs; false: the port is full. The other has a
 * packet ready to be sent, of theirs or, by `fill`, of the agent's own, in turn while both have one; false:
 * neither. */
#if MPT_EXTENSIONS
bool mpt_extension_send(void);
bool mpt_extension_in_turn(bool (*fill)(void));
#else
static inline bool mpt_extension_send(void)
{
    return true;
}

static inline bool mpt_extension_in_turn(bool (*fill)(void))
{
    return fill();
}
#endif

#ifdef __cplusplus
}
#endif

#endif
