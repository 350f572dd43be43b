/* limits_json.h - the limits that people set, and how they were kept, as JSON. */
#ifndef EXPORT_LIMITS_JSON_H
#define EXPORT_LIMITS_JSON_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes "limits", an array with a row for each, into the object that is open. */
void limits_write(const struct snapshot_bounds *bounds, struct json *json);

/* Writes "keeping" into the object that is open: null where the time around breaches is not kept. */
void keeping_write(const struct snapshot_keeping *keeping, struct json *json);

#endif
