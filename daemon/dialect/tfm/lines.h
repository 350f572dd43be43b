/* lines.h - finds what the TF-M profiler prints among the lines of a console log. */
#ifndef DIALECT_TFM_LINES_H
#define DIALECT_TFM_LINES_H

#include "dialect/console.h"
#include "dialect/tfm/item.h"

/* Lines that are longer are somebody else's. */
enum { TFM_LINE_MAX = 256 };

/* The line that is being gathered. Zero is the start state. */
struct tfm_lines {
    struct console_filter filter;
    char line[TFM_LINE_MAX];
    size_t n;
    bool too_long;
    bool has_tag;  /* of the self-test, whose count comes lines later */
    bool by_topic; /* it verifies its entries by topic */
    bool again;    /* ... and now once more */
    uint32_t tag;
};

/* Takes one byte, and tells `out` of the line that it ends. */
void tfm_lines_byte(struct tfm_lines *lines, uint8_t byte, const struct tfm_out *out);
/* Reads the last line, which may lack its end, since no more bytes will follow. */
void tfm_lines_finish(struct tfm_lines *lines, const struct tfm_out *out);

#endif
