/* limits_json.c - writes the users' limits and their breaches as JSON. */
#include "export/limits_json.h"

#include "base/clock.h"
#include "export/export.h"

/* The units in which values are written. */
static const struct unit {
    const char *name;
    double divisor;
} units[] = {[BOUND_NS] = {"ns", 1},
             [BOUND_COUNT] = {"calls", 1},
             [BOUND_MILLI_HZ] = {"per_second", 1000},
             [BOUND_MILLI_PERCENT] = {"percent", 1000}};

static void write_value(const struct bound *bound, const char *key, double value, struct json *json)
{
    json_double(json, key, value / units[bound_unit_of(bound->figure)].divisor, 3);
}

static void write_breach(const struct bound *bound, const char *key, const struct snapshot_breach *breach,
                         struct json *json)
{
    char at[CLOCK_ISO8601_SIZE];
    clock_iso8601(breach->wall_ns, at);
    json_object_open(json, key);
    json_u64(json, "from", breach->from_ticks);
    json_u64(json, "ticks", breach->ticks);
    json_text(json, "at", at);
    write_value(bound, "value", breach->value, json);
    json_object_close(json);
}

static void write_row(const struct snapshot_bound *row, struct json *json)
{
    const struct {
        const char *key;
        const struct snapshot_breach *breach;
    } times[] = {{"first", &row->first}, {"last", &row->last}, {"worst", &row->worst}};
    char text[BOUND_TEXT_SIZE];
    bound_write(&row->bound, text, sizeof text);
    json_object_open(json, NULL);
    json_u64(json, "id", row->id);
    json_text(json, "limit", text);
    json_text(json, "name", row->bound.name);
    json_text(json, "figure", bound_figure_info(row->bound.figure)->name);
    json_text(json, "unit", units[bound_unit_of(row->bound.figure)].name);
    json_known_u64(json, "function", row->function != BOUNDS_NO_FUNCTION, (uint64_t)(uint32_t)row->function);
    json_text(json, "state", snapshot_bound_state_name(row->state));
    json_text(json, "detail", *row->detail ? row->detail : NULL);
    json_u64(json, "judged", row->judged);
    json_u64(json, "breaches", row->breaches);
    json_bool(json, "broken_now", row->is_broken_now);
    if (row->is_now_known)
        write_value(&row->bound, "now", row->now, json);
    else
        json_null(json, "now");
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (row->breaches > 0)
            write_breach(&row->bound, times[i].key, times[i].breach, json);
        else
            json_null(json, times[i].key);
    json_object_close(json);
}

void limits_write(const struct snapshot_bounds *bounds, struct json *json)
{
    json_array_open(json, "limits");
    for (uint32_t i = 0; i < bounds->count; i++)
        write_row(&bounds->rows[i], json);
    json_array_close(json);
}

/* Writes breaches, except those of removed limits, whose values would have no unit. */
static void write_breaches(const struct snapshot_bounds *bounds, struct json *json)
{
    json_object_open(json, "breaches");
    json_u64(json, "told", bounds->told);
    json_array_open(json, "rows");
    for (uint32_t i = 0; i < bounds->breach_count; i++) {
        const struct snapshot_breach *breach = &bounds->breaches[i];
        const struct snapshot_bound *row = snapshot_bound_find(bounds, breach->bound);
        char at[CLOCK_ISO8601_SIZE];
        if (!row)
            continue;
        clock_iso8601(breach->wall_ns, at);
        json_object_open(json, NULL);
        json_u64(json, "number", breach->number);
        json_u64(json, "limit", breach->bound);
        json_u64(json, "from", breach->from_ticks);
        json_u64(json, "ticks", breach->ticks);
        json_text(json, "at", at);
        write_value(&row->bound, "value", breach->value, json);
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

void export_limits(const struct snapshot *snapshot, struct json *json)
{
    limits_write(&snapshot->bounds, json);
    write_breaches(&snapshot->bounds, json);
}

void export_broken(const struct snapshot *snapshot, uint64_t told, struct json *json)
{
    const struct snapshot_bounds *bounds = &snapshot->bounds;
    json_array_open(json, "limits");
    for (uint32_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].breaches > 0 && bounds->rows[i].last.number >= told)
            write_row(&bounds->rows[i], json);
    json_array_close(json);
}

static void write_keeping_row(const struct snapshot_keeping_row *row, struct json *json)
{
    char at[CLOCK_ISO8601_SIZE];
    clock_iso8601(row->wall_ns, at);
    json_object_open(json, NULL);
    json_text(json, "name", row->name);
    json_text(json, "at", at);
    json_u64(json, "limit", row->limit);
    json_known_u64(json, "bytes", !row->is_open, row->bytes);
    json_object_close(json);
}

void keeping_write(const struct snapshot_keeping *keeping, struct json *json)
{
    if (!*keeping->dir) {
        json_null(json, "keeping");
        return;
    }
    json_object_open(json, "keeping");
    json_text(json, "folder", keeping->dir);
    json_u64(json, "made", keeping->made);
    json_u64(json, "dropped", keeping->dropped);
    json_text(json, "error", *keeping->failure ? keeping->failure : NULL);
    json_array_open(json, "rows");
    for (uint32_t i = 0; i < keeping->count; i++)
        write_keeping_row(&keeping->rows[i], json);
    json_array_close(json);
    json_object_close(json);
}
