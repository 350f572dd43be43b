/* measured_with.h - the settings of the target that a profile was measured with, where they are not the
 * defaults: a part of a snapshot.
 *
 * A setting such as the shortest call that is reported, or a trigger that is armed, changes what the figures
 * of a profile mean, so a comparison of two profiles needs them. */
#ifndef SNAPSHOT_MEASURED_WITH_H
#define SNAPSHOT_MEASURED_WITH_H

#include "snapshot/target_description.h"

/* One setting. Text is UTF-8. */
struct snapshot_measured_setting {
    char name[sizeof((struct snapshot_setting *)0)->name], unit[sizeof((struct snapshot_setting *)0)->unit];
    uint32_t value;     /* of several in the course of the profile, the last that is not the default */
    bool has_usual;     /* the default is known */
    uint32_t usual;     /* ... and is this */
    bool is_throughout; /* the value held as long as the profile was measured; false: for a part of it */
};

/* All zero: the target sent no settings. */
struct snapshot_measured_with {
    bool is_known;
    uint32_t count;
    struct snapshot_measured_setting
        rows[EVENT_SETTINGS_MAX + 1]; /* one more: a trigger that windows prove */
};

/* Finds the default of a setting, by the meaning of its name (protocol/SPEC.md section 11): the value at
 * which nothing is left out and nothing is measured besides. False where it is not known. */
bool snapshot_setting_usual(const char *name, uint32_t least, uint32_t most, uint32_t *usual);

/* True when figures may depend on the setting of that name: not on the rate of the line, and not on what a
 * trigger waits for, since `window` says whether one is armed. */
bool snapshot_setting_matters(const char *name);

/* Writes "shortest 50 us (default 0)" for a row. */
void snapshot_measured_words(const struct snapshot_measured_setting *row, char *out, size_t size);

#endif
