/* measured_settings.h - which settings the target had while the profile was measured. */
#ifndef PROFILE_MEASURED_SETTINGS_H
#define PROFILE_MEASURED_SETTINGS_H

#include "snapshot/snapshot.h"

/* Zero is the start state. */
struct measured_settings {
    bool is_known; /* the target sent its settings */
    uint32_t count;
    struct measured_setting {
        struct snapshot_measured_setting told; /* name, unit, default; `value` is the present one */
        bool is_present;                       /* the last description has it */
        bool was_used;                         /* something was measured with `used` */
        bool differs;                          /* ... and something with another value */
        uint32_t used;                         /* the last that is not the default, else the default */
    } rows[EVENT_SETTINGS_MAX];
};

/* Takes in what the target says of itself. `has_measured`: something was added up by now, with the settings
 * that the description before had. */
void measured_settings_hear(struct measured_settings *settings, const struct event_description *description,
                            bool has_measured);

/* What was measured is forgotten, and the present settings hold for what comes. */
void measured_settings_clear(struct measured_settings *settings);

/* Tells the settings that are not at their defaults, or whose defaults are not known. An armed trigger counts
 * where the target counts a tree; a window that it sent for one proves it. */
void measured_settings_tell(const struct measured_settings *settings, enum mode mode,
                            const struct snapshot_windows *windows, struct snapshot_measured_with *out);

#endif
