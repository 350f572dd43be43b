/* windows.h - writes a target's kept windows and its trigger as JSON. */
#ifndef EXPORT_WINDOWS_H
#define EXPORT_WINDOWS_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes "trigger" into the open object: null when none is set. */
void trigger_write(const struct snapshot_trigger *trigger, struct json *json);

/* Writes "windows" into the open object. */
void windows_write(const struct snapshot_windows *windows, struct json *json);

#endif
