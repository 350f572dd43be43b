/* measurement.c - what the ends of a measurement are called. */
#include "snapshot/measurement.h"

#include <stddef.h>

const char *snapshot_end_name(enum snapshot_end end)
{
    static const char *const names[] = {NULL, "work", "duration", "signal", "source", "gone"};
    return names[end];
}
