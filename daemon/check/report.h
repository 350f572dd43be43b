/* report.h - writes a result for people, for programs, and for tools that annotate source code. */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include "base/sink.h"
#include "check/gate.h"

/* A form of report. */
struct report {
    const char *name;
    void (*write)(const struct gate *gate, const struct gate_result *result, struct sink *sink);
};

/* All forms, ending with one without a name. */
extern const struct report *const report_registry[];

/* Returns the form with that name of n bytes, NULL when there is none. */
const struct report *report_find(const char *name, size_t n);

/* Writes a row as the end of a sentence after the function's name: " became slower: ..." Valid UTF-8. */
enum { REPORT_WORDS_SIZE = 512 };
void report_words(const struct gate *gate, const struct gate_result *result, const struct gate_row *row,
                  char words[static REPORT_WORDS_SIZE]);

/* Return the file ("" when not found, see check/places.h) and line (1 when unknown) of a row. */
const char *report_file(const struct gate_row *row);
unsigned long long report_line(const struct gate_row *row);

/* Returns "error" for a failure, else "warning"; static. */
const char *report_severity(const struct gate_row *row);

/* Writes the chain of callers in which the first slower function grew most, the outermost first, at most `most`
 * names. Returns the length of the chain, 0 when it is unknown. */
enum { REPORT_PATH_MOST = 64 };
size_t report_path(const struct gate_result *result, const char **names, size_t most);

/* Kinds of functions that are listed in one line. */
enum report_list { REPORT_GONE, REPORT_NEW, REPORT_UNCLEAR, REPORT_LISTS };

bool report_is_listed(const struct gate_row *row, enum report_list list);

/* Writes the names of such rows, at most 50, separated by commas, between `begin` and `end`. Writes nothing when there
 * are none. */
void report_names(const struct gate_result *result, enum report_list list, const char *begin, const char *end,
                  void (*write)(struct sink *sink, const char *name), struct sink *sink);

/* Follows the names of unclear functions: the reason, and what to do. */
#define REPORT_UNCLEAR_END                                                                                   \
    " took longer by no more than interrupts or rounding to ticks may add; measure more of their calls, or " \
    "give --min-delta"

/* Writes the last line: the number of functions compared, and the result of limits. */
void report_summary(const struct gate *gate, const struct gate_result *result, struct sink *sink);

extern const struct report report_text, report_json, report_gcc, report_github, report_junit, report_markdown,
    report_bmf;

#endif
