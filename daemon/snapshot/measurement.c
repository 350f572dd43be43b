/* measurement.c - names of the ends of a measurement. */
#include "snapshot/measurement.h"

#include <stddef.h>

const char *snapshot_end_name(enum snapshot_end end)
{
    static const char *const names[] = {NULL, "work", "duration", "signal", "source", "gone"};
    return names[end];
}
