/* test_measured_settings.c - the settings used during a measurement, from the target's descriptions. */
#include "profile/measured_settings.h"

#include "snapshot/measured_with.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct event_setting setting(const char *name, uint32_t value)
{
    return (struct event_setting){
        .name = name, .name_n = (uint8_t)strlen(name), .most = 1000000, .value = value};
}

static bool tells(const struct snapshot_measured_with *told, const char *name, uint32_t value)
{
    for (uint32_t i = 0; i < told->count; i++)
        if (strcmp(told->rows[i].name, name) == 0)
            return told->rows[i].value == value;
    return false;
}

/* Nothing was measured with "shortest", but the target has it still. */
Test(measured_settings, a_new_setting_does_not_replace_another)
{
    struct measured_settings settings = {0};
    struct snapshot_measured_with told;
    const struct snapshot_windows windows = {0};
    const struct event_description one = {.setting_count = 1, .settings = {setting("shortest", 50)}},
                                   both = {.setting_count = 2,
                                           .settings = {setting("shortest", 50), setting("depth", 3)}};
    measured_settings_hear(&settings, &one, false);
    measured_settings_hear(&settings, &both, false);
    measured_settings_hear(&settings, &both, true);
    measured_settings_tell(&settings, MODE_CALLS, &windows, &told);
    cr_expect(tells(&told, "shortest", 50) && tells(&told, "depth", 3), "%u are reported", told.count);
}

Test(measured_settings, an_unused_setting_is_replaced_when_the_target_lacks_it)
{
    struct measured_settings settings = {0};
    for (uint32_t i = 0; i < 3 * EVENT_SETTINGS_MAX; i++) {
        char name[] = "setting-000";
        snprintf(name, sizeof name, "setting-%03u", (unsigned)i);
        const struct event_description one = {.setting_count = 1, .settings = {setting(name, 1)}};
        measured_settings_hear(&settings, &one, false);
    }
    cr_expect_eq(settings.count, 1);
}

/* For any position of that window. */
Test(measured_settings, a_window_for_a_slow_call_shows_that_a_trigger_was_set)
{
    struct snapshot_kept rows[] = {{.is_excerpt = true, .reason = WINDOW_SLOW},
                                   {.is_excerpt = false, .reason = WINDOW_SLOW}};
    const struct snapshot_windows first = {.rows = rows, .count = 2}, last = {.rows = rows + 1, .count = 1};
    struct measured_settings settings = {0};
    struct snapshot_measured_with told;
    measured_settings_tell(&settings, MODE_TREE, &first, &told);
    cr_expect(tells(&told, "window", 1));
    measured_settings_tell(&settings, MODE_TREE, &last, &told);
    cr_expect_eq(told.count, 0, "that is the call itself");
    rows[0].is_excerpt = false;
    rows[1].is_excerpt = true;
    measured_settings_tell(&settings, MODE_TREE, &first, &told);
    cr_expect(tells(&told, "window", 1));
}
