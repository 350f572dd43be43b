/* device_plan.h - what is to be said to the device next, by the phase that the conversation is in; for
 * device.c. */
#ifndef DEVICE_DEVICE_PLAN_H
#define DEVICE_DEVICE_PLAN_H

#include "device/device.h"

struct device_plan {
    enum transaction_owner owner; /* NOBODYS: there is nothing to say */
    struct mp_command command;
    uint64_t due_ms; /* UINT64_MAX: never */
};

/* What comes next, judged at `now_ms`: the user's command, or the phase's. */
struct device_plan device_plan(const struct device *device, uint64_t now_ms);

/* Whether the device is to be started in a mode of which it has not said whether it has it. To start it in
 * another one first would be another profile. */
bool device_plan_is_in_doubt(const struct device *device);

/* Whether that answer to a command says what came of DESCRIBE: in mode auto METADATA is asked for behind one
 * that stayed unanswered. A device that answers that has passed over DESCRIBE; one that does not is slow, and
 * would be started in a mode that it is not wanted in. */
bool device_plan_describes(const struct device *device, uint8_t code, enum device_answer answer);

/* Takes in such an answer. True: no description is to be expected any more. */
bool device_plan_describe_is_over(struct device *device, uint8_t code, enum device_answer answer,
                                  uint64_t now_ms);

/* Which mode START is to ask for, and that START. */
enum mode device_plan_mode(const struct device *device);
struct mp_command device_plan_start(const struct device *device);

/* How long DESCRIBE is to be waited for, in ms, when METADATA came at `now_ms`: a fast device that does not
 * know DESCRIBE does not need the longest wait. A description that comes later is heard all the same. */
uint32_t device_plan_describe_wait(const struct device *device, uint64_t now_ms);

#endif
