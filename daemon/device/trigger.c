/* trigger.c - the user's trigger: which calls are slow, and the settings that arm it on the device.
 *
 * Function and time are set first, and then the trigger is armed. Settings stay until the device restarts.
 * Since a restart may be unnoticed, they are sent whenever the device was started. */
#include "device/trigger.h"

#include "base/digits.h"
#include "protocol/bytes.h"
#include "symbol/nearest.h"

#include <stdio.h>
#include <string.h>

enum { WINDOWS_OFF = 0, WINDOWS_ON = 1, WINDOW_NOW = 3 };

/* ---- finding the function ---- */

static bool find_trigger_function(const char *name, const struct symtab *symtab, const char *elf,
                                  uint64_t *address, struct error *err)
{
    if (digits_read_address(name, address) && *address > 0) {
        *address &= ~UINT64_C(1);
        return true;
    }
    if (!symtab)
        return error_set(
            err,
            "The trigger names the function '%.80s', which needs the firmware's ELF: give --elf, "
            "or the function's address, such as 0x8001234.",
            name);
    uint32_t found = symtab_find_name(symtab, name), other = symtab_find_namesake(symtab, name);
    if (other != SYMTAB_NONE)
        return error_set(
            err,
            "Two of the ELF files have a function '%.80s', at 0x%llx and at 0x%llx; give the trigger "
            "the address of the one that is meant.",
            name, (unsigned long long)symtab_at(symtab, found)->address,
            (unsigned long long)symtab_at(symtab, other)->address);
    if (found != SYMTAB_NONE) {
        *address = symtab_at(symtab, found)->address;
        return true;
    }
    uint32_t nearest = symtab_nearest(symtab, name);
    if (nearest == SYMTAB_NONE)
        return error_set(err, "%.120s has no functions, so the trigger's '%.80s' is not among them.", elf,
                         name);
    return error_set(err, "There is no function '%.80s' in %.120s; the nearest is '%.120s'.", name, elf,
                     symtab_at(symtab, nearest)->name);
}

/* ---- settings for the device ---- */

static void put_trigger_setting(struct trigger *trigger, const char *name, uint32_t value)
{
    trigger->settings[trigger->n++] = (struct trigger_setting){name, value};
}

static void begin_trigger_change(struct trigger *trigger)
{
    trigger->n = trigger->next = 0;
    trigger->is_past = trigger->is_asked;
    trigger->why.text[0] = trigger->told.detail[0] = '\0';
}

/* The ticks are computed when they are sent, from the clock in the device's description. */
static void arm_trigger(struct trigger *trigger)
{
    begin_trigger_change(trigger);
    trigger->told.state = trigger->counts_tree ? TRIGGER_ARMING : TRIGGER_WATCHING;
    if (!trigger->counts_tree)
        return;
    put_trigger_setting(trigger, "window-function", (uint32_t)trigger->told.address);
    put_trigger_setting(trigger, "window-ticks", 0);
    put_trigger_setting(trigger, "window", WINDOWS_ON);
}

static void fail_trigger(struct trigger *trigger, const char *why)
{
    begin_trigger_change(trigger);
    error_set(&trigger->why, "%s", why);
    if (trigger->told.state == TRIGGER_OFF)
        return;
    trigger->told.state = TRIGGER_FAILED;
    snprintf(trigger->told.detail, sizeof trigger->told.detail, "%s", why);
}

bool trigger_set(struct trigger *trigger, const struct limit *limit, const struct symtab *symtab,
                 const char *elf, struct error *err)
{
    uint64_t address = 0;
    if (!find_trigger_function(limit->name, symtab, elf, &address, err))
        return false;
    trigger->told.limit = *limit;
    trigger->told.address = address;
    arm_trigger(trigger);
    return true;
}

void trigger_clear(struct trigger *trigger)
{
    bool was_set = trigger->told.state != TRIGGER_OFF;
    trigger->told = (struct snapshot_trigger){.state = TRIGGER_OFF};
    begin_trigger_change(trigger);
    if (was_set && trigger->counts_tree)
        put_trigger_setting(trigger, "window", WINDOWS_OFF);
}

static const char no_windows[] = "The device keeps no windows: its firmware has an agent that cannot, or was "
                                 "built without them.";

bool trigger_ask(struct trigger *trigger, const struct snapshot_description *description, struct error *err)
{
    if (!trigger->counts_tree)
        return error_set(err, "Only a device in mode tree is asked for windows: in other modes every call is "
                              "on the timeline anyway.");
    if (!snapshot_setting_find(description, "window"))
        return error_set(err, "%s", no_windows);
    if (trigger_is_settled(trigger)) {
        trigger->why.text[0] = '\0';
        put_trigger_setting(trigger, "window", WINDOW_NOW);
    }
    return true;
}

void trigger_rename(struct trigger *trigger, const struct symtab *symtab, const char *elf)
{
    struct error err;
    uint64_t address = 0;
    if (trigger->told.state == TRIGGER_OFF)
        return;
    if (!find_trigger_function(trigger->told.limit.name, symtab, elf, &address, &err)) {
        trigger->told.address = 0;
        fail_trigger(trigger, err.text);
    } else if (address != trigger->told.address) {
        trigger->told.address = address;
        arm_trigger(trigger);
    }
}

void trigger_follow(struct trigger *trigger, bool counts_tree)
{
    if (counts_tree == trigger->counts_tree)
        return;
    trigger->counts_tree = counts_tree;
    if (trigger->told.state != TRIGGER_OFF && trigger->told.address > 0)
        arm_trigger(trigger);
    else
        begin_trigger_change(trigger);
}

bool trigger_take_back(struct trigger *trigger, const struct snapshot_description *description)
{
    const struct snapshot_setting *setting = snapshot_setting_find(description, "window");
    if (trigger->told.state != TRIGGER_OFF || !trigger->counts_tree || !trigger_is_settled(trigger) ||
        !setting || setting->value == WINDOWS_OFF)
        return false;
    put_trigger_setting(trigger, "window", WINDOWS_OFF);
    return true;
}

uint64_t trigger_ticks(const struct trigger *trigger, uint64_t hz)
{
    const uint64_t second = 1000000000;
    uint64_t ns = trigger->told.limit.ns, rate = hz < second * 16 ? hz : second * 16;
    return ns / second * rate + ns % second * rate / second;
}

/* ---- sending the settings ---- */

static void fail_range(struct trigger *trigger, const struct snapshot_setting *setting, uint64_t value)
{
    struct snapshot_description one = {.is_known = true, .setting_count = 1};
    struct error err = {""};
    one.settings[0] = *setting;
    snapshot_setting_choose(&one, setting->name, value, &err);
    fail_trigger(trigger, err.text);
}

bool trigger_next(struct trigger *trigger, const struct snapshot_description *description,
                  struct mp_command *command)
{
    if (trigger->is_asked || trigger->next == trigger->n || !trigger->counts_tree)
        return false;
    const struct trigger_setting *wanted = &trigger->settings[trigger->next];
    const struct snapshot_setting *setting = snapshot_setting_find(description, wanted->name);
    uint64_t value =
        !strcmp(wanted->name, "window-ticks") ? trigger_ticks(trigger, description->tick_hz) : wanted->value;
    if (!setting)
        fail_trigger(trigger, no_windows);
    else if (value < setting->least || value > setting->most)
        fail_range(trigger, setting, value);
    if (trigger->next == trigger->n)
        return false;
    *command = (struct mp_command){.code = MP_SET_CONFIG, .length = 5, .payload = {setting->key}};
    mp_store_u32(command->payload + 1, (uint32_t)value);
    trigger->is_asked = true;
    return true;
}

void trigger_hear(struct trigger *trigger, enum device_answer answer)
{
    if (!trigger->is_asked || answer == DEVICE_PENDING)
        return;
    trigger->is_asked = false;
    if (trigger->is_past) {
        trigger->is_past = false;
    } else if (answer == DEVICE_NACK) {
        fail_trigger(trigger, "The device refused to keep windows.");
    } else if (answer != DEVICE_ACK) {
        fail_trigger(trigger, "The device does not answer; it gets the trigger when it is started again.");
    } else if (++trigger->next == trigger->n) {
        trigger->n = trigger->next = 0;
        if (trigger->told.state == TRIGGER_ARMING)
            trigger->told.state = TRIGGER_ARMED;
    }
}

bool trigger_is_settled(const struct trigger *trigger)
{
    return !trigger->is_asked && trigger->next == trigger->n;
}
