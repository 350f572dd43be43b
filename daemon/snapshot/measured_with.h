/* measured_with.h - the target's settings that differed from the defaults while a profile was measured: a
 * part of a snapshot.
 *
 * A setting such as the shortest reported call, or an armed trigger, changes what the figures mean. So a
 * comparison of two profiles needs the settings of both. */
#ifndef SNAPSHOT_MEASURED_WITH_H
#define SNAPSHOT_MEASURED_WITH_H

#include "snapshot/target_description.h"

/* One setting. Text is UTF-8. */
struct snapshot_measured_setting {
    char name[sizeof((struct snapshot_setting *)0)->name], unit[sizeof((struct snapshot_setting *)0)->unit];
    uint32_t value;     /* when it changed during the profile: the last that is not the default */
    bool has_usual;     /* the default is known */
    uint32_t usual;     /* the default */
    bool is_throughout; /* the value was set during all of the profile, not only a part */
};

/* All zero: the target did not report settings. */
struct snapshot_measured_with {
    bool is_known;
    uint32_t count;
    /* plus one for a trigger that only windows prove */
    struct snapshot_measured_setting rows[EVENT_SETTINGS_MAX + 1];
};

/* Looks up the default of a setting by its name (protocol/SPEC.md section 11): the value with which nothing
 * is left out and nothing extra is measured. Returns false when it is unknown. */
bool snapshot_setting_usual(const char *name, uint32_t least, uint32_t most, uint32_t *usual);

/* True when figures may depend on the setting of that name. The baud rate does not matter, nor what a trigger
 * waits for: `window` shows whether one is armed. */
bool snapshot_setting_matters(const char *name);

/* Writes "shortest 50 us (default 0)" for a row. */
void snapshot_measured_words(const struct snapshot_measured_setting *row, char *out, size_t size);

#endif
