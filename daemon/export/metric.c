/* metric.c - writes lines of the text format of Prometheus. */
#include "export/metric.h"

#include "export/ticks.h"

#include <stdio.h>

void metric_head(struct sink *sink, const char *name, const char *type, const char *help)
{
    sink_printf(sink, "# HELP miniprofd_%s %s\n# TYPE miniprofd_%s %s\n", name, help, name, type);
}

void metric_counter(struct sink *sink, const char *name, const char *help, uint64_t value)
{
    metric_head(sink, name, "counter", help);
    sink_printf(sink, "miniprofd_%s %llu\n", name, (unsigned long long)value);
}

void metric_gauge(struct sink *sink, const char *name, const char *help, double value)
{
    metric_head(sink, name, "gauge", help);
    sink_printf(sink, "miniprofd_%s %.17g\n", name, value);
}

/* Appends a full stop to the help, so that HELP is a sentence, as for other metrics. */
void metric_figure_head(struct sink *sink, const struct figure *figure, const char *name)
{
    sink_printf(sink, "# HELP miniprofd_%s %s.\n# TYPE miniprofd_%s %s\n", name, figure->help, name,
                figure->adds_up ? "counter" : "gauge");
}

void metric_name(char name[static METRIC_NAME_SIZE], const struct figure *figure, const char *unit)
{
    snprintf(name, METRIC_NAME_SIZE, "%s%s%s", figure->metric, unit, figure->adds_up ? "_total" : "");
}

void metric_ticks(struct sink *sink, uint64_t ticks, uint64_t ticks_per_second)
{
    if (!ticks_per_second) {
        sink_printf(sink, "%llu\n", (unsigned long long)ticks);
        return;
    }
    uint64_t ns = ticks_nanoseconds(ticks, ticks_per_second);
    sink_printf(sink, "%llu.%09llu\n", (unsigned long long)(ns / 1000000000),
                (unsigned long long)(ns % 1000000000));
}

void metric_part_ticks(struct sink *sink, double ticks, uint64_t ticks_per_second)
{
    sink_printf(sink, "%.12g\n", ticks_per_second ? ticks / (double)ticks_per_second : ticks);
}
