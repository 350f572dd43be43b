/* route_overtime.c - the handler for the figures of one function over time. */
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "snapshot/overtime.h"

#include <stdlib.h>

enum { OVERTIME_COLUMNS = 400, OVERTIME_COLUMNS_MOST = 4000 };

struct field {
    const char *key;
    uint64_t (*of)(const struct overtime_column *column);
};

#define FIELD(name, member)                                                                                  \
    static uint64_t name(const struct overtime_column *column)                                               \
    {                                                                                                        \
        return column->member;                                                                               \
    }

FIELD(of_column, column)
FIELD(of_calls, calls)
FIELD(of_min, min_ticks)
FIELD(of_p50, p50_ticks)
FIELD(of_p99, p99_ticks)
FIELD(of_max, max_ticks)
FIELD(of_periods, periods)
FIELD(of_period, period_ticks)
FIELD(of_period_min, period_min_ticks)
FIELD(of_period_max, period_max_ticks)
FIELD(of_period_jitter, period_jitter_ticks)
FIELD(of_start, start_ticks)
FIELD(of_context, context)
FIELD(of_depth, depth)

static const struct field fields[] = {{"column", of_column},
                                      {"calls", of_calls},
                                      {"min", of_min},
                                      {"p50", of_p50},
                                      {"p99", of_p99},
                                      {"max", of_max},
                                      {"periods", of_periods},
                                      {"period_ticks", of_period},
                                      {"period_min", of_period_min},
                                      {"period_max", of_period_max},
                                      {"period_jitter", of_period_jitter},
                                      {"start", of_start},
                                      {"context", of_context},
                                      {"depth", of_depth}};

static void write_columns(const struct overtime_column *columns, size_t n, struct json *json)
{
    json_object_open(json, "rows");
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        json_array_open(json, fields[f].key);
        for (size_t i = 0; i < n; i++)
            json_u64(json, NULL, fields[f].of(&columns[i]));
        json_array_close(json);
    }
    json_object_close(json);
}

static void write_gaps(const struct snapshot *snapshot, const struct query_range *range, struct json *json)
{
    struct snapshot_gap *gaps = malloc(SNAPSHOT_GAPS_MAX * sizeof *gaps);
    json->sink->failed |= !gaps;
    size_t n = gaps ? snapshot_gaps(snapshot, range->from, range->to, gaps) : 0;
    json_array_open(json, "gaps");
    for (size_t i = 0; i < n; i++) {
        json_array_open(json, NULL);
        json_u64(json, NULL, gaps[i].from_ticks);
        json_u64(json, NULL, gaps[i].to_ticks);
        json_array_close(json);
    }
    json_array_close(json);
    free(gaps);
}

static void write_over_time(const struct snapshot *snapshot, uint32_t function,
                            const struct query_range *range, uint32_t columns, struct response *response)
{
    const struct overtime_stretch stretch = {.function = function,
                                             .from_ticks = range->from,
                                             .to_ticks = range->to,
                                             .step_ticks = overtime_step(range->from, range->to, columns)};
    size_t n;
    struct overtime_column *rows = snapshot_over_time(snapshot, &stretch, &n);
    response->body.sink.failed = !rows;
    if (rows) {
        struct json json = response_json(response);
        json_object_open(&json, NULL);
        json_u64(&json, "id", function);
        json_u64(&json, "sequence", snapshot->sequence);
        json_u64(&json, "from", range->from);
        json_u64(&json, "to", range->to);
        json_u64(&json, "step", stretch.step_ticks);
        range_write_held(snapshot, &json);
        json_bool(&json, "excerpts", snapshot->windows.are_all);
        write_columns(rows, n, &json);
        write_gaps(snapshot, range, &json);
        json_object_close(&json);
    }
    free(rows);
}

static void answer_over_time(struct site *site, const struct request *request, struct response *response)
{
    uint64_t id, columns = OVERTIME_COLUMNS;
    struct query_range range;
    if (!query_function(request, &id, response))
        return;
    struct snapshot *snapshot = range_whole(site, request, response);
    if (!snapshot)
        return;
    if (query_range(request, snapshot, &(struct request_number){"columns", &columns}, 1, &range, response)) {
        if (columns < 1 || columns > OVERTIME_COLUMNS_MOST)
            response_problem(response, 400, "The parameter 'columns' must be 1 to %d.",
                             OVERTIME_COLUMNS_MOST);
        else if (id >= snapshot->function_count)
            response_problem(response, 404, "There is no function %llu.", (unsigned long long)id);
        else if (range_take_slot(site, response))
            write_over_time(snapshot, (uint32_t)id, &range, (uint32_t)columns, response);
    }
    snapshot_unref(snapshot);
}

const struct route routes_overtime[] = {
    {.method = "GET",
     .path = "/api/v1/functions/{id}/over-time",
     .answer = answer_over_time,
     .id = "functionOverTime",
     .summary =
         "One function over time: the stretch is cut into columns of `step` ticks, and `rows` has those "
         "in which calls began that the timeline holds, with how many, their shortest, p50, p99 and "
         "longest duration, how many times from the start of a call to that of the next in the same "
         "context ended there (`periods`), their sum (`period_ticks`), the shortest, the longest and their "
         "standard deviation to a tick (`period_min`, `period_max`, `period_jitter`; 0 where `periods` is "
         "0), "
         "and where the longest call is on the timeline. `gaps`: [from, to] where records are missing. "
         "`excerpts`: the target "
         "counts its calls, and single ones are known inside of windows only.",
     .media_type = ROUTE_JSON,
     .schema = "over_time",
     .argument = {"id", "The function's id in the snapshot."},
     .query = {{"from", "First tick of the stretch; the oldest that is kept when left out."},
               {"to", "Last tick of the stretch; the newest when left out."},
               {"columns", "How many columns at most: 1 to 4000, 400 when left out."},
               QUERY_PAUSE},
     .errors = {400, 404, 410, 503}},
    {0},
};
