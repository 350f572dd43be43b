/* measured_with.c - defaults and meaning of the target's settings, by name. */
#include "snapshot/measured_with.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool snapshot_setting_usual(const char *name, uint32_t least, uint32_t most, uint32_t *usual)
{
    if (!strcmp(name, "shortest"))
        *usual = least;
    else if (!strcmp(name, "depth"))
        *usual = most;
    else if (!strcmp(name, "window"))
        *usual = 0;
    else
        return false;
    return true;
}

bool snapshot_setting_matters(const char *name)
{
    static const char *const others[] = {"baud", "window-function", "window-ticks", "window-after"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i]))
            return false;
    return true;
}

void snapshot_measured_words(const struct snapshot_measured_setting *row, char *out, size_t size)
{
    const char *space = *row->unit ? " " : "";
    int n = snprintf(out, size, "%s %" PRIu32 "%s%s", row->name, row->value, space, row->unit);
    if (row->has_usual && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, " (default %" PRIu32 ")", row->usual);
}
