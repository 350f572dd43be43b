/* metric.h - writes lines of the text format of Prometheus (version 0.0.4). Each name gets the prefix "miniprofd_". */
#ifndef EXPORT_METRIC_H
#define EXPORT_METRIC_H

#include "base/sink.h"
#include "snapshot/figures.h"

enum { METRIC_NAME_SIZE = 80 };

/* Writes HELP and TYPE, which precede the series of a name. `type`: "counter" or "gauge". */
void metric_head(struct sink *sink, const char *name, const char *type, const char *help);

/* Write a metric of one series, with its head. */
void metric_counter(struct sink *sink, const char *name, const char *help, uint64_t value);
void metric_gauge(struct sink *sink, const char *name, const char *help, double value);

/* Writes the head of a figure with the name from metric_name(). */
void metric_figure_head(struct sink *sink, const struct figure *figure, const char *name);

/* Makes the name of a figure that has a metric: its name, `unit` ("_seconds" or ""), and "_total" for a
 * counter. */
void metric_name(char name[static METRIC_NAME_SIZE], const struct figure *figure, const char *unit);

/* Writes a value in ticks and the line's end: in seconds with nine decimals if the tick rate is known
 * (ticks_per_second not 0), else in ticks. */
void metric_ticks(struct sink *sink, uint64_t ticks, uint64_t ticks_per_second);

/* Does the same for fractions of ticks. */
void metric_part_ticks(struct sink *sink, double ticks, uint64_t ticks_per_second);

#endif
