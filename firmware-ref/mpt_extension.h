/* mpt_extension.h - sends other profilers' records beside the agent's own, in EXTENSION packets
 * (protocol/SPEC.md section 4). Built in with MPT_EXTENSIONS (mpt_config.h). */
#ifndef MPT_EXTENSION_H
#define MPT_EXTENSION_H

#include "mpt_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves whole records, oldest first, to `to`, at most `room` bytes, and returns how many bytes these are: 0
 * when none waits, or the next is longer. mpt_poll() calls it, in its context. A record of more than
 * MPT_EXTENSION_BYTES - 1 bytes is never sent, and blocks those behind it. */
typedef size_t (*mpt_extension_take)(uint8_t *to, size_t room);

/* From now on mpt_poll() takes from `take` while profiling is on, and sends the result as bytes of `dialect`
 * (enum mp_extension). Each call adds a source, before or after mpt_init(), in the context of mpt_poll().
 * Returns false when there are MPT_EXTENSIONS already. */
bool mpt_extension(uint8_t dialect, mpt_extension_take take);

/* For mpt_poll(). The first function sends the rest of an extension's packet and returns false when the port
 * is full. The second prepares a packet of an extension or, by `fill`, of the agent itself, alternately while
 * both have one; it returns false when neither has. */
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
