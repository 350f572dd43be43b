/* device_run.h - what a device says of its start and of its run of profiling (protocol/SPEC.md section 11),
 * and what that proves; for device.c. */
#ifndef DEVICE_DEVICE_RUN_H
#define DEVICE_DEVICE_RUN_H

#include "device/device.h"

/* Takes in what a DESCRIPTION says of it. True: the device has restarted, and is watched anew from there. */
bool device_run_hear(struct device *device, const struct event_run *run, uint64_t now_ms);

/* Then: when that proves that the run which we began goes on, though nobody saw it for a while, or although
 * its START was never answered, the device counts as started. */
void device_run_resume(struct device *device, const struct event_run *run);

/* A command is sent. A START that may have been obeyed already lets a run go on that it began. */
void device_run_send(const struct device *device, struct mp_command *command);

#endif
