/* description_json.h - writes the description of a target as JSON. */
#ifndef EXPORT_DESCRIPTION_JSON_H
#define EXPORT_DESCRIPTION_JSON_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes "measurement" into the open object: the work that was to end it, and what ended it. Null where the
 * session only shows a page. */
void measurement_write(const struct snapshot_measurement *measurement, struct json *json);

/* Writes "measured_with" into the open object: the settings that differ from their defaults, or whose defaults
 * are unknown. Null where the target sent no settings. */
void measured_with_write(const struct snapshot_measured_with *with, struct json *json);

/* Writes "mode", "mode_wanted" and "description" into the open object. */
void description_write(const struct snapshot_target *target, struct json *json);

#endif
