/* mode.h - which way of telling its calls a device is asked for. */
#ifndef DEVICE_MODE_H
#define DEVICE_MODE_H

#include "event.h"

/* Chooses among what the device offers and the dialect reads, both as versions: bit v for version v. `wanted`
 * where that is in both, else the stream, else calls. A device that offers nothing has not reported, and is
 * taken to have calls. MODE_AUTO wants the stream, or the tree where the line is known to carry too little
 * for that. Never answers MODE_AUTO. */
enum mode mode_choose(enum mode wanted, bool is_overloaded, uint32_t offered, uint32_t read);

/* True when a device that was started in `mode` does something else than was wanted; MODE_AUTO: nobody
 * started it, or whichever suits was wanted. */
bool mode_falls_back(enum mode mode, enum mode wanted);

#endif
