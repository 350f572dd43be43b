/* mode.h - chooses how a device should report its calls. */
#ifndef DEVICE_MODE_H
#define DEVICE_MODE_H

#include "event.h"

/* Chooses among what the device offers and the dialect reads, both as bits: bit v for version v. Returns
 * `wanted` if both have it, otherwise the stream, otherwise calls. A device that offers nothing has not
 * described itself, and is assumed to have calls. MODE_AUTO wants the stream, or the tree if the line is
 * known to be too slow for that. Never returns MODE_AUTO. */
enum mode mode_choose(enum mode wanted, bool is_overloaded, uint32_t offered, uint32_t read);

/* True when a device that was started in `mode` differs from the wanted mode. MODE_AUTO means that it was not
 * started, or that any mode was wanted. */
bool mode_falls_back(enum mode mode, enum mode wanted);

#endif
