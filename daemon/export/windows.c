/* windows.c - writes a target's kept windows and its trigger as JSON. */
#include "export/windows.h"

#include "export/export.h"

static void write_reason(const struct snapshot_kept *row, struct json *json)
{
    static const char *const names[] = {
        [WINDOW_UNTOLD] = NULL, [WINDOW_ASKED] = "asked", [WINDOW_SLOW] = "slow"};
    bool is_told = row->reason != WINDOW_UNTOLD, is_slow = row->reason == WINDOW_SLOW;
    json_text(json, "reason", names[row->reason]);
    json_known_u64(json, "ticks", is_told, row->trigger_ticks);
    json_known_u64(json, "function", is_slow, row->function);
    json_known_u64(json, "duration", is_slow, row->duration_ticks);
}

static void write_row(const struct snapshot_kept *row, struct json *json)
{
    json_object_open(json, NULL);
    json_u64(json, "number", row->number);
    json_u64(json, "from", row->from_ticks);
    json_u64(json, "to", row->to_ticks);
    write_reason(row, json);
    json_u64(json, "missed", row->missed);
    json_u64(json, "lost", row->lost);
    json_bool(json, "excerpt", row->is_excerpt);
    json_text(json, "state", row->is_open ? "open" : row->is_whole ? "whole" : "cut");
    json_object_close(json);
}

void windows_write(const struct snapshot_windows *windows, struct json *json)
{
    json_object_open(json, "windows");
    json_bool(json, "excerpts", windows->are_all);
    json_u64(json, "told", windows->told);
    json_u64(json, "missed", windows->missed);
    json_array_open(json, "rows");
    for (uint32_t i = 0; i < windows->count; i++)
        write_row(&windows->rows[i], json);
    json_array_close(json);
    json_object_close(json);
}

void trigger_write(const struct snapshot_trigger *trigger, struct json *json)
{
    static const char *const states[] = {[TRIGGER_OFF] = NULL,
                                         [TRIGGER_WATCHING] = "watching",
                                         [TRIGGER_ARMING] = "arming",
                                         [TRIGGER_ARMED] = "armed",
                                         [TRIGGER_FAILED] = "failed"};
    char text[LIMIT_TEXT_SIZE];
    if (trigger->state == TRIGGER_OFF) {
        json_null(json, "trigger");
        return;
    }
    limit_write(&trigger->limit, text, sizeof text);
    json_object_open(json, "trigger");
    json_text(json, "when", text);
    json_text(json, "function", trigger->limit.name);
    json_hex(json, "address", trigger->address, 8);
    json_u64(json, "over_ns", trigger->limit.ns);
    json_text(json, "state", states[trigger->state]);
    json_text(json, "detail", *trigger->detail ? trigger->detail : NULL);
    json_object_close(json);
}

void export_windows(const struct snapshot *snapshot, struct json *json)
{
    trigger_write(&snapshot->target.trigger, json);
    windows_write(&snapshot->windows, json);
}
