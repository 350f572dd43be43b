/* screen.h - writes the output of `miniprofd top`: state of the link, tasks and functions, in lines. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include "base/sink.h"
#include "top/table.h"

/* The settings of the output. */
struct screen {
    struct table_view view;
    unsigned width, height; /* of the terminal, in columns and lines; 0: unlimited */
    size_t first;           /* first row of the functions to show; clamped to their number */
    bool is_terminal;       /* it understands the escape sequences of a VT100 */
    bool has_no_tasks;
    bool is_help;        /* show the keys instead of the functions */
    const char *message; /* an additional line; NULL: none; untrusted */
};

/* Writes the table of `now` minus `before` (NULL: everything). Names are made plain, and lines are cut at the width.
 * False when memory is used up. */
bool screen_write(struct screen *screen, const struct reading *before, const struct reading *now,
                  struct sink *sink);

#endif
