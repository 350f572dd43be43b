/* report.h - how a result is told: to people, to programs, and to those that mark lines of source code. */
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
void report_words(const struct gate *gate, const struct gate_row *row, char words[static REPORT_WORDS_SIZE]);

/* The file ("" where it is not known) and line (1 where it is not known) that a row is about. */
const char *report_file(const struct gate_row *row);
unsigned long long report_line(const struct gate_row *row);

/* Whether a row is worth a line: it fails, or a limit cannot be judged. */
bool report_is_told(const struct gate_row *row);

/* The last line: how many functions were compared, and what became of limits. */
void report_summary(const struct gate *gate, const struct gate_result *result, struct sink *sink);

extern const struct report report_text, report_json, report_gcc, report_github, report_junit, report_markdown,
    report_bmf;

#endif
