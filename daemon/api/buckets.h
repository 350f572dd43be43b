/* buckets.h - writes a histogram into an answer. */
#ifndef API_BUCKETS_H
#define API_BUCKETS_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes the member "histogram": columns with the first and last tick of each bucket, and counts. */
void buckets_write(const struct snapshot_histogram *histogram, struct json *json);

#endif
