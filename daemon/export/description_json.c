/* description_json.c - writes the description of a target (DESCRIPTION) as JSON. */
#include "export/description_json.h"

static void write_settings(const struct snapshot_description *description, struct json *json)
{
    json_array_open(json, "settings");
    for (uint32_t i = 0; i < description->setting_count; i++) {
        const struct snapshot_setting *setting = &description->settings[i];
        json_object_open(json, NULL);
        json_text(json, "name", setting->name);
        json_text(json, "unit", setting->unit);
        json_u64(json, "least", setting->least);
        json_u64(json, "most", setting->most);
        json_u64(json, "value", setting->value);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_tree_room(const struct snapshot_tree_room *room, struct json *json)
{
    char doubt[TREE_DOUBT_SIZE];
    if (room->needed == 0 && room->evictions == 0) {
        json_null(json, "tree");
        return;
    }
    json_object_open(json, "tree");
    json_u64(json, "nodes", room->nodes);
    json_known_u64(json, "needed", room->needed > 0, room->needed);
    json_bool(json, "needs_more", room->is_least);
    json_known_u64(json, "node_bytes", room->node_bytes > 0, room->node_bytes);
    json_u64(json, "evictions", room->evictions);
    json_u64(json, "chain_lacks_ticks", room->lacking_ticks);
    json_text(json, "doubt", snapshot_tree_doubt(room, doubt) ? doubt : NULL);
    json_object_close(json);
}

static void write_hook_ticks(struct json *json, const char *key, uint32_t sixteenths)
{
    if (sixteenths > 0)
        json_decimal(json, key, sixteenths * UINT64_C(625), 4);
    else
        json_null(json, key);
}

void description_write(const struct snapshot_target *target, struct json *json)
{
    const struct snapshot_description *description = &target->description;
    json_text(json, "mode", target->mode == MODE_AUTO ? NULL : snapshot_mode_name(target->mode));
    json_bool(json, "joined", target->is_joined);
    json_text(json, "mode_wanted", snapshot_mode_name(target->mode_wanted));
    write_tree_room(&target->tree, json);
    if (!description->is_known) {
        json_null(json, "description");
        return;
    }
    json_object_open(json, "description");
    json_array_open(json, "versions");
    for (unsigned version = 0; version < 32; version++)
        if (description->versions & 1u << version)
            json_u64(json, NULL, version);
    json_array_close(json);
    json_u64(json, "tick_hz", description->tick_hz);
    json_u64(json, "ring_calls", description->ring_calls);
    json_u64(json, "stack_depth", description->stack_depth);
    json_u64(json, "tasks", description->tasks);
    json_u64(json, "packet_bytes", description->packet_bytes);
    write_hook_ticks(json, "hook_ticks", description->hook_sixteenths);
    write_hook_ticks(json, "hook_ticks_tree", description->hook_tree_sixteenths);
    write_hook_ticks(json, "hook_ticks_lookup", description->hook_lookup_sixteenths);
    write_hook_ticks(json, "hook_ticks_interrupt", description->hook_interrupt_sixteenths);
    write_settings(description, json);
    json_object_close(json);
}

void measurement_write(const struct snapshot_measurement *measurement, struct json *json)
{
    if (!measurement->is_set) {
        json_null(json, "measurement");
        return;
    }
    json_object_open(json, "measurement");
    if (measurement->function) {
        json_object_open(json, "work");
        json_text(json, "function", measurement->function);
        json_u64(json, "calls", measurement->calls);
        json_u64(json, "counted", measurement->counted);
        json_object_close(json);
    } else {
        json_null(json, "work");
    }
    json_text(json, "ended_by", snapshot_end_name(measurement->end));
    json_object_close(json);
}

void measured_with_write(const struct snapshot_measured_with *with, struct json *json)
{
    if (!with->is_known) {
        json_null(json, "measured_with");
        return;
    }
    json_array_open(json, "measured_with");
    for (uint32_t i = 0; i < with->count; i++) {
        const struct snapshot_measured_setting *row = &with->rows[i];
        json_object_open(json, NULL);
        json_text(json, "name", row->name);
        json_text(json, "unit", row->unit);
        json_u64(json, "value", row->value);
        json_known_u64(json, "default", row->has_usual, row->usual);
        json_bool(json, "throughout", row->is_throughout);
        json_object_close(json);
    }
    json_array_close(json);
}
