/* metric.h - lines of the text format of Prometheus (version 0.0.4). Each name gets "miniprofd_" in front. */
#ifndef EXPORT_METRIC_H
#define EXPORT_METRIC_H

#include "base/sink.h"
#include "snapshot/figures.h"

enum { METRIC_NAME_SIZE = 80 };

/* HELP and TYPE, which stand before the series of a name. `type`: "counter" or "gauge". */
void metric_head(struct sink *sink, const char *name, const char *type, const char *help);

/* A metric of one series, its head included. */
void metric_counter(struct sink *sink, const char *name, const char *help, uint64_t value);
void metric_gauge(struct sink *sink, const char *name, const char *help, double value);

/* The head of a figure, by the name that metric_name() gave it. */
void metric_figure_head(struct sink *sink, const struct figure *figure, const char *name);

/* The name of a figure that has one: what it is, `unit` ("_seconds", or nothing), "_total" of
 * what adds up. */
void metric_name(char name[static METRIC_NAME_SIZE], const struct figure *figure, const char *unit);

/* A value in ticks and the line's end: in seconds where their length is known (ticks_per_second not 0), to
 * the nanosecond, else as it is. */
void metric_ticks(struct sink *sink, uint64_t ticks, uint64_t ticks_per_second);

/* Likewise of what is no whole number of ticks. */
void metric_part_ticks(struct sink *sink, double ticks, uint64_t ticks_per_second);

#endif
