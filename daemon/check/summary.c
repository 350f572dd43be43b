/* summary.c - writes a result as Markdown, for a comment on a change or a job's summary. */
#include "base/markdown.h"
#include "check/report.h"

/* Limits the length of the comment, so that it stays readable. */
enum { ROWS_MOST = 50 };

static void write_row(const struct gate *gate, const struct gate_result *result, const struct gate_row *row,
                      struct sink *sink)
{
    char words[REPORT_WORDS_SIZE];
    report_words(gate, result, row, words);
    sink_text(sink, "| ");
    markdown_text(sink, row->name, MARKDOWN_NAME_MOST);
    sink_text(sink, " | ");
    markdown_text(sink, words + 1, sizeof words); /* begins with a space */
    sink_text(sink, " | ");
    markdown_text(sink, report_file(row), MARKDOWN_NAME_MOST);
    if (*report_file(row))
        sink_printf(sink, ":%llu", report_line(row));
    sink_text(sink, " |\n");
}

static void write_name(struct sink *sink, const char *name)
{
    markdown_text(sink, name, MARKDOWN_NAME_MOST);
}

static void write_markdown(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    size_t told = result->told_n;
    if (told > 0)
        sink_text(sink, "| function | what | where |\n|---|---|---|\n");
    for (size_t i = 0; i < told && i < ROWS_MOST; i++)
        write_row(gate, result, result->told[i], sink);
    if (told > ROWS_MOST)
        sink_printf(sink, "\n%zu more are left out here.\n", told - ROWS_MOST);
    if (told > 0)
        sink_char(sink, '\n');
    if (result->inconclusive) {
        sink_text(sink, "Inconclusive. ");
        markdown_text(sink, result->inconclusive, sizeof(struct error));
        sink_char(sink, '\n');
    }
    report_summary(gate, result, sink);
    report_names(result, REPORT_GONE, "\nGone: ", "\n", write_name, sink);
    report_names(result, REPORT_NEW, "\nNew: ", "\n", write_name, sink);
    report_names(result, REPORT_UNCLEAR, "\nUnclear: ", REPORT_UNCLEAR_END ".\n", write_name, sink);
}

const struct report report_markdown = {"markdown", write_markdown};
