/* examine_device.c - checks the device: agent, settings, clock, program. */
#include "doctor/examine.h"

#include "snapshot/clock_doubt.h"
#include "snapshot/measured_with.h"
#include "snapshot/exclude.h"
#include "snapshot/unnamed.h"

#include <stdio.h>
#include <string.h>

/* Reports what is missing if a device answers commands but not DESCRIBE. */
static void examine_old_agent(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_target *target = &snapshot->target;
    bool was_asked =
        target->has_status && !snapshot->source.listen_only && snapshot->source.state == STATE_CONNECTED;
    examine_say(examination, was_asked ? VERDICT_WARN : VERDICT_OK,
                "The firmware is %s, its clock %llu Hz; it does not describe itself%s",
                *target->fw_version ? target->fw_version : "without a version",
                (unsigned long long)target->mcu_clock_hz,
                was_asked
                    ? ", so it has mode calls only and no settings. Its agent is of version 1: update the "
                      "agent (firmware-ref/README.md) for the modes stream and tree."
                    : ".");
}

static void examine_agent(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_target *target = &snapshot->target;
    char modes[64] = "";
    if (!target->has_metadata) {
        examine_say(examination, VERDICT_WARN,
                    "Firmware and clock are unknown, so times may lack a unit; a device that is asked "
                    "(--port of its own) or a recording with METADATA has them.");
        return;
    }
    if (!target->description.is_known) {
        examine_old_agent(examination, snapshot);
        return;
    }
    for (enum mode mode = MODE_CALLS; mode <= MODE_TREE; mode++)
        if (target->description.versions >> mode & 1)
            snprintf(modes + strlen(modes), sizeof modes - strlen(modes), "%s%s", *modes ? ", " : "",
                     snapshot_mode_name(mode));
    examine_say(
        examination, VERDICT_OK,
        "The firmware is %s, its clock %llu Hz; the agent has the modes %s, room for %u calls, stacks of %u "
        "and %u task%s.",
        *target->fw_version ? target->fw_version : "without a version",
        (unsigned long long)target->mcu_clock_hz, modes, target->description.ring_calls,
        target->description.stack_depth, target->description.tasks,
        target->description.tasks == 1 ? "" : "s");
}

static void examine_settings(struct examination *examination, const struct snapshot_description *description)
{
    char text[1024] = "";
    for (uint32_t i = 0; i < description->setting_count; i++) {
        const struct snapshot_setting *setting = &description->settings[i];
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%s=%u%s%s", i ? ", " : "", setting->name, setting->value,
                 *setting->unit ? " " : "", setting->unit);
    }
    if (description->is_known)
        examine_say(examination, VERDICT_OK, "Its settings are %s.", *text ? text : "none");
}

/* True for a setting that differs from its default, left by an earlier session or built into the firmware, which
 * cannot be distinguished. A trigger that this session has armed does not count. */
static bool is_left_set(const struct snapshot *snapshot, const struct snapshot_setting *setting,
                        uint32_t *usual)
{
    bool is_own_trigger = !strcmp(setting->name, "window") && snapshot->target.trigger.state != TRIGGER_OFF;
    return !is_own_trigger && snapshot_setting_usual(setting->name, setting->least, setting->most, usual) &&
           setting->value != *usual;
}

static void examine_left_settings(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_description *description = &snapshot->target.description;
    char words[512] = "", back[512] = "";
    for (uint32_t i = 0; i < description->setting_count; i++) {
        const struct snapshot_setting *setting = &description->settings[i];
        const char *space = *setting->unit ? " " : "";
        size_t n = strlen(words), m = strlen(back);
        uint32_t usual;
        if (!is_left_set(snapshot, setting, &usual))
            continue;
        snprintf(words + n, sizeof words - n, "%s%s %u%s%s (default %u)", n ? ", " : "", setting->name,
                 setting->value, space, setting->unit, usual);
        snprintf(back + m, sizeof back - m, " %s=%u", setting->name, usual);
    }
    if (*words && examination->is_visit)
        examine_say(
            examination, VERDICT_WARN,
            "Settings of the device are not the defaults, so a profile leaves calls out or times them "
            "longer: %s. Unless that is wanted, set them back: miniprofd device --port %s config%s",
            words, snapshot->source.state == STATE_CONNECTED ? snapshot->source.port : "SOURCE", back);
    else if (*words)
        examine_say(
            examination, VERDICT_WARN,
            "Settings of the device are not the defaults, so a profile leaves calls out or times them "
            "longer: %s. Unless that is wanted, set them back on the page (Shift+D), or with miniprofd "
            "device "
            "--at ADDRESS config%s",
            words, back);
}

static void examine_match(struct examination *examination, const char *elf, const struct snapshot *snapshot)
{
    const struct snapshot_target *target = &snapshot->target;
    bool are_many = snapshot->source.elf_count > 1;
    if (!elf || !target->has_metadata)
        return;
    if (!target->has_match)
        examine_say(
            examination, VERDICT_WARN,
            "It is unknown whether %s%s is the program that runs, since the device names no build id; have "
            "it send one (firmware-ref/README.md).",
            are_many ? "one of " : "", elf);
    else if (!target->elf_match)
        examine_say(examination, VERDICT_FAIL,
                    "%s%s is %sthe program that runs, which has the build id %08x; flash it, or name the ELF "
                    "of what is flashed.",
                    are_many ? "None of " : "", elf, are_many ? "" : "not ", target->elf_build_id);
    else
        examine_say(examination, VERDICT_OK, "%s%s is the program that runs: its build id is %08x.",
                    are_many ? "One of " : "", elf, target->elf_build_id);
}

/* Checks the clock: assumptions about it, and its rate. */
static void examine_clock(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_target *target = &snapshot->target;
    char doubt[CLOCK_DOUBT_SIZE];
    if (snapshot->link.doubt)
        examine_say(examination, VERDICT_WARN, "%s", snapshot->link.doubt);
    if (snapshot_clock_doubt(target, doubt))
        examine_say(examination, VERDICT_WARN, "%s", doubt);
    else if (target->clock.has_ratio)
        examine_say(examination, VERDICT_OK, "Its timer runs at %.2f of this machine's clock.",
                    target->clock.ratio);
}

/* Checks the tree: one with evictions has all calls and self times, but not all chains of callers. */
static void examine_tree(struct examination *examination, const struct snapshot *snapshot)
{
    char doubt[TREE_DOUBT_SIZE];
    if (snapshot_tree_doubt(&snapshot->target.tree, doubt))
        examine_say(examination, VERDICT_WARN, "%s", doubt);
}

/* Reports the slowdown, if calls were received: a device that only answers commands sends none. */
static void examine_slowdown(struct examination *examination, const struct snapshot *snapshot)
{
    struct exclude_list list;
    char words[SLOWDOWN_SIZE], gain[EXCLUDE_WORDS_SIZE], sentence[EXCLUDE_WORDS_SIZE + 40];
    if (snapshot->link.records == 0 || !exclude_list_make(snapshot, &list))
        return;
    snapshot_slowdown_words(&list.slowdown, words);
    examine_say(examination, VERDICT_OK, "%s", words);
    if (list.functions == 0)
        return;
    exclude_list_words(&list, gain);
    snprintf(sentence, sizeof sentence, "%s; compile with gcc and", gain);
    examine_offer(examination, sentence, list.flag);
}

void examine_device(struct examination *examination, const char *elf, const struct snapshot *snapshot)
{
    if (!strcmp(snapshot->source.dialect, "miniprof"))
        examine_agent(examination, snapshot);
    examine_settings(examination, &snapshot->target.description);
    examine_left_settings(examination, snapshot);
    examine_match(examination, elf, snapshot);
    struct error unnamed;
    if (snapshot_unnamed(snapshot, &unnamed))
        examine_say(examination, VERDICT_WARN, "%s", unnamed.text);
    examine_clock(examination, snapshot);
    examine_tree(examination, snapshot);
    if (!strcmp(snapshot->source.dialect, "miniprof"))
        examine_slowdown(examination, snapshot);
}
