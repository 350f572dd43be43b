/* rows.c - the rows of the snapshot JSON. */
#include "export/rows.h"

#include "base/clock.h"
#include "export/export.h"

static bool wanted(uint64_t changed, uint64_t since)
{
    return since == ROWS_ALL || changed > since;
}

void rows_head(const struct snapshot *snapshot, struct json *json)
{
    char captured_at[CLOCK_ISO8601_SIZE];
    clock_iso8601(snapshot->captured_at_wall_ns, captured_at);
    json_u64(json, "sequence", snapshot->sequence);
    json_text(json, "captured_at", captured_at);
}

/* Unknown numbers are null, never 0. */
static void known_u64(struct json *json, const char *key, bool known, uint64_t value)
{
    if (known)
        json_u64(json, key, value);
    else
        json_null(json, key);
}

static void names(const struct snapshot_function *function, struct json *json)
{
    json_text(json, "name", function->name);
    if (function->raw_name != function->name)
        json_text(json, "raw_name", function->raw_name);
    if (function->has_address)
        json_hex(json, "address", function->address, 8);
    else
        json_null(json, "address");
    known_u64(json, "size", function->size > 0, function->size);
    json_text(json, "file", function->file);
    known_u64(json, "line", function->line > 0, function->line);
}

static void members(const struct snapshot_function *function, struct json *json)
{
    bool calls = function->known & FUNCTION_CALLS;
    bool times = (function->known & FUNCTION_TIMES) && function->calls > 0;
    names(function, json);
    known_u64(json, "calls", calls, function->calls);
    known_u64(json, "total_ticks", times, function->total_ticks);
    known_u64(json, "self_ticks", times, function->self_ticks);
    known_u64(json, "min_ticks", times, function->min_ticks);
    known_u64(json, "max_ticks", times, function->max_ticks);
    if (times)
        json_double(json, "mean_ticks", (double)function->sum_ticks / (double)function->calls, 3);
    else
        json_null(json, "mean_ticks");
    known_u64(json, "p50_ticks", times, function->p50_ticks);
    known_u64(json, "p90_ticks", times, function->p90_ticks);
    known_u64(json, "p99_ticks", times, function->p99_ticks);
    known_u64(json, "samples", function->known & FUNCTION_SAMPLES, function->samples);
}

void export_function(const struct snapshot *snapshot, uint32_t id, struct json *json)
{
    json_u64(json, "id", id);
    members(&snapshot->functions[id], json);
}

void rows_functions(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    json_array_open(json, "functions");
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        if (!wanted(snapshot->functions[id].changed, since))
            continue;
        json_object_open(json, NULL);
        export_function(snapshot, id, json);
        json_object_close(json);
    }
    json_array_close(json);
}

static uint64_t node_index(const struct snapshot *snapshot, uint32_t node)
{
    return node;
}

static uint64_t node_context(const struct snapshot *snapshot, uint32_t node)
{
    return snapshot->nodes[node].context;
}

static uint64_t node_calls(const struct snapshot *snapshot, uint32_t node)
{
    return snapshot->nodes[node].calls;
}

static uint64_t node_total(const struct snapshot *snapshot, uint32_t node)
{
    return snapshot->nodes[node].total_ticks;
}

static uint64_t node_self(const struct snapshot *snapshot, uint32_t node)
{
    return snapshot->nodes[node].self_ticks;
}

static void column(const struct snapshot *snapshot, uint64_t since, struct json *json, const char *key,
                   uint64_t (*value)(const struct snapshot *snapshot, uint32_t node))
{
    json_array_open(json, key);
    for (uint32_t node = 0; node < snapshot->node_count; node++)
        if (wanted(snapshot->nodes[node].changed, since))
            json_u64(json, NULL, value(snapshot, node));
    json_array_close(json);
}

void rows_call_tree(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    json_object_open(json, "call_tree");
    if (since != ROWS_ALL)
        column(snapshot, since, json, "index", node_index);
    json_array_open(json, "parent");
    for (uint32_t node = 0; node < snapshot->node_count; node++)
        if (wanted(snapshot->nodes[node].changed, since))
            json_i64(json, NULL, snapshot->nodes[node].parent);
    json_array_close(json);
    json_array_open(json, "function");
    for (uint32_t node = 0; node < snapshot->node_count; node++)
        if (wanted(snapshot->nodes[node].changed, since))
            json_i64(json, NULL, snapshot->nodes[node].function);
    json_array_close(json);
    column(snapshot, since, json, "context", node_context);
    column(snapshot, since, json, "calls", node_calls);
    column(snapshot, since, json, "total_ticks", node_total);
    column(snapshot, since, json, "self_ticks", node_self);
    json_object_close(json);
}

void rows_rest(const struct snapshot *snapshot, uint64_t since, struct json *json)
{
    /* No dialect fills these four yet; they are there because readers may rely on the keys. */
    json_array_open(json, "arcs");
    json_array_close(json);
    json_object_open(json, "samples");
    json_null(json, "hz");
    json_null(json, "total");
    json_object_close(json);
    json_array_open(json, "checkpoints");
    json_array_close(json);
    json_array_open(json, "messages");
    json_array_close(json);

    json_array_open(json, "contexts");
    for (uint32_t id = 0; id < snapshot->context_count; id++) {
        if (!wanted(snapshot->contexts[id].changed, since))
            continue;
        json_object_open(json, NULL);
        json_u64(json, "id", id);
        json_text(json, "name", snapshot->contexts[id].name);
        json_text(json, "kind", snapshot->contexts[id].kind);
        json_object_close(json);
    }
    json_array_close(json);
}
