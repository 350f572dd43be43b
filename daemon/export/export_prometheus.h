/* export_prometheus.h - what /metrics answers: the exporter "prometheus", for who is asked
 * again and again. */
#ifndef EXPORT_EXPORT_PROMETHEUS_H
#define EXPORT_EXPORT_PROMETHEUS_H

#include "export/roster.h"

/* Writes the metrics, the functions as the roster lists them, which it brings up to the snapshot. Fails the
 * sink when memory is used up. */
void prometheus_write(const struct snapshot *snapshot, struct roster *roster, struct sink *sink);

/* Those of functions. */
void prometheus_write_functions(const struct snapshot *snapshot, struct roster *roster, struct sink *sink);

#endif
