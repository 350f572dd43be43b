/* windows.h - the windows that a target kept, and what it is to keep them for, as JSON. */
#ifndef EXPORT_WINDOWS_H
#define EXPORT_WINDOWS_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes "trigger" into the object that is open: null when none is set. */
void trigger_write(const struct snapshot_trigger *trigger, struct json *json);

/* Writes "windows" into the object that is open. */
void windows_write(const struct snapshot_windows *windows, struct json *json);

#endif
