/* delta.c - writes the changes between two snapshots as JSON. */
#include "export/export.h"
#include "export/rows.h"

void export_delta(const struct snapshot *snapshot, uint64_t since, struct sink *sink)
{
    struct json json = {.sink = sink};
    json_object_open(&json, NULL);
    json_u64(&json, "since", since);
    rows_head(snapshot, &json);
    export_health(snapshot, &json);
    rows_functions(snapshot, since, &json);
    rows_call_tree(snapshot, since, &json);
    rows_rest(snapshot, since, &json);
    json_object_close(&json);
}
