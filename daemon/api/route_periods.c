/* route_periods.c - the handler for the distribution of a function's periods. */
#include "api/buckets.h"
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "snapshot/heldperiods.h"

static void write_figures(const struct heldperiods *periods, struct json *json)
{
    const struct {
        const char *key;
        uint64_t ticks;
    } whole[] = {{"min_ticks", periods->min_ticks},
                 {"p50_ticks", periods->p50_ticks},
                 {"p90_ticks", periods->p90_ticks},
                 {"p99_ticks", periods->p99_ticks},
                 {"max_ticks", periods->max_ticks}};
    json_u64(json, "periods", periods->n);
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        json_known_u64(json, whole[i].key, periods->n > 0, whole[i].ticks);
    if (periods->n > 0) {
        json_double(json, "mean_ticks", periods->mean_ticks, 3);
        json_double(json, "jitter_ticks", periods->jitter_ticks, 3);
    } else {
        json_null(json, "mean_ticks");
        json_null(json, "jitter_ticks");
    }
}

static void write_examples(const struct heldperiods *periods, struct json *json)
{
    json_array_open(json, "examples");
    for (size_t i = 0; i < periods->histogram.n; i++) {
        const struct heldperiod *example = &periods->examples[i];
        json_object_open(json, NULL);
        json_u64(json, "start", example->start_ticks);
        json_u64(json, "duration", example->duration_ticks);
        json_u64(json, "period", example->period_ticks);
        json_u64(json, "context", example->context);
        json_u64(json, "depth", example->depth);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_periods(const struct snapshot *snapshot, uint32_t function, const struct query_range *range,
                          struct response *response)
{
    struct heldperiods periods;
    if (!heldperiods_find(snapshot, function, range->from, range->to, &periods)) {
        response->body.sink.failed = true;
        return;
    }
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_u64(&json, "id", function);
    json_u64(&json, "sequence", snapshot->sequence);
    json_u64(&json, "from", range->from);
    json_u64(&json, "to", range->to);
    range_write_held(snapshot, &json);
    json_bool(&json, "recursive", snapshot->functions[function].may_recur);
    json_bool(&json, "excerpts", snapshot->windows.are_all);
    write_figures(&periods, &json);
    buckets_write(&periods.histogram, &json);
    write_examples(&periods, &json);
    json_object_close(&json);
    heldperiods_fini(&periods);
}

static void answer_periods(struct site *site, const struct request *request, struct response *response)
{
    uint64_t id;
    struct query_range range;
    if (!query_function(request, &id, response))
        return;
    struct snapshot *snapshot = range_whole(site, request, response);
    if (!snapshot)
        return;
    if (query_range(request, snapshot, NULL, 0, &range, response)) {
        if (id >= snapshot->function_count)
            response_problem(response, 404, "There is no function %llu.", (unsigned long long)id);
        else if (range_take_slot(site, response))
            write_periods(snapshot, (uint32_t)id, &range, response);
    }
    snapshot_unref(snapshot);
}

const struct route routes_periods[] = {
    {.method = "GET",
     .path = "/api/v1/functions/{id}/periods",
     .answer = answer_periods,
     .id = "functionPeriods",
     .summary =
         "The times from the start of a call of one function to that of the next in the same context, of "
         "the calls that the timeline holds and that began in the stretch: how many (`periods`), their "
         "shortest, p50, p90, p99, longest and mean, their standard deviation (`jitter_ticks`), and their "
         "`histogram`, in the buckets that durations have; `examples` has for each bucket the call that "
         "began the newest period in it. The function's row is of all calls there were, this of those "
         "that are held. Nothing is measured across a loss, a reset or a stop, nor of a function that may "
         "call itself (`recursive`). `excerpts`: the target counts its calls, and single ones are known "
         "inside of windows only.",
     .media_type = ROUTE_JSON,
     .schema = "periods",
     .argument = {"id", "The function's id in the snapshot."},
     .query = QUERY_RANGE,
     .errors = {400, 404, 410, 503}},
    {0},
};
