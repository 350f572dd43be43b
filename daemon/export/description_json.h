/* description_json.h - what a target says of itself, as JSON. */
#ifndef EXPORT_DESCRIPTION_JSON_H
#define EXPORT_DESCRIPTION_JSON_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes "measurement" into the object that is open: the work that was to end it, and what did; null where
 * the session only shows a page. */
void measurement_write(const struct snapshot_measurement *measurement, struct json *json);

/* Writes "measured_with" into the object that is open: the settings that are not at their defaults, or whose
 * defaults are not known; null where the target sent no settings. */
void measured_with_write(const struct snapshot_measured_with *with, struct json *json);

/* Writes "mode", "mode_wanted" and "description" into the object that is open. */
void description_write(const struct snapshot_target *target, struct json *json);

#endif
