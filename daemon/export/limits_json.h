/* limits_json.h - writes the users' limits and their breaches as JSON. */
#ifndef EXPORT_LIMITS_JSON_H
#define EXPORT_LIMITS_JSON_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes "limits", an array with a row for each, into the open object. */
void limits_write(const struct snapshot_bounds *bounds, struct json *json);

/* Writes "keeping" into the open object: null where the time around breaches is not recorded. */
void keeping_write(const struct snapshot_keeping *keeping, struct json *json);

#endif
