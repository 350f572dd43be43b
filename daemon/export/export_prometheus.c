/* export_prometheus.c - the text format of Prometheus (version 0.0.4), also served at /metrics: link, target,
 * contexts, limits. Functions are in prometheus_functions.c. */
#include "export/export_prometheus.h"

#include "base/text.h"
#include "export/export.h"
#include "export/metric.h"

#include <stddef.h>
#include <stdio.h>

static void write_link(const struct snapshot_link *link, struct sink *sink)
{
    for (const struct figure *figure = figures_link; figure->key; figure++) {
        if (!figure->metric || !figure_link_known(figure, link))
            continue;
        char name[METRIC_NAME_SIZE];
        metric_name(name, figure, "");
        metric_figure_head(sink, figure, name);
        sink_printf(sink, "miniprofd_%s ", name);
        if (figure->type == FIGURE_DOUBLE)
            sink_printf(sink, "%.17g\n", figure_double(figure, link));
        else if (figure->offset == offsetof(struct snapshot_link, records_lost))
            /* Known losses may decrease, but Prometheus takes a decrease for a restart of the counter. */
            sink_printf(sink, "%llu\n", (unsigned long long)link->records_lost_most);
        else
            sink_printf(sink, "%llu\n", (unsigned long long)figure_u64(figure, link));
    }
}

/* Writes the target's version and build, if it has sent them. */
static void write_identity(const struct snapshot_target *target, struct sink *sink)
{
    if (target->has_metadata) {
        metric_head(sink, "target_info", "gauge", "Firmware of the target; always 1.");
        sink_text(sink, "miniprofd_target_info{firmware=\"");
        text_write_label(sink, target->fw_version);
        sink_text(sink, "\",build_id=\"");
        if (target->elf_build_id)
            sink_printf(sink, "%08x", (unsigned)target->elf_build_id);
        sink_text(sink, "\"} 1\n");
    }
    if (target->has_match)
        metric_gauge(sink, "target_elf_match",
                     "1 where the ELF is of the program that the target runs, 0 where not.",
                     target->elf_match);
}

static void write_target(const struct snapshot_target *target, struct sink *sink)
{
    write_identity(target, sink);
    if (target->has_status) {
        metric_gauge(sink, "target_profiling", "1 while the target profiles.", target->profiling);
        metric_gauge(sink, "target_buffer_usage_ratio", "How full the target's buffer is, 0 to 1.",
                     target->buffer_usage_percent / 100.0);
        metric_counter(sink, "target_buffer_overflows_total", "Times the target's buffer was full.",
                       target->buffer_overflows);
        metric_counter(sink, "target_records_captured_total", "Records that the target captured.",
                       target->records_captured);
    }
    if (target->ticks_per_second)
        metric_gauge(sink, "target_ticks_per_second", "Ticks of the target's clock in a second.",
                     (double)target->ticks_per_second);
}

static uint64_t context_running_ticks(const struct snapshot_context *row)
{
    return row->running_ticks;
}

static uint64_t context_preempted_ticks(const struct snapshot_context *row)
{
    return row->preempted_ticks;
}

static uint64_t context_blocked_ticks(const struct snapshot_context *row)
{
    return row->blocked_ticks;
}

/* Writes the contexts' times, if the target reports which context runs. */
static void write_contexts(const struct snapshot *snapshot, struct sink *sink)
{
    static const struct {
        const char *name, *help;
        uint64_t (*of)(const struct snapshot_context *row);
    } times[] = {
        {"running", "In which the processor ran the context.", context_running_ticks},
        {"preempted", "In which the context could have run, and another did.", context_preempted_ticks},
        {"blocked", "In which the context waited for something.", context_blocked_ticks}};
    uint64_t rate = snapshot->target.ticks_per_second;
    if (snapshot->context_count == 0 || !snapshot->contexts[0].has_times)
        return;
    size_t known = snapshot->contexts[0].has_waits ? sizeof times / sizeof *times : 1;
    for (size_t i = 0; i < known; i++) {
        char name[METRIC_NAME_SIZE];
        snprintf(name, sizeof name, "context_%s_%s_total", times[i].name, rate ? "seconds" : "ticks");
        metric_head(sink, name, "counter", times[i].help);
        for (uint32_t id = 0; id < snapshot->context_count; id++) {
            const struct snapshot_context *row = &snapshot->contexts[id];
            sink_printf(sink, "miniprofd_%s{id=\"%u\",context=\"", name, (unsigned)id);
            text_write_label(sink, row->name);
            sink_printf(sink, "\",kind=\"%s\"} ", row->kind);
            metric_ticks(sink, times[i].of(row), rate);
        }
    }
}

static uint64_t bound_judged_count(const struct snapshot_bound *row)
{
    return row->judged;
}

static uint64_t bound_breach_count(const struct snapshot_bound *row)
{
    return row->breaches;
}

/* Writes the limits, if any are set. */
static void write_limits(const struct snapshot_bounds *bounds, struct sink *sink)
{
    static const struct {
        const char *name, *help;
        uint64_t (*of)(const struct snapshot_bound *row);
    } series[] = {{"limit_judged_total",
                   "Calls, periods, seconds or snapshots that were compared with the limit.",
                   bound_judged_count},
                  {"limit_breaches_total", "Times that the limit was not kept.", bound_breach_count}};
    for (size_t i = 0; bounds->count > 0 && i < sizeof series / sizeof *series; i++) {
        metric_head(sink, series[i].name, "counter", series[i].help);
        for (uint32_t at = 0; at < bounds->count; at++) {
            char text[BOUND_TEXT_SIZE];
            bound_write(&bounds->rows[at].bound, text, sizeof text);
            sink_printf(sink, "miniprofd_%s{limit=\"", series[i].name);
            text_write_label(sink, text);
            sink_printf(sink, "\"} %llu\n", (unsigned long long)series[i].of(&bounds->rows[at]));
        }
    }
}

void prometheus_write(const struct snapshot *snapshot, struct roster *roster, struct sink *sink)
{
    metric_head(sink, "build_info", "gauge", "Version of miniprofd; always 1.");
    sink_text(sink, "miniprofd_build_info{version=\"" MINIPROFD_VERSION "\"} 1\n");
    metric_head(sink, "info", "gauge", "Always 1.");
    sink_text(sink, "miniprofd_info{version=\"" MINIPROFD_VERSION "\",port=\"");
    text_write_label(sink, snapshot->source.port);
    sink_text(sink, "\",dialect=\"");
    text_write_label(sink, snapshot->source.dialect ? snapshot->source.dialect : "");
    sink_text(sink, "\"} 1\n");
    metric_gauge(sink, "source_connected", "1 while the source is there.",
                 snapshot->source.state == STATE_CONNECTED);
    metric_gauge(sink, "profile_complete", "1 while nothing of the profile is known to be missing.",
                 snapshot_incomplete(snapshot).n == 0);
    write_link(&snapshot->link, sink);
    write_target(&snapshot->target, sink);
    write_limits(&snapshot->bounds, sink);
    write_contexts(snapshot, sink);
    prometheus_write_functions(snapshot, roster, sink);
}

static void write_once(const struct snapshot *snapshot, struct sink *sink)
{
    struct roster roster;
    roster_init(&roster, ROSTER_USUAL);
    prometheus_write(snapshot, &roster, sink);
    roster_fini(&roster);
}

const struct exporter exporter_prometheus = {
    .id = "prometheus",
    .title = "Prometheus metrics",
    .summary = "counters of link, target and the busiest functions; what /metrics answers",
    .media_type = "text/plain; version=0.0.4; charset=utf-8",
    .extension = "prom",
    .write = write_once,
};
