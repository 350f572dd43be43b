/* process_metrics.h - writes metrics of the daemon's process, with the standard names of Prometheus. */
#ifndef API_PROCESS_METRICS_H
#define API_PROCESS_METRICS_H

#include "base/sink.h"

/* Writes process_cpu_seconds_total, process_resident_memory_bytes, process_virtual_memory_bytes,
 * process_open_fds, process_max_fds, process_threads and process_start_time_seconds, in the text format of
 * Prometheus. Values that the system does not provide are left out. */
void process_write(struct sink *sink);

#endif
