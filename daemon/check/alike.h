/* alike.h - whether two profiles were measured in the same way, so that their figures can be compared. */
#ifndef CHECK_ALIKE_H
#define CHECK_ALIKE_H

#include "check/measured.h"

/* True when both sides were measured in one mode, at one clock, and with the same settings, as far as they
 * say. An armed trigger makes calls take longer and matters where `figure` is a time. False with a sentence
 * that names the difference; `what` is the older side's name in it. */
bool alike(const struct measured *before, const char *what, const struct measured *after,
           enum measured_figure figure, struct error *err);

/* Does so for the settings alone. */
bool alike_settings(const struct measured *before, const char *what, const struct measured *after,
                    enum measured_figure figure, struct error *err);

/* True when one version of the agent measured both, as far as they say: its hooks take equally long. */
bool alike_agents(const struct measured *one, const struct measured *other);

#endif
