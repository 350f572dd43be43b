/* device_private.h - the interface between device.c and its parts: the next command, conclusions about runs,
 * and the end of the conversation. Only for these files. */
#ifndef DEVICE_DEVICE_PRIVATE_H
#define DEVICE_DEVICE_PRIVATE_H

#include "device/device.h"

/* ---- device_plan.c: the next command for the device, by the phase of the conversation ---- */

struct device_plan {
    enum transaction_owner owner; /* NOBODYS: there is no command */
    struct mp_command command;
    uint64_t due_ms; /* UINT64_MAX: never */
};

/* Returns the next command at `now_ms`: the user's, or the phase's. */
struct device_plan device_plan(const struct device *device, uint64_t now_ms);

/* True when the device has to be started in a mode that it has not reported. Starting it in another mode
 * first would begin another profile. */
bool device_plan_is_in_doubt(const struct device *device);

/* True when that answer decides about DESCRIBE. In mode auto, METADATA is requested after an unanswered
 * DESCRIBE. A device that answers that has ignored DESCRIBE; one that does not is slow, and would be started
 * in the wrong mode. */
bool device_plan_describes(const struct device *device, uint8_t code, enum device_answer answer);

/* Handles such an answer. Returns true if no description is expected any more. */
bool device_plan_describe_is_over(struct device *device, uint8_t code, enum device_answer answer,
                                  uint64_t now_ms);

/* Return the mode that START has to request, and that START. */
enum mode device_plan_mode(const struct device *device);
struct mp_command device_plan_start(const struct device *device);

/* Returns how long to wait for DESCRIBE, in ms, when METADATA arrived at `now_ms`: a fast device without
 * DESCRIBE does not need the longest timeout. A later description is still read. */
uint32_t device_plan_describe_wait(const struct device *device, uint64_t now_ms);

/* ---- device_run.c: what a device reports about its start and its run (protocol/SPEC.md section 11) ---- */

/* Reads the run in a DESCRIPTION. Returns true if the device has restarted; the watch begins again. */
bool device_run_hear(struct device *device, const struct event_run *run, uint64_t now_ms);

/* Call this afterwards. If our run continues, although the device was silent or its START was never answered,
 * the device counts as started. */
void device_run_resume(struct device *device, const struct event_run *run);

/* Called before a command is sent. A START that may already have been executed is made to resume its run. */
void device_run_send(const struct device *device, struct mp_command *command);

/* ---- device_end.c: the device is stopped, and reports when everything was sent ---- */

/* Returns the STOP for the end. A device that describes itself is asked for a closing packet
 * (protocol/SPEC.md section 2); others may not know a STOP with payload. */
struct mp_command device_end_command(const struct device *device);

/* The STOP for the end was answered, or given up. */
void device_end_answered(struct device *device, enum device_answer answer);

/* Reads a CLOSED event. It ends the drain when nothing is missing; otherwise everything is requested again, a
 * limited number of times. */
void device_end_hear(struct device *device, const struct event *event, uint64_t now_ms);

/* The device is at rest: settings and rate are restored. */
void device_leave(struct device *device);

#endif
