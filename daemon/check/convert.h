/* convert.h - makes figures of profiles that were measured differently comparable, where the user allows it. */
#ifndef CHECK_CONVERT_H
#define CHECK_CONVERT_H

#include "check/gate.h"

/* Makes the figures of all n profiles comparable with the first, as far as the gate allows it: converts times of
 * another clock to as many cycles of the first's, and takes corrected times for another mode or agent. False with an
 * error if a profile has no corrected times. */
bool convert(const struct gate *gate, struct measured *const *sides, size_t n, struct error *err);

#endif
