/* function.c - the handler that tells all about one function. */
#include "http/api.h"

#include "base/map.h"
#include "exchange/mailbox.h"
#include "export/export.h"
#include "http/range.h"

#include <stdlib.h>
#include <string.h>

/* Functions next to this one in the call tree, each with what the calls on that edge add up to. */
struct neighbours {
    struct map rows; /* function -> index */
    struct neighbour {
        uint32_t function;
        uint64_t calls, total_ticks;
    } * list;
    uint32_t n, capacity;
};

static void neighbours_fini(struct neighbours *neighbours)
{
    map_fini(&neighbours->rows);
    free(neighbours->list);
}

static bool neighbours_add(struct neighbours *neighbours, uint32_t function, uint64_t calls,
                           uint64_t total_ticks)
{
    uint32_t row = map_find(&neighbours->rows, function);
    if (row == MAP_NONE) {
        if (neighbours->n == neighbours->capacity) {
            uint32_t capacity = neighbours->capacity ? neighbours->capacity * 2 : 16;
            void *grown = realloc(neighbours->list, capacity * sizeof *neighbours->list);
            if (!grown)
                return false;
            neighbours->list = grown;
            neighbours->capacity = capacity;
        }
        row = neighbours->n;
        if (!map_set(&neighbours->rows, function, row))
            return false;
        neighbours->list[neighbours->n++] = (struct neighbour){.function = function};
    }
    neighbours->list[row].calls += calls;
    neighbours->list[row].total_ticks += total_ticks;
    return true;
}

static int32_t function_of(const struct snapshot *snapshot, int32_t node)
{
    return node < 0 ? -1 : snapshot->nodes[node].function;
}

/* Time inside a recursive call is inside the outer call, too, and counted there; so the callers' ticks add up
 * to the function's. */
static bool sum_callers(const struct snapshot *snapshot, int32_t id, struct neighbours *callers)
{
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        int32_t caller = function_of(snapshot, node->parent);
        if (node->function == id && caller >= 0 && (node->calls || node->total_ticks) &&
            !neighbours_add(callers, (uint32_t)caller, node->calls, node->recursive ? 0 : node->total_ticks))
            return false;
    }
    return true;
}

/* The same for the edges down: a call of the same callee by the same function further out counts for the
 * inner one, too. outer[i] is the next node up from i, or i's parent, that stands for a call by function
 * `id`. */
static bool sum_callees(const struct snapshot *snapshot, int32_t id, struct neighbours *callees)
{
    uint32_t *outer = calloc(snapshot->node_count, sizeof *outer);
    bool enough = outer != NULL;
    for (uint32_t i = 1; i < snapshot->node_count && enough; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        uint32_t parent = (uint32_t)node->parent;
        bool parent_is_callee = function_of(snapshot, snapshot->nodes[parent].parent) == id;
        outer[i] = parent_is_callee ? parent : outer[parent];
        if (function_of(snapshot, node->parent) != id || (!node->calls && !node->total_ticks))
            continue;
        uint32_t above = outer[i];
        while (above && snapshot->nodes[above].function != node->function)
            above = outer[above];
        enough =
            neighbours_add(callees, (uint32_t)node->function, node->calls, above ? 0 : node->total_ticks);
    }
    free(outer);
    return enough;
}

static int by_ticks_then_id(const void *a, const void *b)
{
    const struct neighbour *left = a, *right = b;
    if (left->total_ticks != right->total_ticks)
        return left->total_ticks < right->total_ticks ? 1 : -1;
    return left->function < right->function ? -1 : 1;
}

static void write_neighbours(const struct snapshot *snapshot, const char *key, struct neighbours *neighbours,
                             struct json *json)
{
    if (neighbours->n)
        qsort(neighbours->list, neighbours->n, sizeof *neighbours->list, by_ticks_then_id);
    json_array_open(json, key);
    for (uint32_t i = 0; i < neighbours->n; i++) {
        const struct neighbour *neighbour = &neighbours->list[i];
        json_object_open(json, NULL);
        json_u64(json, "id", neighbour->function);
        json_text(json, "name", snapshot->functions[neighbour->function].name);
        json_u64(json, "calls", neighbour->calls);
        json_u64(json, "total_ticks", neighbour->total_ticks);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_histogram(const struct snapshot_histogram *histogram, struct json *json)
{
    json_object_open(json, "histogram");
    json_text(json, "unit", "ticks");
    json_array_open(json, "low");
    for (size_t i = 0; i < histogram->n; i++)
        json_u64(json, NULL, histogram->buckets[i].low_ticks);
    json_array_close(json);
    json_array_open(json, "high");
    for (size_t i = 0; i < histogram->n; i++)
        json_u64(json, NULL, histogram->buckets[i].high_ticks);
    json_array_close(json);
    json_array_open(json, "count");
    for (size_t i = 0; i < histogram->n; i++)
        json_u64(json, NULL, histogram->buckets[i].count);
    json_array_close(json);
    json_object_close(json);
}

static void write_function(const struct snapshot *snapshot, uint32_t id,
                           const struct snapshot_histogram *histogram, struct response *response)
{
    struct neighbours callers = {0}, callees = {0};
    if (sum_callers(snapshot, (int32_t)id, &callers) && sum_callees(snapshot, (int32_t)id, &callees)) {
        struct json json = response_json(response);
        json_object_open(&json, NULL);
        export_function(snapshot, id, &json);
        write_histogram(histogram, &json);
        write_neighbours(snapshot, "callers", &callers, &json);
        write_neighbours(snapshot, "callees", &callees, &json);
        json_object_close(&json);
    } else {
        response->body.sink.failed = true;
    }
    neighbours_fini(&callers);
    neighbours_fini(&callees);
}

/* Of a window the spread is known; of the whole only the ingest thread has it. */
static enum order_result find_histogram(struct site *site, const struct snapshot *snapshot, uint32_t id,
                                        struct snapshot_histogram *histogram)
{
    if (snapshot->range.is_set)
        return snapshot_histogram(snapshot, id, histogram) ? ORDER_DONE : ORDER_NOT_FOUND;
    struct order order = {.kind = ORDER_HISTOGRAM, .function = id};
    enum order_result result = mailbox_ask(site->settings.mailbox, &order);
    *histogram = order.histogram;
    return result;
}

void api_function(struct site *site, const struct request *request, struct response *response)
{
    uint64_t id;
    if (!request_parse_u64(request->argument, strlen(request->argument), &id)) {
        response_problem(response, 400, "A function's id is a number, as the snapshot has it.");
        return;
    }
    struct snapshot *snapshot = range_snapshot(site, request, response);
    if (!snapshot)
        return;
    struct snapshot_histogram histogram;
    enum order_result result = id < snapshot->function_count
                                   ? find_histogram(site, snapshot, (uint32_t)id, &histogram)
                                   : ORDER_NOT_FOUND;
    if (result == ORDER_DONE) {
        write_function(snapshot, (uint32_t)id, &histogram, response);
        free(histogram.buckets);
    } else if (result == ORDER_NOT_FOUND) {
        response_problem(response, 404, "There is no function %llu.", (unsigned long long)id);
    } else {
        response_problem(response, 503, "miniprofd has no time for this now: ask again in a second.");
        response_header(response, "Retry-After", "1");
    }
    snapshot_unref(snapshot);
}
