/* examine_device.c - what somebody at the source said of himself: agent, settings, which program. */
#include "doctor/examine.h"

#include "snapshot/clock_doubt.h"
#include "snapshot/unnamed.h"

#include <stdio.h>
#include <string.h>

static void examine_agent(struct examination *examination, const struct snapshot_target *target)
{
    char modes[64] = "";
    if (!target->has_metadata) {
        examine_say(
            examination, VERDICT_WARN,
            "Nobody said which firmware and clock this is, so times may lack a unit; a device that is asked "
            "(--port of its own) or a recording with METADATA tells.");
        return;
    }
    if (!target->description.is_known) {
        examine_say(examination, VERDICT_OK,
                    "The firmware is %s, its clock %llu Hz; it does not describe itself.",
                    *target->fw_version ? target->fw_version : "without a version",
                    (unsigned long long)target->mcu_clock_hz);
        return;
    }
    for (enum mode mode = MODE_CALLS; mode <= MODE_TREE; mode++)
        if (target->description.versions >> mode & 1)
            snprintf(modes + strlen(modes), sizeof modes - strlen(modes), "%s%s", *modes ? ", " : "",
                     snapshot_mode_name(mode));
    examine_say(
        examination, VERDICT_OK,
        "The firmware is %s, its clock %llu Hz; the agent has the modes %s, room for %u calls, stacks of %u "
        "and %u tasks.",
        *target->fw_version ? target->fw_version : "without a version",
        (unsigned long long)target->mcu_clock_hz, modes, target->description.ring_calls,
        target->description.stack_depth, target->description.tasks);
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

static void examine_match(struct examination *examination, const char *elf, const struct snapshot *snapshot)
{
    const struct snapshot_target *target = &snapshot->target;
    bool are_many = snapshot->source.elf_count > 1;
    if (!elf || !target->has_metadata)
        return;
    if (!target->has_match)
        examine_say(
            examination, VERDICT_WARN,
            "Nobody can tell whether %s%s is the program that runs, since the device names no build id; have "
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

/* What is known of its clock: what had to be assumed, and how it runs. */
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

void examine_device(struct examination *examination, const char *elf, const struct snapshot *snapshot)
{
    if (!strcmp(snapshot->source.dialect, "miniprof"))
        examine_agent(examination, &snapshot->target);
    examine_settings(examination, &snapshot->target.description);
    examine_match(examination, elf, snapshot);
    struct error unnamed;
    if (snapshot_unnamed(snapshot, &unnamed))
        examine_say(examination, VERDICT_WARN, "%s", unnamed.text);
    examine_clock(examination, snapshot);
}
