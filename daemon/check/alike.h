/* alike.h - checks whether two profiles were measured in the same way, so that their figures can be compared. */
#ifndef CHECK_ALIKE_H
#define CHECK_ALIKE_H

#include "check/measured.h"

/* True when, as far as known, both sides have the same mode, clock and settings. An armed trigger makes calls
 * longer, so it matters if `figure` is a time. False with an error that names the difference and calls the older
 * side `what`. */
bool alike(const struct measured *before, const char *what, const struct measured *after,
           enum measured_figure figure, struct error *err);

/* Checks only the settings. */
bool alike_settings(const struct measured *before, const char *what, const struct measured *after,
                    enum measured_figure figure, struct error *err);

/* True when, as far as known, the same version of the agent measured both: its hooks take equally long. */
bool alike_agents(const struct measured *one, const struct measured *other);

#endif
