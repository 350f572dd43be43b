/* export.c - the routes that hand out the profile, or a range of it, in some format. */
#include "export/export.h"

#include "http/download.h"
#include "http/query.h"
#include "http/range.h"
#include "http/routes.h"

#include <stdio.h>

static void answer_metrics(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = site_snapshot(site, response);
    if (!snapshot)
        return;
    const struct exporter *exporter = exporter_find("prometheus");
    response->media_type = exporter->media_type;
    exporter->write(snapshot, &response->body.sink);
    snapshot_unref(snapshot);
}

static void answer_snapshot(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = range_snapshot(site, request, response);
    if (!snapshot)
        return;
    if (snapshot->range.is_set) {
        download_start(exporter_find("json"), snapshot, request, response);
        return;
    }
    response->media_type = "application/json";
    response->shared = cache_snapshot(site->cache, snapshot);
    response->body.sink.failed = response->shared == NULL;
    snapshot_unref(snapshot);
}

/* The file's name tells which snapshot it is of, and which range of it. */
static void name_file(const struct snapshot *snapshot, const char *extension, struct response *response)
{
    char range[64] = "";
    if (snapshot->range.is_set)
        snprintf(range, sizeof range, "-from-%llu-to-%llu", (unsigned long long)snapshot->range.from_ticks,
                 (unsigned long long)snapshot->range.to_ticks);
    response_header(response, "Content-Disposition", "attachment; filename=\"miniprofd-%llu%s.%s\"",
                    (unsigned long long)snapshot->sequence, range, extension);
}

static void answer_export(struct site *site, const struct request *request, struct response *response)
{
    const struct exporter *exporter = exporter_find(request->argument);
    if (!exporter) {
        response_problem(response, 404,
                         "There is no export '%.64s'. GET /api/v1/status lists those there are.",
                         request->argument);
        return;
    }
    struct snapshot *snapshot = range_snapshot(site, request, response);
    if (!snapshot)
        return;
    struct error reason;
    if (!exporter_can(exporter, snapshot, &reason)) {
        response_problem(response, 409, "%s", reason.text);
    } else if (range_take_slot(site, response)) {
        name_file(snapshot, exporter->extension, response);
        download_start(exporter, snapshot, request, response);
        return;
    }
    snapshot_unref(snapshot);
}

const struct route routes_export[] = {
    {.method = "GET",
     .path = "/metrics",
     .answer = answer_metrics,
     .id = "metrics",
     .summary = "Counters of link, target and functions in the Prometheus text format.",
     .media_type = "text/plain",
     .errors = {503}},
    {.method = "GET",
     .path = "/api/v1/snapshot",
     .answer = answer_snapshot,
     .id = "snapshot",
     .summary = "The whole snapshot; with from or to only what ran in that stretch of time, as far as the "
                "timeline still holds it. It then has the member range.",
     .media_type = ROUTE_JSON,
     .schema = "snapshot",
     .query = QUERY_RANGE,
     .errors = {400, 410, 503}},
    {.method = "GET",
     .path = "/api/v1/export/{format}",
     .answer = answer_export,
     .id = "export",
     .summary = "The profile in another tool's format, as a file. The status lists the formats.",
     .media_type = "application/octet-stream",
     .argument = {"format", "The id of the format."},
     .query = QUERY_RANGE,
     .errors = {400, 404, 409, 410, 503}},
    {0},
};
