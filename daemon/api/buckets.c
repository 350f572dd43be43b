/* buckets.c - writes a histogram into an answer. */
#include "api/buckets.h"

void buckets_write(const struct snapshot_histogram *histogram, struct json *json)
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
