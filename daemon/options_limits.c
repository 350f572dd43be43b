/* options_limits.c - what the figures of functions are to keep to: on the command line, or one a line in a
 * file. */
#include "base/bound_lines.h"
#include "option_rows.h"

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
