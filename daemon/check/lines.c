/* lines.c - a result as lines: for people, for editors (gcc), for GitHub's workflows. */
#include "check/report.h"

#include "base/text.h"

/* Names are a file's that nobody vouches for: all go through text_write_plain(). */

/* As GitHub's workflow commands want a message, or with `is_property` the value of a property. */
static void escaped(struct sink *sink, const char *text, bool is_property)
{
    struct sink_buffer plain;
    sink_buffer_init(&plain);
    text_write_plain(&plain.sink, text);
    for (const char *at = plain.n ? plain.bytes : ""; *at; at++) {
        if (*at == '%' || (is_property && (*at == ':' || *at == ',')))
            sink_printf(sink, "%%%02X", (unsigned)*at);
        else
            sink_char(sink, *at);
    }
    sink->failed |= plain.sink.failed;
    sink_buffer_fini(&plain);
}

static void write_text(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    for (size_t i = 0; i < result->n; i++) {
        if (!report_is_told(&result->rows[i]))
            continue;
        report_words(gate, &result->rows[i], words);
        text_write_plain(sink, result->rows[i].name);
        text_write_plain(sink, words);
        sink_char(sink, '\n');
    }
    report_summary(gate, result, sink);
}

static void write_gcc(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_row *row = &result->rows[i];
        if (!report_is_told(row))
            continue;
        report_words(gate, row, words);
        text_write_plain(sink, *report_file(row) ? report_file(row) : "unknown");
        sink_printf(sink, ":%llu:1: warning: ", report_line(row));
        text_write_plain(sink, row->name);
        text_write_plain(sink, words);
        sink_char(sink, '\n');
    }
}

static const char *title(const struct gate *gate, const struct gate_row *row)
{
    static const char *const titles[] = {[MEASURED_IN_NS] = "Slower",
                                         [MEASURED_IN_CALLS] = "Called more often",
                                         [MEASURED_IN_BYTES] = "More stack"};
    return row->limit ? "Limit" : titles[measured_unit_of(gate->metric)];
}

static void write_github(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    if (result->inconclusive) {
        sink_text(sink, "::error title=Inconclusive::");
        escaped(sink, result->inconclusive, false);
        sink_char(sink, '\n');
    }
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_row *row = &result->rows[i];
        if (!report_is_told(row))
            continue;
        report_words(gate, row, words);
        sink_text(sink, row->verdict == GATE_FAILS ? "::error " : "::warning ");
        if (*report_file(row)) {
            sink_text(sink, "file=");
            escaped(sink, report_file(row), true);
            sink_printf(sink, ",line=%llu,", report_line(row));
        }
        sink_printf(sink, "title=%s::", title(gate, row));
        escaped(sink, row->name, false);
        escaped(sink, words, false);
        sink_char(sink, '\n');
    }
}

const struct report report_text = {"text", write_text}, report_gcc = {"gcc", write_gcc},
                    report_github = {"github", write_github};
