/* measured_settings.c - the target's settings while the profile was measured.
 *
 * The target reports its settings after each change, so everything counted before that was measured with the
 * settings of the last report. */
#include "profile/measured_settings.h"

#include "base/text.h"

#include <string.h>

/* Records that data so far was measured with the row's present value. */
static void use_setting(struct measured_setting *row)
{
    uint32_t value = row->told.value;
    bool is_usual = row->told.has_usual && value == row->told.usual;
    if (!row->is_present)
        return;
    row->differs |= row->was_used && row->used != value;
    if (!row->was_used || !is_usual)
        row->used = value;
    row->was_used = true;
}

static struct measured_setting *find_setting(struct measured_settings *settings, const char *name)
{
    for (uint32_t i = 0; i < settings->count; i++)
        if (!strcmp(settings->rows[i].told.name, name))
            return &settings->rows[i];
    return NULL;
}

/* Returns the row for a new setting: one that only another target had, or the next free one; NULL when there
 * is no room. */
static struct measured_setting *make_setting(struct measured_settings *settings)
{
    for (uint32_t i = 0; i < settings->count; i++)
        if (!settings->rows[i].is_present && !settings->rows[i].was_used)
            return &settings->rows[i];
    return settings->count < EVENT_SETTINGS_MAX ? &settings->rows[settings->count++] : NULL;
}

static void hear_one(struct measured_settings *settings, const struct event_setting *said)
{
    struct snapshot_measured_setting told = {.value = said->value};
    text_clean_utf8(told.name, sizeof told.name, said->name, said->name_n);
    text_clean_utf8(told.unit, sizeof told.unit, said->unit, said->unit_n);
    if (!*told.name || !snapshot_setting_matters(told.name))
        return;
    told.has_usual = snapshot_setting_usual(told.name, said->least, said->most, &told.usual);
    struct measured_setting *row = find_setting(settings, told.name);
    if (!row && (row = make_setting(settings)))
        *row = (struct measured_setting){0};
    if (!row || row->is_present)
        return; /* of two with the same name, the first counts */
    row->told = told;
    row->is_present = true;
}

void measured_settings_hear(struct measured_settings *settings, const struct event_description *description,
                            bool has_measured)
{
    for (uint32_t i = 0; i < settings->count; i++) {
        if (has_measured)
            use_setting(&settings->rows[i]);
        settings->rows[i].is_present = false;
    }
    settings->is_known |= description->setting_count > 0;
    for (size_t i = 0; i < description->setting_count; i++)
        hear_one(settings, &description->settings[i]);
}

void measured_settings_clear(struct measured_settings *settings)
{
    for (uint32_t i = 0; i < settings->count; i++)
        settings->rows[i].was_used = settings->rows[i].differs = false;
}

static bool has_trigger_window(const struct snapshot_windows *windows)
{
    for (uint32_t i = 0; windows->rows && i < windows->count; i++)
        if (windows->rows[i].is_excerpt && windows->rows[i].reason == WINDOW_SLOW)
            return true;
    return false;
}

static void add_trigger(struct snapshot_measured_with *out)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (!strcmp(out->rows[i].name, "window"))
            return;
    out->is_known = true;
    out->rows[out->count++] =
        (struct snapshot_measured_setting){.name = "window", .value = 1, .has_usual = true};
}

void measured_settings_tell(const struct measured_settings *settings, enum mode mode,
                            const struct snapshot_windows *windows, struct snapshot_measured_with *out)
{
    *out = (struct snapshot_measured_with){.is_known = settings->is_known};
    for (uint32_t i = 0; i < settings->count; i++) {
        struct measured_setting row = settings->rows[i];
        bool counts = strcmp(row.told.name, "window") != 0 || mode == MODE_TREE || mode == MODE_AUTO;
        use_setting(&row);
        if (!counts || !row.was_used || (row.told.has_usual && row.used == row.told.usual))
            continue;
        row.told.value = row.used;
        row.told.is_throughout = !row.differs;
        out->rows[out->count++] = row.told;
    }
    if (has_trigger_window(windows))
        add_trigger(out);
}
