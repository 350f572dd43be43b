/* junit.c - writes a result as JUnit XML, which Jenkins, GitLab and GitHub's reporters read: a case for each
 * function compared and for each limit. */
#include "base/text.h"
#include "check/identity.h"
#include "check/report.h"

/* Writes text made plain, since readers print cases in the log of the job. */
static void write_plain_xml(struct sink *sink, const char *text)
{
    struct sink_buffer plain;
    sink_buffer_init(&plain);
    text_write_plain(&plain.sink, text);
    text_write_xml(sink, plain.n ? plain.bytes : "");
    sink->failed |= plain.sink.failed;
    sink_buffer_fini(&plain);
}

/* Writes a case's name without suffixes of copies, so that it is the same in the next build. */
static void write_case_name(struct sink *sink, const struct gate_row *row)
{
    struct sink_buffer name;
    sink_buffer_init(&name);
    sink_write(&name.sink, row->name, identity_length(row->name));
    sink_char(&name.sink, '\0');
    sink_text(sink, " name=\"");
    write_plain_xml(sink, name.n && !name.sink.failed ? name.bytes : row->name);
    sink_char(sink, '"');
    sink_buffer_fini(&name);
}

static void write_junit_attribute(struct sink *sink, const char *name, const char *value)
{
    sink_printf(sink, " %s=\"", name);
    write_plain_xml(sink, value);
    sink_char(sink, '"');
}

/* Returns the element for a verdict. A function that is gone is a skipped case. */
static const char *element_of(const struct gate_row *row)
{
    if (row->verdict == GATE_FAILS)
        return "failure";
    if (row->verdict == GATE_UNKNOWN)
        return "error";
    return row->kind == GATE_GONE ? "skipped" : "system-out";
}

static bool is_output(const struct gate_row *row)
{
    return row->kind != GATE_GONE && (row->verdict == GATE_HOLDS || row->verdict == GATE_WARNS);
}

static void write_case(const struct gate *gate, const struct gate_result *result, const struct gate_row *row,
                       struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    sink_text(sink, "    <testcase");
    write_junit_attribute(sink, "classname", row->kind == GATE_LIMIT ? "limit" : measured_word(gate->metric));
    if (row->limit)
        write_junit_attribute(sink, "name", row->limit);
    else
        write_case_name(sink, row);
    if (*report_file(row)) {
        write_junit_attribute(sink, "file", report_file(row));
        sink_printf(sink, " line=\"%llu\"", report_line(row));
    }
    bool is_missing = row->kind == GATE_GONE || row->kind == GATE_NEW;
    if (row->verdict == GATE_HOLDS && !is_missing) {
        sink_text(sink, "/>\n");
        return;
    }
    report_words(gate, result, row, words);
    const char *element = element_of(row);
    sink_printf(sink, is_output(row) ? ">\n      <%s>" : ">\n      <%s message=\"", element);
    write_plain_xml(sink, row->name);
    write_plain_xml(sink, words);
    if (is_output(row))
        sink_printf(sink, "</%s>\n    </testcase>\n", element);
    else
        sink_text(sink, "\"/>\n    </testcase>\n");
}

static void write_junit(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    size_t is_refused = result->inconclusive != NULL;
    sink_printf(sink,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                "  <testsuite name=\"miniprofd check\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
                "skipped=\"%zu\">\n",
                result->n + is_refused,
                result->slower + result->more_calls + result->broken + result->failed_gone,
                result->unjudged + is_refused, result->gone - result->failed_gone);
    if (is_refused) {
        sink_text(sink, "    <testcase classname=\"miniprofd\" name=\"check\">\n      <error message=\"");
        write_plain_xml(sink, result->inconclusive);
        sink_text(sink, "\"/>\n    </testcase>\n");
    }
    for (size_t i = 0; i < result->n; i++)
        write_case(gate, result, &result->rows[i], sink);
    sink_text(sink, "  </testsuite>\n</testsuites>\n");
}

const struct report report_junit = {"junit", write_junit};
