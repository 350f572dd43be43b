/* alike.c - whether two profiles were measured in the same way. */
#include "check/alike.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_SIZE = 120 };

/* What a profile says of one setting. */
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

/* The profile lists those that are not at their defaults: `like`, of the other one, tells what that is. */
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

/* `like` is a row of either side. */
static bool is_setting_alike(const struct measured *before, const char *what, const struct measured *after,
                             const struct measured_setting *like, struct error *err)
{
    struct said was = setting_said_by(before, like), is = setting_said_by(after, like);
    char words[2][WORDS_SIZE];
    bool is_trigger = !strcmp(like->name, MEASURED_TRIGGER);
    /* Where the default is unknown, a side that does not list it says nothing. */
    if (!like->has_usual && (!was.is_known || !is.is_known))
        return true;
    if (is_trigger && (!was.is_known || !was.value || !is.is_known || !is.value))
        return refuse_trigger(is.is_known && is.value ? "new profile" : what, err);
    /* A trigger that is armed from the beginning is so a moment after START. */
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

static bool are_settings_alike(const struct measured *before, const char *what, const struct measured *after,
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

bool alike_agents(const struct measured *one, const struct measured *other)
{
    /* The device times its hooks at each start, which an interrupt or the phase of a cache changes a little. */
    static const double tolerance = 0.05;
    if (!one->versions || !other->versions)
        return true;
    double apart = fabs(one->hook_ticks - other->hook_ticks);
    return one->versions == other->versions && apart <= tolerance * fmin(one->hook_ticks, other->hook_ticks);
}

bool alike(const struct measured *before, const char *what, const struct measured *after,
           enum measured_figure figure, struct error *err)
{
    if (before->mode && after->mode && strcmp(before->mode, after->mode) != 0)
        return error_set(
            err,
            "The %s was measured in mode %.20s, and the new profile in mode %.20s, and what "
            "measuring costs differs; measure both with the same --mode: miniprofd --port SOURCE "
            "--elf FILE --mode %.20s --no-http --work FUNCTION=CALLS --export json=FILE, or give "
            "--allow mode.",
            what, before->mode, after->mode, before->mode);
    if (before->clock_hz && after->clock_hz && before->clock_hz != after->clock_hz)
        return error_set(err,
                         "The %s was measured at a clock of %" PRIu64 " Hz, and the new profile at %" PRIu64
                         " Hz; measure both at the same clock, or compare cycles with --allow clock.",
                         what, before->clock_hz, after->clock_hz);
    if (!alike_agents(before, after))
        return error_set(err,
                         "The %s was measured by another agent than the new profile (%.2f and %.2f ticks a "
                         "call), and what measuring costs differs; build both with one version of the agent, "
                         "or give --allow agent.",
                         what, before->hook_ticks, after->hook_ticks);
    return are_settings_alike(before, what, after, figure, err);
}
