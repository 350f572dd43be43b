/* report.c - the list of report forms, and their common parts. */
#include "check/report.h"

#include "base/text.h"

#include <string.h>

const struct report *const report_registry[] = {&report_text,  &report_json,     &report_gcc, &report_github,
                                                &report_junit, &report_markdown, &report_bmf, NULL};

const struct report *report_find(const char *name, size_t n)
{
    for (size_t i = 0; report_registry[i]; i++)
        if (strlen(report_registry[i]->name) == n && !memcmp(report_registry[i]->name, name, n))
            return report_registry[i];
    return NULL;
}

const char *report_file(const struct gate_row *row)
{
    return row->place ? row->place : "";
}

unsigned long long report_line(const struct gate_row *row)
{
    const struct measured_function *function = row->after ? row->after : row->before;
    return row->place && function && function->line ? function->line : 1;
}

const char *report_severity(const struct gate_row *row)
{
    return row->verdict == GATE_FAILS ? "error" : "warning";
}

size_t report_path(const struct gate_result *result, const char **names, size_t most)
{
    size_t n = 0;
    const struct measured *profile = result->profile;
    if (!profile)
        return 0;
    for (uint32_t at = result->grown; at != MEASURED_NO_NODE && profile->nodes[at].parent != MEASURED_NO_NODE;
         at = profile->nodes[at].parent)
        n++;
    size_t left = n;
    for (uint32_t at = result->grown; left > 0; at = profile->nodes[at].parent)
        if (--left < most)
            names[left] = profile->names[profile->nodes[at].function];
    return n;
}

bool report_is_listed(const struct gate_row *row, enum report_list list)
{
    switch (list) {
    case REPORT_GONE: return row->kind == GATE_GONE;
    case REPORT_NEW: return row->kind == GATE_NEW;
    default: return row->is_unclear;
    }
}

void report_names(const struct gate_result *result, enum report_list list, const char *begin, const char *end,
                  void (*write)(struct sink *sink, const char *name), struct sink *sink)
{
    enum { MOST = 50 };
    size_t n = 0;
    for (size_t i = 0; i < result->n; i++) {
        if (!report_is_listed(&result->rows[i], list))
            continue;
        if (n < MOST) {
            sink_text(sink, n > 0 ? ", " : begin);
            write(sink, result->rows[i].name);
        }
        n++;
    }
    if (n > MOST)
        sink_printf(sink, " and %zu more", n - MOST);
    if (n > 0)
        sink_text(sink, end);
}

void report_summary(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    if (result->compared > 0)
        sink_printf(sink, "%zu of %zu functions %s; %zu gone, %zu new, %zu not comparable\n", result->slower,
                    result->compared,
                    measured_unit_of(gate->metric) == MEASURED_IN_CALLS   ? "are called more often"
                    : measured_unit_of(gate->metric) == MEASURED_IN_BYTES ? "need more stack"
                                                                          : "became slower",
                    result->gone, result->added, result->untold);
    if (result->limits > 0)
        sink_printf(sink, "%zu of %zu limits broken; %zu not judged\n", result->broken, result->limits,
                    result->unjudged);
}
