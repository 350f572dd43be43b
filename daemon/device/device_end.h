/* device_end.h - how the conversation with the device ends: it is told to stop, and says when it has told
 * everything; for device.c. */
#ifndef DEVICE_DEVICE_END_H
#define DEVICE_DEVICE_END_H

#include "device/device.h"

/* The STOP of the end. A device that describes itself is asked for a closing packet (protocol/SPEC.md section
 * 2); others may know no STOP with a payload. */
struct mp_command device_end_command(const struct device *device);

/* The STOP of the end was answered, or given up. */
void device_end_answered(struct device *device, enum device_answer answer);

/* Takes in a CLOSED event. It ends the drain when nothing is missing; else all is asked for once more, as
 * often as that is sane. */
void device_end_hear(struct device *device, const struct event *event, uint64_t now_ms);

/* The device is at rest: from here on it is left as it was found. */
void device_leave(struct device *device);

#endif
