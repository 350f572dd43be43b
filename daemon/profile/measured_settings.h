/* measured_settings.h - the target's settings while the profile was measured. */
#ifndef PROFILE_MEASURED_SETTINGS_H
#define PROFILE_MEASURED_SETTINGS_H

#include "snapshot/snapshot.h"

/* All zero is the initial state. */
struct measured_settings {
    bool is_known; /* the target sent its settings */
    uint32_t count;
    struct measured_setting {
        struct snapshot_measured_setting told; /* name, unit, default; `value` is the present value */
        bool is_present;                       /* the last description has it */
        bool was_used;                         /* something was measured with `used` */
        bool differs;                          /* ... and something with another value */
        uint32_t used;                         /* the last value that is not the default, else the default */
    } rows[EVENT_SETTINGS_MAX];
};

/* Reads the target's description. `has_measured`: something was counted so far, with the settings of the
 * last description. */
void measured_settings_hear(struct measured_settings *settings, const struct event_description *description,
                            bool has_measured);

/* Call this when sums were cleared: only the present settings are kept. */
void measured_settings_clear(struct measured_settings *settings);

/* Lists the settings that are not at their defaults, or whose defaults are unknown. An armed trigger only
 * counts when the target counts a tree; a window that it sent also proves it. */
void measured_settings_tell(const struct measured_settings *settings, enum mode mode,
                            const struct snapshot_windows *windows, struct snapshot_measured_with *out);

#endif
