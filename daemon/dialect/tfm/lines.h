/* lines.h - finds the TF-M profiler's output among the lines of a console log. */
#ifndef DIALECT_TFM_LINES_H
#define DIALECT_TFM_LINES_H

#include "dialect/console.h"
#include "dialect/tfm/item.h"

/* Longer lines are not from the profiler and are skipped. */
enum { TFM_LINE_MAX = 256 };

/* The line that is being collected. All zero is the initial state. */
struct tfm_lines {
    struct console_filter filter;
    char line[TFM_LINE_MAX];
    size_t n;
    bool too_long;
    bool has_tag;  /* from the self-test; its count is some lines later */
    bool by_topic; /* the self-test is verifying by topic */
    bool again;    /* ... and now repeats the entries */
    uint32_t tag;
};

/* Reads one byte. At the end of a line, sends its content to `out`. */
void tfm_lines_byte(struct tfm_lines *lines, uint8_t byte, const struct tfm_out *out);
/* Reads the last line, which may be unterminated, since no more bytes follow. */
void tfm_lines_finish(struct tfm_lines *lines, const struct tfm_out *out);

#endif
