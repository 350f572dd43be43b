/* option_rows.h - what options there are: each is described once, for taking it and for telling of it. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

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

/* Copies a text, which lives as long as the options; "" when memory is used up. */
const char *options_keep(struct options *options, const char *text);

/* Without --dialect, a recording's is found out from its bytes; but options are of one dialect, then the
 * first, as on a live line. False with a sentence when one of them is of no dialect that is read then. */
bool options_check_dialect(struct options *options, struct error *err);

/* Take a limit, and a file with one a line; in options_limits.c. */
bool options_take_limit(struct options *options, const char *value, struct error *err);
bool options_take_limits(struct options *options, const char *path, struct error *err);

/* Takes what ends a measurement, such as control_cycle=1000; likewise. */
bool options_take_work(struct options *options, const char *value, struct error *err);

/* Take how much is kept around each time that a limit is broken; likewise. */
bool options_take_breach_seconds(struct options *options, const char *value, struct error *err);
bool options_take_breach_files(struct options *options, const char *value, struct error *err);
bool options_take_breach_size(struct options *options, const char *value, struct error *err);

/* Reads a number within these. */
bool options_take_number(uint32_t *out, const char *option, uint32_t least, uint32_t most, const char *value,
                         struct error *err);

/* Reads a size such as 500M, of 1M at least. */
bool options_take_size(uint64_t *out, const char *option, const char *value, struct error *err);

#endif
