/* export_speedscope.c - the format of speedscope.app (file-format-schema.json): the call tree as stacks with
 * weights.
 *
 * There is one sampled profile per context, since speedscope shows one at a time. Each node of the tree with
 * self time is one stack. Weights are microseconds with three decimals, or ticks where their rate is unknown.
 * All digits are written, but speedscope is JavaScript and keeps 53 bits. */
#include "export/export.h"

#include "base/json.h"
#include "export/ticks.h"

#include <stdio.h>
#include <stdlib.h>

static void write_frames(const struct snapshot *snapshot, struct json *json)
{
    json_object_open(json, "shared");
    json_array_open(json, "frames");
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        json_object_open(json, NULL);
        json_text(json, "name", function->name);
        if (function->file)
            json_text(json, "file", function->file);
        if (function->line > 0)
            json_u64(json, "line", function->line);
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

/* The nodes that have self time, grouped by context. */
struct stacks {
    const struct snapshot *snapshot;
    uint32_t *nodes;
    uint32_t from[UINT16_MAX + 2]; /* nodes of context c: nodes[from[c]] ... nodes[from[c + 1] - 1] */
};

static bool has_stack(const struct snapshot *snapshot, uint32_t node)
{
    return node > 0 && snapshot->nodes[node].self_ticks > 0;
}

static void sort_stacks(struct stacks *stacks)
{
    const struct snapshot *snapshot = stacks->snapshot;
    for (uint32_t node = 0; node < snapshot->node_count; node++)
        if (has_stack(snapshot, node))
            stacks->from[snapshot->nodes[node].context + 1]++;
    for (uint32_t context = 0; context <= UINT16_MAX; context++)
        stacks->from[context + 1] += stacks->from[context];
    /* Filled from the back, so that from[] ends up at the first node of each context. */
    for (uint32_t node = snapshot->node_count; node-- > 0;)
        if (has_stack(snapshot, node))
            stacks->nodes[--stacks->from[snapshot->nodes[node].context + 1]] = node;
    for (uint32_t context = 0; context <= UINT16_MAX; context++)
        stacks->from[context] = stacks->from[context + 1];
}

static void write_stack(const struct snapshot *snapshot, uint32_t node, struct json *json)
{
    if (snapshot->nodes[node].parent > 0)
        write_stack(snapshot, (uint32_t)snapshot->nodes[node].parent, json);
    json_i64(json, NULL, snapshot->nodes[node].function);
}

static uint64_t weight_of(const struct snapshot *snapshot, uint32_t node)
{
    uint64_t rate = snapshot->target.ticks_per_second, self = snapshot->nodes[node].self_ticks;
    return rate ? ticks_nanoseconds(self, rate) : self;
}

static const char *context_name(const struct snapshot *snapshot, uint32_t context)
{
    return context < snapshot->context_count ? snapshot->contexts[context].name : "main";
}

static void write_profile(const struct stacks *stacks, uint32_t context, struct json *json)
{
    const struct snapshot *snapshot = stacks->snapshot;
    uint32_t from = stacks->from[context], to = stacks->from[context + 1];
    int decimals = snapshot->target.ticks_per_second ? 3 : 0;
    uint64_t end = 0;
    json_object_open(json, NULL);
    json_text(json, "type", "sampled");
    json_text(json, "name", context_name(snapshot, context));
    json_text(json, "unit", snapshot->target.ticks_per_second ? "microseconds" : "none");
    json_array_open(json, "samples");
    for (uint32_t i = from; i < to; i++) {
        json_array_open(json, NULL);
        write_stack(snapshot, stacks->nodes[i], json);
        json_array_close(json);
    }
    json_array_close(json);
    json_array_open(json, "weights");
    for (uint32_t i = from; i < to; i++) {
        uint64_t weight = weight_of(snapshot, stacks->nodes[i]);
        end += weight;
        json_decimal(json, NULL, weight, decimals);
    }
    json_array_close(json);
    json_u64(json, "startValue", 0);
    json_decimal(json, "endValue", end, decimals);
    json_object_close(json);
}

static uint64_t context_ticks(const struct stacks *stacks, uint32_t context)
{
    uint64_t ticks = 0;
    for (uint32_t i = stacks->from[context]; i < stacks->from[context + 1]; i++)
        ticks += stacks->snapshot->nodes[stacks->nodes[i]].self_ticks;
    return ticks;
}

/* Writes a profile for each context. The viewer opens the busiest one that is not idle. */
static void write_profiles(const struct snapshot *snapshot, struct json *json)
{
    struct stacks *stacks = calloc(1, sizeof *stacks);
    if (stacks)
        stacks->nodes = malloc(snapshot->node_count * sizeof *stacks->nodes);
    if (!stacks || !stacks->nodes) {
        json->sink->failed = true;
        free(stacks);
        return;
    }
    stacks->snapshot = snapshot;
    sort_stacks(stacks);
    json_array_open(json, "profiles");
    uint64_t written = 0, busiest = 0, most_ticks = 0;
    for (uint32_t context = 0; context <= UINT16_MAX; context++) {
        if (stacks->from[context] == stacks->from[context + 1])
            continue;
        write_profile(stacks, context, json);
        uint64_t ticks = snapshot_context_is_idle(snapshot, context) ? 0 : context_ticks(stacks, context);
        if (ticks > most_ticks) {
            most_ticks = ticks;
            busiest = written;
        }
        written++;
    }
    if (written == 0)
        write_profile(stacks, 0, json);
    json_array_close(json);
    json_u64(json, "activeProfileIndex", busiest);
    free(stacks->nodes);
    free(stacks);
}

/* Makes the profile's name, the only text that the viewer shows beside the profile. */
static const char *name_of(const struct snapshot *snapshot, char *name, size_t size)
{
    bool complete = snapshot_incomplete(snapshot).n == 0;
    snprintf(name, size, "%s%s", snapshot->source.port, complete ? "" : " (incomplete)");
    return name;
}

static void write_speedscope(const struct snapshot *snapshot, struct sink *sink)
{
    char name[sizeof snapshot->source.port + sizeof " (incomplete)"];
    struct json json = {.sink = sink};
    json_object_open(&json, NULL);
    json_text(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
    json_text(&json, "exporter", "miniprofd " MINIPROFD_VERSION);
    json_text(&json, "name", name_of(snapshot, name, sizeof name));
    write_frames(snapshot, &json);
    write_profiles(snapshot, &json);
    json_object_close(&json);
    sink_char(sink, '\n');
}

const struct exporter exporter_speedscope = {
    .id = "speedscope",
    .title = "speedscope",
    .summary = "stacks with their time, for speedscope.app",
    .media_type = "application/json",
    .extension = "speedscope.json",
    .needs = PROVIDES_TREE,
    .write = write_speedscope,
};
