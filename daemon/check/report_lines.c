/* report_lines.c - writes a result as lines: for people, for editors (gcc), for GitHub's workflows. */
#include "check/report.h"

#include "base/text.h"

/* Names come from an untrusted file, so all are written by text_write_plain(). */

/* Writes a message of GitHub's workflow commands, or with `is_property` the value of a property. */
static void write_escaped_command_text(struct sink *sink, const char *text, bool is_property)
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

static void escaped_message(struct sink *sink, const char *text)
{
    write_escaped_command_text(sink, text, false);
}

/* Writes how many callers are slower only because of a callee. */
static void write_followers(const struct gate_result *result, struct sink *sink)
{
    if (result->by_callee > 0)
        sink_printf(sink, ", %zu function%s follow%s", result->by_callee,
                    result->by_callee == 1 ? " that calls slower ones" : "s that call slower ones",
                    result->by_callee == 1 ? "s" : "");
}

static void write_path(const struct gate_result *result, struct sink *sink)
{
    const char *names[REPORT_PATH_MOST];
    size_t n = report_path(result, names, REPORT_PATH_MOST);
    if (n < 2)
        return;
    sink_text(sink, "  path: ");
    for (size_t i = 0; i < n && i < REPORT_PATH_MOST; i++) {
        sink_text(sink, i > 0 ? " > " : "");
        text_write_plain(sink, names[i]);
    }
    sink_text(sink, n > REPORT_PATH_MOST ? " > ...\n" : "\n");
}

static void write_text(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    for (size_t i = 0; i < result->told_n; i++) {
        report_words(gate, result, result->told[i], words);
        text_write_plain(sink, result->told[i]->name);
        text_write_plain(sink, words);
        bool leads = i == 0 && result->itself + result->more_calls > 0;
        if (leads && gate->metric == MEASURED_TIME)
            write_followers(result, sink);
        sink_char(sink, '\n');
        if (leads)
            write_path(result, sink);
    }
    report_summary(gate, result, sink);
    report_names(result, REPORT_GONE, "gone: ", "\n", text_write_plain, sink);
    report_names(result, REPORT_NEW, "new: ", "\n", text_write_plain, sink);
    report_names(result, REPORT_UNCLEAR, "unclear: ", REPORT_UNCLEAR_END "\n", text_write_plain, sink);
}

/* Writes the first `lists` as a line "gone: a, b; new: c" after `begin`. Writes nothing when they are empty. */
static void write_lists(const struct gate_result *result, int lists, const char *begin,
                        void (*write)(struct sink *sink, const char *name), struct sink *sink)
{
    static const char *const titles[] = {"gone: ", "new: ", "unclear: "};
    const size_t counts[] = {result->gone, result->added, result->unclear};
    const char *before = begin;
    for (int list = 0; list < lists; list++) {
        if (counts[list] == 0)
            continue;
        sink_text(sink, before);
        report_names(result, (enum report_list)list, titles[list],
                     list == REPORT_UNCLEAR ? REPORT_UNCLEAR_END : "", write, sink);
        before = "; ";
    }
    sink_text(sink, before == begin ? "" : "\n");
}

/* Writes lines for editors, which match warnings and errors but not notes. Unclear functions are neither. */
static void write_gcc(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    for (size_t i = 0; i < result->told_n; i++) {
        const struct gate_row *row = result->told[i];
        report_words(gate, result, row, words);
        text_write_plain(sink, *report_file(row) ? report_file(row) : "unknown");
        sink_printf(sink, ":%llu:1: warning: ", report_line(row));
        text_write_plain(sink, row->name);
        text_write_plain(sink, words);
        sink_char(sink, '\n');
    }
    write_lists(result, REPORT_UNCLEAR, "unknown:1:1: warning: ", text_write_plain, sink);
}

static const char *row_title(const struct gate_row *row)
{
    static const char *const titles[][2] = {[MEASURED_IN_NS] = {"Slower", "Faster"},
                                            [MEASURED_IN_CALLS] = {"Called more often", "Called less often"},
                                            [MEASURED_IN_BYTES] = {"More stack", "Less stack"}};
    switch (row->kind) {
    case GATE_LIMIT: return "Limit";
    case GATE_GONE: return "Gone";
    case GATE_NEW: return "New";
    default: return titles[measured_unit_of(row->figure)][row->verdict == GATE_WARNS];
    }
}

static void write_github(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    if (result->inconclusive) {
        sink_text(sink, "::error title=Inconclusive::");
        write_escaped_command_text(sink, result->inconclusive, false);
        sink_char(sink, '\n');
    }
    for (size_t i = 0; i < result->told_n; i++) {
        const struct gate_row *row = result->told[i];
        report_words(gate, result, row, words);
        sink_printf(sink, "::%s ", report_severity(row));
        if (*report_file(row)) {
            sink_text(sink, "file=");
            write_escaped_command_text(sink, report_file(row), true);
            sink_printf(sink, ",line=%llu,", report_line(row));
        }
        sink_printf(sink, "title=%s::", row_title(row));
        write_escaped_command_text(sink, row->name, false);
        write_escaped_command_text(sink, words, false);
        sink_char(sink, '\n');
    }
    /* One notice for all, since GitHub shows only ten of a job. */
    write_lists(result, REPORT_LISTS, "::notice title=Other functions::", escaped_message, sink);
}

const struct report report_text = {"text", write_text}, report_gcc = {"gcc", write_gcc},
                    report_github = {"github", write_github};
