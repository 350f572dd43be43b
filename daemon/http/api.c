/* api.c - the handlers that read. */
#include "http/api.h"

#include "export/export.h"
#include "http/download.h"
#include "http/openapi.h"
#include "http/range.h"
#include "http/site.h"
#include "http/sse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True when there is no query; else a 400. */
static bool no_query(const struct request *request, struct response *response)
{
    struct error err;
    if (request_read_query(request, NULL, 0, &err))
        return true;
    response_problem(response, 400, "%s", err.text);
    return false;
}

void api_page(struct site *site, const struct request *request, struct response *response)
{
    files_answer(&site->files, request, response);
}

void api_healthz(struct site *site, const struct request *request, struct response *response)
{
    response->media_type = "text/plain; charset=utf-8";
    sink_text(&response->body.sink, "ok\n");
}

void api_metrics(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = site_snapshot(site, response);
    if (!snapshot)
        return;
    const struct exporter *exporter = exporter_find("prometheus");
    response->media_type = exporter->media_type;
    exporter->write(snapshot, &response->body.sink);
    snapshot_unref(snapshot);
}

void api_openapi(struct site *site, const struct request *request, struct response *response)
{
    if (!no_query(request, response))
        return;
    struct json json = response_json(response);
    openapi_write(site->settings.version, &json);
}

static void write_exports(const struct snapshot *snapshot, struct json *json)
{
    json_array_open(json, "exports");
    for (const struct exporter *const *next = exporter_registry; *next; next++) {
        const struct exporter *exporter = *next;
        struct error reason;
        bool available = exporter_can(exporter, snapshot, &reason);
        json_object_open(json, NULL);
        json_text(json, "id", exporter->id);
        json_text(json, "title", exporter->title);
        json_text(json, "summary", exporter->summary);
        json_text(json, "extension", exporter->extension);
        json_text(json, "media_type", exporter->media_type);
        json_bool(json, "available", available);
        json_text(json, "reason", available ? NULL : reason.text);
        json_object_close(json);
    }
    json_array_close(json);
}

void api_write_status(const struct site *site, const struct snapshot *snapshot, struct json *json)
{
    json_object_open(json, NULL);
    json_text(json, "version", site->settings.version);
    json_u64(json, "sequence", snapshot->sequence);
    write_exports(snapshot, json);
    json_array_open(json, "dialects");
    for (size_t i = 0; i < site->settings.dialect_n; i++) {
        const struct http_dialect *dialect = &site->settings.dialects[i];
        json_object_open(json, NULL);
        json_text(json, "id", dialect->id);
        json_text(json, "title", dialect->title);
        json_text(json, "summary", dialect->summary);
        json_object_close(json);
    }
    json_array_close(json);
    export_health(snapshot, json);
    json_object_close(json);
}

void api_status(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = no_query(request, response) ? site_snapshot(site, response) : NULL;
    if (!snapshot)
        return;
    struct json json = response_json(response);
    api_write_status(site, snapshot, &json);
    snapshot_unref(snapshot);
}

void api_snapshot(struct site *site, const struct request *request, struct response *response)
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

void api_export(struct site *site, const struct request *request, struct response *response)
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

void api_events(struct site *site, const struct request *request, struct response *response)
{
    if (!no_query(request, response))
        return;
    response->media_type = "text/event-stream";
    response->stream = sse_open(site, request->last_event_id);
    if (!response->stream)
        response_problem(response, 503, "Too many pages listen to miniprofd already: close some.");
}
