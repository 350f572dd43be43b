/* options_limits.c - what the figures of functions are to keep to: on the command line, or one a line in a
 * file. */
#include "base/bound_lines.h"
#include "cli/option_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool options_take_limit(struct options *options, const char *value, struct error *err)
{
    struct bound bound;
    if (!bound_parse(value, &bound, err))
        return false;
    if (options->limits_n == OPTIONS_LIMITS_MAX)
        return error_set(err, "There are more than %d limits.", OPTIONS_LIMITS_MAX);
    options->limits[options->limits_n++] = bound;
    return true;
}

static bool take_line(void *options, const char *line, struct error *err)
{
    return options_take_limit(options, line, err);
}

bool options_take_limits(struct options *options, const char *path, struct error *err)
{
    return bound_read_lines(path, take_line, options, err);
}

/* Names of C++ may have a '=', so the last one counts. */
bool options_take_work(struct options *options, const char *value, struct error *err)
{
    const char *equals = strrchr(value, '=');
    char *end = NULL;
    errno = 0;
    uint64_t calls = equals && equals[1] >= '0' && equals[1] <= '9' ? strtoull(equals + 1, &end, 10) : 0;
    if (calls == 0 || *end || errno || equals == value)
        return error_set(err, "--work takes FUNCTION=CALLS such as control_cycle=1000, not '%.100s'.", value);
    char *name = strndup(value, (size_t)(equals - value));
    if (!name)
        return error_set(err, "Memory is used up.");
    options->work = options_keep(options, name);
    options->work_calls = calls;
    free(name);
    return *options->work || error_set(err, "Memory is used up.");
}

/* ---- what is kept around those that are broken ---- */

bool options_take_breach_seconds(struct options *options, const char *value, struct error *err)
{
    return options_take_number(&options->breach_seconds, "--breach-seconds", 1, 60, value, err);
}

bool options_take_breach_files(struct options *options, const char *value, struct error *err)
{
    return options_take_number(&options->breach_files, "--breach-files", 2, 32, value, err);
}

bool options_take_breach_size(struct options *options, const char *value, struct error *err)
{
    return options_take_size(&options->breach_most, "--breach-size", value, err);
}
