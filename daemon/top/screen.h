/* screen.h - what `miniprofd top` writes: the state of the link, tasks and functions, in lines. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include "base/sink.h"
#include "top/table.h"

/* How it is to look. */
struct screen {
    struct table_view view;
    unsigned width, height; /* of the terminal, in columns and lines; 0: any number of them */
    size_t first;           /* row of the functions that is shown first; kept within what there is */
    bool is_terminal;       /* it understands the escape sequences of a VT100 */
    bool has_no_tasks;
    bool is_help;        /* the keys instead of the functions */
    const char *message; /* a line of its own, shown where there is one; may be anything */
};

/* Writes the table of `now`, of what it has more than `before` (NULL: of all of it). Names are made plain,
 * lines end at the width. False when memory is used up. */
bool screen_write(struct screen *screen, const struct reading *before, const struct reading *now,
                  struct sink *sink);

#endif
