/* trigger.h - the trigger for kept windows, and its state: a part of a snapshot. */
#ifndef SNAPSHOT_TRIGGER_H
#define SNAPSHOT_TRIGGER_H

#include "base/limit.h"

/* State of a trigger. */
enum snapshot_trigger_state {
    TRIGGER_OFF,      /* none is set */
    TRIGGER_WATCHING, /* the target sends every call, or nothing yet: long ones are listed as they come */
    TRIGGER_ARMING,   /* the device is being reported */
    TRIGGER_ARMED,    /* the device keeps a window at each call that is too long */
    TRIGGER_FAILED,   /* it does not, for a reason that `detail` has */
};

struct snapshot_trigger {
    enum snapshot_trigger_state state;
    struct limit limit;
    uint64_t address; /* of the function, without a Thumb bit */
    char detail[512]; /* a sentence, or "" */
};

#endif
