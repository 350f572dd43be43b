/* process_metrics.h - what the daemon itself takes, by the names that collectors know from every program. */
#ifndef API_PROCESS_METRICS_H
#define API_PROCESS_METRICS_H

#include "base/sink.h"

/* Writes process_cpu_seconds_total, process_resident_memory_bytes, process_virtual_memory_bytes,
 * process_open_fds, process_max_fds, process_threads and process_start_time_seconds, in the text format of
 * Prometheus; what the system does not tell is left out. */
void process_write(struct sink *sink);

#endif
