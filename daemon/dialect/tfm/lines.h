/* lines.h - finds what the TF-M profiler prints among the lines of a console log. */
#ifndef DIALECT_TFM_LINES_H
#define DIALECT_TFM_LINES_H

#include "dialect/tfm/item.h"

enum { TFM_LINE_MAX = 256 }; /* longer ones are somebody else's */

/* Zero is its start. */
struct tfm_lines {
    char line[TFM_LINE_MAX];
    size_t n;
    bool too_long;
    bool has_tag; /* of the self-test, whose count comes lines later */
    uint32_t tag;
};

void tfm_lines_byte(struct tfm_lines *lines, uint8_t byte, const struct tfm_out *out);
void tfm_lines_finish(struct tfm_lines *lines, const struct tfm_out *out);

#endif
