/* description.c - what a target says of itself when it is asked. */
#include "snapshot/description.h"

#include <assert.h>
#include <string.h>

const char *snapshot_mode_name(enum mode mode)
{
    static const char *const names[] = {
        [MODE_AUTO] = "auto", [MODE_CALLS] = "calls", [MODE_STREAM] = "stream", [MODE_TREE] = "tree"};
    static_assert(sizeof names / sizeof *names == MODES, "each mode has a name");
    return names[mode];
}

const struct snapshot_setting *snapshot_setting_find(const struct snapshot_description *description,
                                                     const char *name)
{
    for (uint32_t i = 0; i < description->setting_count; i++)
        if (!strcmp(description->settings[i].name, name))
            return &description->settings[i];
    return NULL;
}
