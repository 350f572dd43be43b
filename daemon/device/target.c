/* target.c - stores what the target has reported about itself. */
#include "device/target.h"

#include "base/text.h"

#include <string.h>

void target_init(struct target *target, uint64_t ticks_per_second)
{
    *target = (struct target){.told = {.ticks_per_second = ticks_per_second}};
}

bool target_counter_fell(uint32_t before, uint32_t after)
{
    return after < before && after - before >= UINT32_C(1) << 24;
}

/* Widens the counter beyond 32 bits: it begins at the target's value after a restart, then grows by
 * differences. */
static uint64_t widen_counter(const struct target *target, uint64_t wide, uint32_t before, uint32_t after)
{
    if (!target->has_counters || target_counter_fell(before, after))
        return after;
    return wide + (uint32_t)(after - before);
}

static void hear_status(struct target *target, const struct event *event)
{
    struct snapshot_target *told = &target->told;
    uint32_t overflows = event->status.buffer_overflows, captured = event->status.records_captured;
    told->has_status = true;
    told->profiling = event->status.profiling;
    told->buffer_usage_percent =
        event->status.buffer_usage_percent < 100 ? event->status.buffer_usage_percent : 100;
    told->buffer_overflows = widen_counter(target, told->buffer_overflows, target->overflows, overflows);
    told->records_captured = widen_counter(target, told->records_captured, target->captured, captured);
    target->overflows = overflows;
    target->captured = captured;
    target->has_counters = true;
}

static void hear_who(struct snapshot_target *told, const struct event *event)
{
    told->has_metadata = true;
    told->mcu_clock_hz = event->target.mcu_clock_hz;
    told->timer_hz = event->target.timer_hz;
    told->elf_build_id = event->target.elf_build_id;
    text_clean_utf8(told->fw_version, sizeof told->fw_version, event->target.fw_version,
                    sizeof event->target.fw_version);
}

static void hear_description(struct snapshot_description *told, const struct event_description *said)
{
    *told = (struct snapshot_description){
        .is_known = true,
        .versions = said->versions,
        .tick_hz = said->tick_hz,
        .ring_calls = said->ring_calls,
        .stack_depth = said->stack_depth,
        .tasks = said->tasks,
        .packet_bytes = said->packet_bytes,
        .hook_sixteenths = said->hook_sixteenths,
        .hook_tree_sixteenths = said->hook_tree_sixteenths,
        .hook_lookup_sixteenths = said->hook_lookup_sixteenths,
        .hook_interrupt_sixteenths = said->hook_interrupt_sixteenths,
        .setting_count = (uint32_t)said->setting_count,
    };
    for (size_t i = 0; i < said->setting_count; i++) {
        const struct event_setting *from = &said->settings[i];
        struct snapshot_setting *to = &told->settings[i];
        to->key = from->key;
        to->least = from->least;
        to->most = from->most;
        to->value = from->value;
        text_clean_utf8(to->name, sizeof to->name, from->name, from->name_n);
        text_clean_utf8(to->unit, sizeof to->unit, from->unit, from->unit_n);
    }
}

bool target_runs_the_same(const struct target *target, const struct event *event)
{
    const struct snapshot_target *told = &target->told;
    struct snapshot_target now = {0};
    hear_who(&now, event);
    return told->has_metadata && told->elf_build_id == now.elf_build_id &&
           !strcmp(told->fw_version, now.fw_version);
}

void target_hear(struct target *target, const struct event *event)
{
    struct snapshot_target *told = &target->told;
    switch (event->kind) {
    case EVENT_TARGET: hear_who(told, event); break;
    case EVENT_CLOCK: told->ticks_per_second = event->clock.ticks_per_second; break;
    case EVENT_STATUS: hear_status(target, event); break;
    case EVENT_ROOM:
        told->tree = (struct snapshot_tree_room){.nodes = event->room.nodes,
                                                 .needed = event->room.needed,
                                                 .node_bytes = event->room.node_bytes,
                                                 .is_least = event->room.is_least,
                                                 .has_others = event->room.has_others,
                                                 .evictions = event->room.evictions,
                                                 .lacking_ticks = event->room.bound,
                                                 .ticks = event->room.ticks};
        break;
    case EVENT_DESCRIPTION: hear_description(&told->description, event->description); break;
    default: break;
    }
}

void target_restart(struct target *target)
{
    target->has_counters = false;
    target->restarts++;
    target_connect(target);
}

void target_connect(struct target *target)
{
    target->told.description = (struct snapshot_description){0};
    target->told.tree = (struct snapshot_tree_room){0};
    target->told.clock.is_told_to_stand = false;
}
