/* metrics.h - a snapshot in the Prometheus text format (version 0.0.4). */
#ifndef HTTP_METRICS_H
#define HTTP_METRICS_H

#include "base/sink.h"
#include "profile/snapshot.h"

enum { METRICS_FUNCTIONS_MOST = 500 };

/* Counters of link and target, and of the METRICS_FUNCTIONS_MOST functions with most time of their own. */
void metrics_write(const struct snapshot *snapshot, const char *version, struct sink *sink);

#endif
