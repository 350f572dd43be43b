/* device_private.h - what device.c and its parts ask of each other: what is said next, what a run proves, and
 * how the conversation ends. For these files only. */
#ifndef DEVICE_DEVICE_PRIVATE_H
#define DEVICE_DEVICE_PRIVATE_H

#include "device/device.h"

/* ---- device_plan.c: what is to be said to the device next, by the phase that the conversation is in ---- */

struct device_plan {
    enum transaction_owner owner; /* NOBODYS: there is nothing to say */
    struct mp_command command;
    uint64_t due_ms; /* UINT64_MAX: never */
};

/* What comes next, judged at `now_ms`: the user's command, or the phase's. */
struct device_plan device_plan(const struct device *device, uint64_t now_ms);

/* True when the device is to be started in a mode of which it has not said whether it has it. To start it in
 * another one first would be another profile. */
bool device_plan_is_in_doubt(const struct device *device);

/* True when that answer to a command says what came of DESCRIBE: in mode auto METADATA is asked for behind
 * one that stayed unanswered. A device that answers that has passed over DESCRIBE; one that does not is slow,
 * and would be started in a mode that it is not wanted in. */
bool device_plan_describes(const struct device *device, uint8_t code, enum device_answer answer);

/* Takes in such an answer. True: no description is to be expected any more. */
bool device_plan_describe_is_over(struct device *device, uint8_t code, enum device_answer answer,
                                  uint64_t now_ms);

/* Which mode START is to ask for, and that START. */
enum mode device_plan_mode(const struct device *device);
struct mp_command device_plan_start(const struct device *device);

/* How long DESCRIBE is to be waited for, in ms, when METADATA came at `now_ms`: a fast device that does not
 * know DESCRIBE does not need the longest wait. A description that comes later is read all the same. */
uint32_t device_plan_describe_wait(const struct device *device, uint64_t now_ms);

/* ---- device_run.c: what a device says of its start and its run (protocol/SPEC.md section 11) ---- */

/* Takes in what a DESCRIPTION says of it. True: the device has restarted, and is watched again from there. */
bool device_run_hear(struct device *device, const struct event_run *run, uint64_t now_ms);

/* Then: when that proves that the run which we began goes on, though nobody saw it for a while, or although
 * its START was never answered, the device counts as started. */
void device_run_resume(struct device *device, const struct event_run *run);

/* A command is sent. A START that may have been obeyed already lets a run go on that it began. */
void device_run_send(const struct device *device, struct mp_command *command);

/* ---- device_end.c: it is stopped, and says when it has reported everything ---- */

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
