/* alike_settings.c - checks whether two profiles were measured with the same settings of the device. */
#include "check/alike.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_SIZE = 120 };

/* The value of one setting in a profile. */
struct said {
    bool is_known, is_throughout;
    uint64_t value;
};

static const struct measured_setting *find_measured_setting(const struct measured *measured, const char *name)
{
    for (size_t i = 0; i < measured->settings_n; i++)
        if (!strcmp(measured->settings[i].name, name))
            return &measured->settings[i];
    return NULL;
}

/* Returns a profile's value of a setting. An unlisted setting has its default, which is in `like`, the row of the
 * other side. */
static struct said setting_said_by(const struct measured *measured, const struct measured_setting *like)
{
    const struct measured_setting *setting = find_measured_setting(measured, like->name);
    if (setting)
        return (struct said){true, setting->is_throughout, setting->value};
    if (measured->tells_settings && like->has_usual)
        return (struct said){true, true, like->usual};
    return (struct said){.is_throughout = true};
}

static void write_value(const struct said *side, const struct measured_setting *like, char words[WORDS_SIZE])
{
    const char *space = *like->unit ? " " : "";
    if (side->is_known)
        snprintf(words, WORDS_SIZE, "%.40s %" PRIu64 "%s%.24s", like->name, side->value, space, like->unit);
    else
        snprintf(words, WORDS_SIZE, "a setting %.40s that it does not say", like->name);
}

static bool refuse_trigger(const char *with, struct error *err)
{
    return error_set(err,
                     "The %s was measured with a trigger armed (setting window), which makes calls take "
                     "longer, and the other profile without; measure both without --trigger.",
                     with);
}

/* Compares one setting. `like` is a row of either side. */
static bool is_setting_alike(const struct measured *before, const char *what, const struct measured *after,
                             const struct measured_setting *like, struct error *err)
{
    struct said was = setting_said_by(before, like), is = setting_said_by(after, like);
    char words[2][WORDS_SIZE];
    bool is_trigger = !strcmp(like->name, MEASURED_TRIGGER);
    /* With an unknown default, the value of a side that does not list it is unknown. */
    if (!like->has_usual && (!was.is_known || !is.is_known))
        return true;
    if (is_trigger && (!was.is_known || !was.value || !is.is_known || !is.value))
        return refuse_trigger(is.is_known && is.value ? "new profile" : what, err);
    /* A trigger is only armed a moment after START, so it need not hold throughout. */
    if (!is_trigger && (!was.is_throughout || !is.is_throughout))
        return error_set(err,
                         "While the %s was measured, its setting %.40s was changed; measure it again with "
                         "one value.",
                         was.is_throughout ? "new profile" : what, like->name);
    if (was.is_known && is.is_known && was.value == is.value)
        return true;
    write_value(&was, like, words[0]);
    write_value(&is, like, words[1]);
    return error_set(err,
                     "The %s was measured with %s, and the new profile with %s; set %.40s to one value "
                     "(miniprofd device config) and measure again.",
                     what, words[0], words[1], like->name);
}

bool alike_settings(const struct measured *before, const char *what, const struct measured *after,
                    enum measured_figure figure, struct error *err)
{
    const struct measured *const sides[] = {after, before};
    bool is_time = measured_unit_of(figure) == MEASURED_IN_NS;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side]->settings_n; i++) {
            const struct measured_setting *setting = &sides[side]->settings[i];
            if ((is_time || strcmp(setting->name, MEASURED_TRIGGER) != 0) &&
                !is_setting_alike(before, what, after, setting, err))
                return false;
        }
    return true;
}
