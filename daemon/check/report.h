/* report.h - how a result is reported: to people, to programs, and to those that mark lines of source code.
 */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include "base/sink.h"
#include "check/gate.h"

/* A form to write a result in. */
struct report {
    const char *name;
    void (*write)(const struct gate *gate, const struct gate_result *result, struct sink *sink);
};

/* The forms there are; the last has no name. */
extern const struct report *const report_registry[];

/* The form of that name, which has n bytes; NULL when there is none. */
const struct report *report_find(const char *name, size_t n);

/* What a row says, as a sentence's end behind the function's name: " became slower: ..." Valid UTF-8. */
enum { REPORT_WORDS_SIZE = 512 };
void report_words(const struct gate *gate, const struct gate_result *result, const struct gate_row *row,
                  char words[static REPORT_WORDS_SIZE]);

/* The file ("" where it is not there, see check/places.h) and line (1 where it is not known) that a row is
 * about. */
const char *report_file(const struct gate_row *row);
unsigned long long report_line(const struct gate_row *row);

/* "error" for a failure, else "warning"; static. */
const char *report_severity(const struct gate_row *row);

/* The chain of callers along which the first function that is slower itself grew, the outermost first; at
 * most `most` of its names are written. Answers how many there are; 0: none is known. */
enum { REPORT_PATH_MOST = 64 };
size_t report_path(const struct gate_result *result, const char **names, size_t most);

/* Functions that are named together, in one line. */
enum report_list { REPORT_GONE, REPORT_NEW, REPORT_UNCLEAR, REPORT_LISTS };

bool report_is_listed(const struct gate_row *row, enum report_list list);

/* Writes the names of such rows, 50 at the most, with commas between, `begin` before and `end`
 * behind; nothing where there is none. */
void report_names(const struct gate_result *result, enum report_list list, const char *begin, const char *end,
                  void (*write)(struct sink *sink, const char *name), struct sink *sink);

/* What stands behind the names of functions that are unclear: why they are, and what to do. */
#define REPORT_UNCLEAR_END                                                                                   \
    " took longer by no more than interrupts or rounding to ticks may add; measure more of their calls, or " \
    "give --min-delta"

/* The last line: how many functions were compared, and what became of limits. */
void report_summary(const struct gate *gate, const struct gate_result *result, struct sink *sink);

extern const struct report report_text, report_json, report_gcc, report_github, report_junit, report_markdown,
    report_bmf;

#endif
