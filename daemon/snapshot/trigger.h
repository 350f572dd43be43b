/* trigger.h - the trigger for kept windows, and its state: a part of a snapshot. */
#ifndef SNAPSHOT_TRIGGER_H
#define SNAPSHOT_TRIGGER_H

#include "base/limit.h"

/* State of a trigger. */
enum snapshot_trigger_state {
    TRIGGER_OFF,      /* none is set */
    TRIGGER_WATCHING, /* the target reports every call, or nothing yet: slow calls are listed */
    TRIGGER_ARMING,   /* the trigger is being sent to the device */
    TRIGGER_ARMED,    /* the device keeps a window at each call that is too long */
    TRIGGER_FAILED,   /* the device does not do so; `detail` has the reason */
};

struct snapshot_trigger {
    enum snapshot_trigger_state state;
    struct limit limit;
    uint64_t address; /* of the function, without a Thumb bit */
    char detail[512]; /* a sentence, or "" */
};

#endif
