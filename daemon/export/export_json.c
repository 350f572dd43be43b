/* export_json.c - the whole snapshot as JSON: the format that other programs should read. */
#include "export/description_json.h"
#include "export/export.h"
#include "export/rows.h"

enum { SCHEMA_VERSION = 1 };

void export_snapshot(const struct snapshot *snapshot, struct sink *sink)
{
    struct json json = {.sink = sink};
    json_object_open(&json, NULL);
    json_text(&json, "schema", "miniprofd.snapshot");
    json_u64(&json, "schema_version", SCHEMA_VERSION);
    json_text(&json, "producer", "miniprofd " MINIPROFD_VERSION);
    rows_head(snapshot, &json);
    measurement_write(&snapshot->source.measurement, &json);
    export_health(snapshot, &json);
    rows_functions(snapshot, ROWS_ALL, &json);
    rows_call_tree(snapshot, ROWS_ALL, &json);
    rows_rest(snapshot, ROWS_ALL, &json);
    json_object_close(&json);
}

static void write_json(const struct snapshot *snapshot, struct sink *sink)
{
    export_snapshot(snapshot, sink);
    sink_char(sink, '\n');
}

const struct exporter exporter_json = {
    .id = "json",
    .title = "Snapshot (JSON)",
    .summary = "everything that was added up, for programs; can be opened again by the page",
    .media_type = "application/json",
    .extension = "json",
    .write = write_json,
};
