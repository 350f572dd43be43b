/* convert.h - makes figures of profiles that were measured differently comparable, where the user allows it. */
#ifndef CHECK_CONVERT_H
#define CHECK_CONVERT_H

#include "check/gate.h"

/* Has all n profiles give their figures as the first was measured: at another clock, as cycles of that clock;
 * in another mode, or by another agent, without what measuring added. False with a sentence where a profile
 * does not have the latter. What is not allowed stays as it is. */
bool convert(const struct gate *gate, struct measured *const *sides, size_t n, struct error *err);

#endif
