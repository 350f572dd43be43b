/* report.c - what the forms have in common: which there are, and the words. */
#include "check/report.h"

#include <stdio.h>
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

bool report_is_told(const struct gate_row *row)
{
    return row->verdict != GATE_HOLDS;
}

const char *report_file(const struct gate_row *row)
{
    return row->after ? row->after->file : "";
}

unsigned long long report_line(const struct gate_row *row)
{
    return row->after && row->after->line ? row->after->line : 1;
}

static const char *verb(const struct gate *gate, bool is_worse)
{
    switch (measured_unit_of(gate->metric)) {
    case MEASURED_IN_CALLS: return is_worse ? "is called more often" : "is called as often";
    case MEASURED_IN_BYTES: return is_worse ? "needs more stack" : "needs no more stack";
    default: return is_worse ? "became slower" : "is as fast";
    }
}

static void write_figure(const struct gate *gate, double value, char *out, size_t size)
{
    switch (measured_unit_of(gate->metric)) {
    case MEASURED_IN_CALLS: snprintf(out, size, "%.0f", value); break;
    case MEASURED_IN_BYTES: snprintf(out, size, "%.0f bytes", value); break;
    default: snprintf(out, size, "%.3f us", value / 1e3);
    }
}

static void compare_words(const struct gate *gate, const struct gate_row *row,
                          char words[static REPORT_WORDS_SIZE])
{
    char is[48], was[48], share[32] = "";
    write_figure(gate, row->is, is, sizeof is);
    write_figure(gate, row->was, was, sizeof was);
    if (row->was > 0)
        snprintf(share, sizeof share, " (%+.1f %%)", 100 * (row->is - row->was) / row->was);
    snprintf(words, REPORT_WORDS_SIZE, " %s: %s %s, was %s%s", verb(gate, row->verdict == GATE_FAILS),
             measured_word(gate->metric), is, was, share);
}

void report_words(const struct gate *gate, const struct gate_row *row, char words[static REPORT_WORDS_SIZE])
{
    if (!row->limit)
        compare_words(gate, row, words);
    else if (row->verdict == GATE_UNKNOWN)
        snprintf(words, REPORT_WORDS_SIZE, " cannot be held to %s: %s", row->limit, row->why);
    else if (*row->value)
        snprintf(words, REPORT_WORDS_SIZE, " %s %s: it was %s",
                 row->verdict == GATE_FAILS ? "breaks its limit" : "keeps to", row->limit, row->value);
    else
        snprintf(words, REPORT_WORDS_SIZE, " %s %s",
                 row->verdict == GATE_FAILS ? "breaks its limit" : "keeps to", row->limit);
}

void report_summary(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    if (result->compared > 0)
        sink_printf(sink, "%zu of %zu functions %s; %zu are gone, %zu are new, %zu cannot be compared\n",
                    result->slower, result->compared,
                    measured_unit_of(gate->metric) == MEASURED_IN_CALLS   ? "are called more often"
                    : measured_unit_of(gate->metric) == MEASURED_IN_BYTES ? "need more stack"
                                                                          : "became slower",
                    result->gone, result->added, result->untold);
    if (result->limits > 0)
        sink_printf(sink, "%zu of %zu limits are broken; %zu cannot be judged\n", result->broken,
                    result->limits, result->unjudged);
}
