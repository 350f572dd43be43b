/* rows.c - writes the rows of a snapshot as JSON: functions, call tree, contexts and the rest. */
#include "export/rows.h"

#include "base/clock.h"
#include "export/description_json.h"
#include "export/export.h"
#include "export/figure.h"
#include "export/limits_json.h"
#include "export/windows.h"
#include "snapshot/blocks.h"
#include "snapshot/correction.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static bool row_is_wanted(uint64_t changed, uint64_t since)
{
    return since == ROWS_ALL || changed > since;
}

/* The rows to write: all, or those of a delta. */
struct picked {
    uint32_t *rows; /* NULL: all, from 0 on */
    uint32_t n;
};

static uint32_t row_of(const struct picked *picked, uint32_t i)
{
    return picked->rows ? picked->rows[i] : i;
}

/* Selects those of `count` rows that changed after `since`. */
static struct picked pick_changed_rows(const struct snapshot *snapshot, uint32_t count,
                                       const uint64_t *blocks, uint64_t since, struct sink *sink,
                                       uint64_t (*changed)(const struct snapshot *snapshot, uint32_t row))
{
    if (since == ROWS_ALL)
        return (struct picked){.n = count};
    struct picked picked = {0};
    uint32_t room = 0;
    for (size_t at = 0; (at = blocks_next(blocks, at, count, since)) < count; at++) {
        uint32_t row = (uint32_t)at;
        if (changed(snapshot, row) <= since)
            continue;
        if (picked.n == room) {
            room = room ? 2 * room : SNAPSHOT_BLOCK;
            uint32_t *grown = realloc(picked.rows, room * sizeof *grown);
            if (!grown) {
                sink->failed = true;
                break;
            }
            picked.rows = grown;
        }
        picked.rows[picked.n++] = row;
    }
    return picked;
}

void export_complete(const struct snapshot *snapshot, struct json *json)
{
    const struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    json_bool(json, "complete", reasons.n == 0);
    json_array_open(json, "incomplete_because");
    for (unsigned i = 0; i < reasons.n; i++)
        json_text(json, NULL, reasons.text[i]);
    json_array_close(json);
}

void rows_head(const struct snapshot *snapshot, struct json *json)
{
    char captured_at[CLOCK_ISO8601_SIZE];
    clock_iso8601(snapshot->captured_at_wall_ns, captured_at);
    json_u64(json, "sequence", snapshot->sequence);
    json_u64(json, "cleared_at", snapshot->cleared_at);
    json_text(json, "captured_at", captured_at);
    export_complete(snapshot, json);
    measured_with_write(&snapshot->measured_with, json);
    if (snapshot->range.is_set) {
        json_object_open(json, "range");
        json_u64(json, "from", snapshot->range.from_ticks);
        json_u64(json, "to", snapshot->range.to_ticks);
        json_u64(json, "held_from", snapshot->range.held_from_ticks);
        if (snapshot->windows.are_all)
            json_u64(json, "known",
                     snapshot_kept_ticks(&snapshot->windows, snapshot->range.from_ticks,
                                         snapshot->range.to_ticks));
        json_object_close(json);
    }
}

static void write_function_names(const struct snapshot *snapshot, const struct snapshot_function *function,
                                 struct json *json)
{
    json_text(json, "name", function->name);
    if (function->raw_name != function->name)
        json_text(json, "raw_name", function->raw_name);
    if (function->alias_count > 0) {
        json_array_open(json, "aliases");
        for (uint32_t i = 0; i < function->alias_count; i++)
            json_text(json, NULL, function->aliases[i]);
        json_array_close(json);
    }
    if (function->has_address)
        json_hex(json, "address", function->address, 8);
    else
        json_null(json, "address");
    json_known_u64(json, "size", function->size > 0, function->size);
    json_text(json, "file", function->file);
    const char *directory = snapshot_directory(snapshot, function);
    if (directory)
        json_text(json, "directory", directory);
    json_known_u64(json, "line", function->line > 0, function->line);
}

static void write_function_members(const struct snapshot *snapshot, const struct snapshot_function *function,
                                   struct json *json)
{
    bool made_up = function->kind != KIND_FUNCTION;
    json_text(json, "kind", snapshot_kind_name(function->kind));
    if (snapshot_kind_is_numbered(function->kind))
        json_u64(json, "number", function->number);
    write_function_names(snapshot, function, json);
    for (const struct figure *figure = figures_function; figure->key; figure++) {
        bool known = figure_function_known(figure, function) || (made_up && figure->zero_where_made_up);
        figure_write(figure, function, known, json);
    }
    if (function->known & FUNCTION_CORRECTED)
        json_bool(json, "corrected_is_rough", correction_is_rough(function));
    else
        json_null(json, "corrected_is_rough");
}

void export_function(const struct snapshot *snapshot, uint32_t id, struct json *json)
{
    json_u64(json, "id", id);
    write_function_members(snapshot, &snapshot->functions[id], json);
}

static uint64_t function_changed(const struct snapshot *snapshot, uint32_t id)
{
    return snapshot->functions[id].changed;
}

void rows_functions(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    struct picked picked = pick_changed_rows(snapshot, snapshot->function_count, snapshot->function_blocks,
                                             since, json->sink, function_changed);
    json_array_open(json, "functions");
    for (uint32_t i = 0; i < picked.n; i++) {
        json_object_open(json, NULL);
        export_function(snapshot, row_of(&picked, i), json);
        json_object_close(json);
    }
    json_array_close(json);
    free(picked.rows);
}

/* The nodes to write, and the rows of their parents. */
struct nodes {
    const struct snapshot *snapshot;
    struct picked picked;
    const uint32_t *place; /* per node: its row in a whole tree; NULL: parents are written by index */
};

typedef uint64_t (*node_fn)(const struct nodes *nodes, uint32_t node);

static uint64_t node_changed(const struct snapshot *snapshot, uint32_t node)
{
    return snapshot->nodes[node].changed;
}

static uint64_t node_index(const struct nodes *nodes, uint32_t node)
{
    return node;
}

static uint64_t node_parent(const struct nodes *nodes, uint32_t node)
{
    int32_t parent = nodes->snapshot->nodes[node].parent;
    return (uint64_t)(int64_t)(parent < 0 || !nodes->place ? parent : (int32_t)nodes->place[parent]);
}

static uint64_t node_function(const struct nodes *nodes, uint32_t node)
{
    return (uint64_t)(int64_t)nodes->snapshot->nodes[node].function;
}

static uint64_t node_context(const struct nodes *nodes, uint32_t node)
{
    return nodes->snapshot->nodes[node].context;
}

static uint64_t node_calls(const struct nodes *nodes, uint32_t node)
{
    return nodes->snapshot->nodes[node].calls;
}

static uint64_t node_total(const struct nodes *nodes, uint32_t node)
{
    return nodes->snapshot->nodes[node].total_ticks;
}

static uint64_t node_self(const struct nodes *nodes, uint32_t node)
{
    return nodes->snapshot->nodes[node].self_ticks;
}

enum { COLUMN_PIECE = 256 }; /* values written at once */

static void write_node_column(const struct nodes *nodes, struct json *json, const char *key, bool is_signed,
                              node_fn value)
{
    json_array_open(json, key);
    for (uint32_t i = 0; i < nodes->picked.n;) {
        uint64_t values[COLUMN_PIECE];
        uint32_t n = 0;
        for (; n < COLUMN_PIECE && i < nodes->picked.n; i++)
            values[n++] = value(nodes, row_of(&nodes->picked, i));
        json_integers(json, values, n, is_signed);
    }
    json_array_close(json);
}

static void write_tree(const struct nodes *nodes, struct json *json)
{
    json_object_open(json, "call_tree");
    write_node_column(nodes, json, "index", false, node_index);
    write_node_column(nodes, json, "parent", true, node_parent);
    write_node_column(nodes, json, "function", true, node_function);
    write_node_column(nodes, json, "context", false, node_context);
    write_node_column(nodes, json, "calls", false, node_calls);
    write_node_column(nodes, json, "total_ticks", false, node_total);
    write_node_column(nodes, json, "self_ticks", false, node_self);
    json_object_close(json);
}

/* Writes a whole tree without empty nodes. So a parent is given by its row, not by its index. */
static void write_whole_tree(const struct snapshot *snapshot, struct json *json)
{
    uint32_t *places = malloc(snapshot->node_count * sizeof *places);
    uint32_t *rows = malloc(snapshot->node_count * sizeof *rows);
    if (places && rows) {
        uint32_t n = snapshot_occupied_nodes(snapshot, rows);
        for (uint32_t i = 0; i < n; i++)
            places[rows[i]] = i;
        write_tree(&(struct nodes){snapshot, {rows, n}, places}, json);
    } else {
        json->sink->failed = true;
    }
    free(rows);
    free(places);
}

void rows_call_tree(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    if (since == ROWS_ALL) {
        write_whole_tree(snapshot, json);
        return;
    }
    struct nodes nodes = {.snapshot = snapshot,
                          .picked = pick_changed_rows(snapshot, snapshot->node_count, snapshot->node_blocks,
                                                      since, json->sink, node_changed)};
    write_tree(&nodes, json);
    free(nodes.picked.rows);
}

static void write_arcs(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    json_array_open(json, "arcs");
    for (uint32_t i = 0; i < snapshot->arc_count; i++) {
        const struct snapshot_arc *arc = &snapshot->arcs[i];
        if (!row_is_wanted(arc->changed, since))
            continue;
        json_object_open(json, NULL);
        json_u64(json, "caller", arc->caller);
        json_u64(json, "callee", arc->callee);
        json_u64(json, "calls", arc->calls);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_samples(const struct snapshot *snapshot, struct json *json)
{
    bool sampled = snapshot->source.provides & PROVIDES_SAMPLES;
    json_object_open(json, "samples");
    json_known_u64(json, "hz", sampled && snapshot->sample_hz > 0, snapshot->sample_hz);
    json_known_u64(json, "total", sampled, snapshot->sample_total);
    json_object_close(json);
}

static void write_checkpoint(uint32_t id, const struct snapshot_checkpoint *row, struct json *json)
{
    bool timed = row->has_pair && row->count > 0;
    json_object_open(json, NULL);
    json_u64(json, "id", id);
    json_text(json, "name", row->name);
    json_known_u64(json, "topic", row->has_pair, row->topic);
    json_known_u64(json, "from", row->has_pair, row->from);
    json_known_u64(json, "to_topic", row->has_pair, row->to_topic);
    json_known_u64(json, "to", row->has_pair, row->to);
    json_text(json, "topic_name", row->topic_name);
    json_text(json, "from_name", row->from_name);
    json_text(json, "to_topic_name", row->to_topic_name);
    json_text(json, "to_name", row->to_name);
    json_text(json, "context", row->context);
    json_text(json, "to_context", row->to_context);
    json_known_u64(json, "count", row->has_pair, row->count);
    json_known_u64(json, "first_ticks", timed, row->first_ticks);
    json_known_u64(json, "min_ticks", timed, row->min_ticks);
    json_known_u64(json, "max_ticks", timed, row->max_ticks);
    if (timed || !row->has_pair)
        json_double(json, "mean_ticks", row->mean_ticks, 3);
    else
        json_null(json, "mean_ticks");
    json_object_close(json);
}

static const char *const severities[] = {
    [SEVERITY_MAX] = "max",         [SEVERITY_FATAL] = "fatal", [SEVERITY_ERROR] = "error",
    [SEVERITY_WARNING] = "warning", [SEVERITY_INFO] = "info",   [SEVERITY_USER1] = "user1",
    [SEVERITY_USER2] = "user2",     [SEVERITY_DEBUG] = "debug"};
static_assert(sizeof severities / sizeof *severities == 8, "three bits of severity each have a name");

static void write_message(const struct snapshot_message *row, struct json *json)
{
    char origin[16];
    snprintf(origin, sizeof origin, "%u:%u", row->origin, row->unit);
    json_object_open(json, NULL);
    json_u64(json, "number", row->number);
    json_u64(json, "ticks", row->ticks);
    json_text(json, "severity", severities[row->severity & 7]);
    json_text(json, "origin", origin);
    if (row->origin_name)
        json_text(json, "origin_name", row->origin_name);
    json_text(json, "text", row->text);
    if (row->type)
        json_text(json, "type", row->type);
    if (row->status)
        json_text(json, "status", row->status);
    if (row->location)
        json_text(json, "location", row->location);
    json_object_close(json);
}

static void write_times(const struct snapshot_context *row, uint64_t known_ticks, struct json *json)
{
    json_u64(json, "running_ticks", row->running_ticks);
    if (row->has_waits) {
        json_u64(json, "preempted_ticks", row->preempted_ticks);
        json_u64(json, "blocked_ticks", row->blocked_ticks);
    }
    if (known_ticks > 0)
        json_double(json, "load_percent", 100.0 * (double)row->running_ticks / (double)known_ticks, 3);
    else
        json_null(json, "load_percent");
}

static void write_stack(const struct snapshot_context *row, struct json *json)
{
    json_known_u64(json, "stack_bytes", row->has_stack, row->stack_bytes);
    json_known_u64(json, "stack_unknown", row->has_stack, row->stack_unknown);
    json_known_u64(json, "stack_node", row->has_stack, row->stack_node);
}

static void write_contexts(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    uint64_t known_ticks = snapshot_known_ticks(snapshot);
    json_array_open(json, "contexts");
    for (uint32_t id = 0; id < snapshot->context_count; id++) {
        if (!row_is_wanted(snapshot->contexts[id].changed, since))
            continue;
        json_object_open(json, NULL);
        json_u64(json, "id", id);
        json_text(json, "name", snapshot->contexts[id].name);
        json_text(json, "kind", snapshot->contexts[id].kind);
        if (snapshot->contexts[id].has_times)
            write_times(&snapshot->contexts[id], known_ticks, json);
        write_stack(&snapshot->contexts[id], json);
        json_object_close(json);
    }
    json_array_close(json);
}

void rows_rest(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    json_bool(json, "call_tree_estimated", snapshot->call_tree_estimated);
    write_arcs(snapshot, since, json);
    write_samples(snapshot, json);
    json_array_open(json, "checkpoints");
    for (uint32_t i = 0; i < snapshot->checkpoint_count; i++)
        if (row_is_wanted(snapshot->checkpoints[i].changed, since))
            write_checkpoint(i, &snapshot->checkpoints[i], json);
    json_array_close(json);
    json_array_open(json, "messages");
    for (uint32_t i = 0; i < snapshot->message_count; i++)
        if (row_is_wanted(snapshot->messages[i]->changed, since))
            write_message(snapshot->messages[i], json);
    json_array_close(json);
    json_u64(json, "messages_dropped", snapshot->messages_dropped);
    write_contexts(snapshot, since, json);
    if (row_is_wanted(snapshot->windows.changed, since))
        windows_write(&snapshot->windows, json);
    if (row_is_wanted(snapshot->bounds.changed, since))
        limits_write(&snapshot->bounds, json);
}
