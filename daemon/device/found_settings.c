/* found_settings.c - remembers the device's settings at the start of the session, and which of them the
 * session changed. */
#include "device/found_settings.h"

#include "protocol/description.h"

#include <string.h>

struct found_setting *found_settings_find(struct found_settings *found, uint8_t key)
{
    for (unsigned i = 0; i < found->n; i++)
        if (found->rows[i].key == key)
            return &found->rows[i];
    return NULL;
}

/* After this many attempts, a device that still reports an armed trigger is started anyway. */
enum { DISARMS_MOST = 3 };

static bool is_named(const struct event_setting *setting, const char *name)
{
    return setting->name_n == strlen(name) && memcmp(setting->name, name, setting->name_n) == 0;
}

/* A value that the session did not set becomes the found one. */
static void set_found(struct found_setting *row, uint32_t value)
{
    row->is_told &= row->value == value;
    row->is_given_up &= row->value == value;
    row->is_changed = false;
    row->value = value;
    row->found = row->is_window ? 0 : value;
}

bool found_settings_have_window(const struct found_settings *found)
{
    for (unsigned i = 0; i < found->n; i++)
        if (found->rows[i].is_window)
            return true;
    return false;
}

void found_settings_hear(struct found_settings *found, const struct event_description *description)
{
    for (size_t i = 0; i < description->setting_count; i++) {
        const struct event_setting *setting = &description->settings[i];
        struct found_setting *row = found_settings_find(found, setting->key);
        if (setting->key == MP_SETTING_BAUD && is_named(setting, "baud"))
            continue;
        if (!row && found->n < EVENT_SETTINGS_MAX) {
            row = &found->rows[found->n++];
            *row = (struct found_setting){.key = setting->key, .is_window = is_named(setting, "window")};
            set_found(row, setting->value);
        } else if (row && row->is_changed && (row->is_unsure || row->value == setting->value)) {
            /* It may have rounded the value. */
            row->value = setting->value;
            row->is_changed = row->value != row->found;
            row->is_unsure = false;
        } else if (row && row->value != setting->value) {
            set_found(row, setting->value);
        }
    }
}

void found_settings_sent(struct found_settings *found, const struct mp_command *command)
{
    struct found_setting *row = command->length == 5 ? found_settings_find(found, command->payload[0]) : NULL;
    if (!row)
        return;
    row->value = mp_load_u32(command->payload + 1);
    row->is_changed = row->value != row->found;
    row->is_unsure = row->is_changed;
    row->is_given_up = false;
    row->disarms += row->is_window && row->value == 0;
}

void found_settings_refused(struct found_settings *found, const struct mp_command *command)
{
    struct found_setting *row = found_settings_find(found, command->payload[0]);
    if (row)
        row->is_given_up = true;
}

void found_settings_restart(struct found_settings *found)
{
    found->n = 0;
}

static struct mp_command set_back(const struct found_setting *row)
{
    struct mp_command command = {.code = MP_SET_CONFIG, .length = 5, .payload = {row->key}};
    mp_store_u32(command.payload + 1, row->found);
    return command;
}

bool found_settings_restore(const struct found_settings *found, struct mp_command *command)
{
    for (unsigned i = found->n; i-- > 0;) {
        const struct found_setting *row = &found->rows[i];
        if (!row->is_changed || row->is_given_up)
            continue;
        *command = set_back(row);
        return true;
    }
    return false;
}

bool found_settings_disarm(const struct found_settings *found, struct mp_command *command)
{
    for (unsigned i = 0; i < found->n; i++) {
        const struct found_setting *row = &found->rows[i];
        if (!row->is_window || row->value == 0 || row->is_changed || row->is_given_up ||
            row->disarms >= DISARMS_MOST)
            continue;
        *command = set_back(row);
        return true;
    }
    return false;
}
