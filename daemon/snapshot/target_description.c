/* target_description.c - looks up modes and settings in a target's description. */
#include "snapshot/target_description.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const mode_names[] = {
    [MODE_AUTO] = "auto", [MODE_CALLS] = "calls", [MODE_STREAM] = "stream", [MODE_TREE] = "tree"};
static_assert(sizeof mode_names / sizeof *mode_names == MODES, "each mode has a name");

const char *snapshot_mode_name(enum mode mode)
{
    return mode_names[mode];
}

bool snapshot_mode_find(const char *name, enum mode *mode)
{
    for (int i = 0; i < MODES; i++) {
        if (strcmp(name, mode_names[i]) != 0)
            continue;
        *mode = (enum mode)i;
        return true;
    }
    return false;
}

const struct snapshot_setting *snapshot_setting_find(const struct snapshot_description *description,
                                                     const char *name)
{
    for (uint32_t i = 0; i < description->setting_count; i++)
        if (!strcmp(description->settings[i].name, name))
            return &description->settings[i];
    return NULL;
}

/* Appends as many names as fit. */
static void list_settings(const struct snapshot_description *description, struct error *err)
{
    for (uint32_t i = 0; i < description->setting_count; i++) {
        size_t n = strlen(err->text), more = strlen(description->settings[i].name) + sizeof ", ...";
        if (n + more + 1 > sizeof err->text) {
            snprintf(err->text + n, sizeof err->text - n, "...");
            return;
        }
        snprintf(err->text + n, sizeof err->text - n, "%s%s", description->settings[i].name,
                 i + 1 < description->setting_count ? ", " : ".");
    }
}

const struct snapshot_setting *snapshot_setting_choose(const struct snapshot_description *description,
                                                       const char *name, uint64_t value, struct error *err)
{
    const struct snapshot_setting *setting = snapshot_setting_find(description, name);
    if (!description->is_known) {
        error_set(err, "The device does not say what can be set there.");
    } else if (description->setting_count == 0) {
        error_set(err, "The device has nothing that can be set.");
    } else if (!setting) {
        error_set(err, "The device has no setting '%.80s'; it has: ", name);
        list_settings(description, err);
    } else if (value < setting->least || value > setting->most) {
        error_set(err, "%s is from %" PRIu32 " to %" PRIu32 "%s%s, not %" PRIu64 ".", setting->name,
                  setting->least, setting->most, *setting->unit ? " " : "", setting->unit, value);
        return NULL;
    }
    return setting;
}
