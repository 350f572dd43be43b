/* convert.h - makes figures of profiles that were measured differently comparable, where the user allows it. */
#ifndef CHECK_CONVERT_H
#define CHECK_CONVERT_H

#include "check/gate.h"

/* Converts the figures of all n profiles, as far as the gate allows it: cycles instead of times for another clock,
 * corrected times for another mode or agent. False with an error if a profile has no corrected times. */
bool convert(const struct gate *gate, struct measured *const *sides, size_t n, struct error *err);

#endif
