/* options_private.h - what options there are: each is described once, for taking it and for telling of it.
 * For options.c and options_help.c only. */
#ifndef CLI_OPTIONS_PRIVATE_H
#define CLI_OPTIONS_PRIVATE_H

#include "cli/options.h"

/* Takes the value of one option (NULL for flags). */
typedef bool (*take_fn)(struct options *options, const char *value, struct error *err);

struct option_row {
    const char *name;  /* without the dashes */
    const char *value; /* what to call the value in the help; NULL: a flag */
    const char *help;  /* lines separated by \n */
    take_fn take;      /* NULL: the value is kept as it is, a flag becomes true ... */
    size_t member;     /* ... in this member of the options */
};

extern const struct option_row option_rows[]; /* ends with one without a name */

#endif
