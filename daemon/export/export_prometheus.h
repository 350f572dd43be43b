/* export_prometheus.h - the exporter "prometheus" for /metrics, which is requested repeatedly. */
#ifndef EXPORT_EXPORT_PROMETHEUS_H
#define EXPORT_EXPORT_PROMETHEUS_H

#include "export/roster.h"

/* Updates the roster to the snapshot, and writes the metrics with the functions that it lists. Makes the sink
 * fail when memory is used up. */
void prometheus_write(const struct snapshot *snapshot, struct roster *roster, struct sink *sink);

/* Writes the metrics of functions only. */
void prometheus_write_functions(const struct snapshot *snapshot, struct roster *roster, struct sink *sink);

#endif
