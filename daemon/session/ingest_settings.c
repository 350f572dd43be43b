/* ingest_settings.c - tells of settings that the device was found with and are not the defaults.
 *
 * Nothing but an armed trigger is reset without an order: DESCRIPTION does not tell the values that the
 * firmware was built with, so `shortest` or `depth` may be there on purpose. */
#include "session/ingest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void tell_window(const struct ingest *ingest)
{
    bool is_taken_back = ingest->device.control && !ingest->device.visits;
    if (is_taken_back && ingest->trigger.told.state == TRIGGER_OFF)
        log_write(LOG_INFO, "The device kept windows for a trigger of an earlier session, which makes short "
                            "calls take longer; that is taken back.");
    else if (!is_taken_back)
        log_write(LOG_WARNING, "The device keeps windows for a trigger, which makes short calls take several "
                               "times as long; measure without it to compare times.");
}

/* Adds to a sentence's text of `size` bytes as far as there is room. */
__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...)
{
    size_t n = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + n, size - n, format, args);
    va_end(args);
}

/* `words` are the settings with their units and defaults, `usual` what sets them back. */
static void tell(const struct ingest *ingest, const char *words, const char *usual)
{
    if (ingest->device.control)
        log_write(
            LOG_WARNING,
            "The device was found with %s, so the profile is measured so. If the firmware does not want "
            "it, end this miniprofd and set it back with miniprofd device --port %s config%s.",
            words, ingest->shown.port, usual);
    else
        log_write(LOG_WARNING,
                  "The device profiles with %s; compare the profile only with those measured so.", words);
}

void ingest_tell_settings(struct ingest *ingest)
{
    const struct snapshot_description *description = &ingest->target.told.description;
    char words[400] = "", usual[200] = "";
    bool is_armed = false;
    for (uint32_t i = 0; i < description->setting_count && !ingest->device.visits; i++) {
        const struct snapshot_setting *setting = &description->settings[i];
        struct found_setting *row = found_settings_find(&ingest->device.settings, setting->key);
        struct snapshot_measured_setting told = {.value = setting->value};
        if (!row || row->is_changed || row->is_told ||
            !snapshot_setting_usual(setting->name, setting->least, setting->most, &told.usual))
            continue;
        row->is_told = true;
        is_armed |= row->is_window && told.value != told.usual;
        if (row->is_window || told.value == told.usual)
            continue;
        char one[sizeof told.name + sizeof told.unit + 48];
        told.has_usual = true;
        strcpy(told.name, setting->name);
        strcpy(told.unit, setting->unit);
        snapshot_measured_words(&told, one, sizeof one);
        add(words, sizeof words, "%s%s", *words ? ", " : "", one);
        add(usual, sizeof usual, " %s=%" PRIu32, setting->name, told.usual);
    }
    if ((*words || is_armed) && !log_gate_open(&ingest->settings_gate))
        return;
    if (*words)
        tell(ingest, words, usual);
    if (is_armed)
        tell_window(ingest);
}
