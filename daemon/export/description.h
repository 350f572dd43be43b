/* description.h - what a target says of itself, as JSON. */
#ifndef EXPORT_DESCRIPTION_H
#define EXPORT_DESCRIPTION_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes "mode", "mode_wanted" and "description" into the object that is open. */
void description_write(const struct snapshot_target *target, struct json *json);

#endif
