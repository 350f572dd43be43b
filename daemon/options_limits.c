/* options_limits.c - what the figures of functions are to keep to: on the command line, or one a line in a
 * file. */
#include "base/wholefile.h"
#include "option_rows.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MOST_MIB = 1 };

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

/* Lines that are empty, or begin with '#', are left out. */
static bool take_line(struct options *options, const char *path, size_t number, char *line, struct error *err)
{
    struct error why;
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n > 0 && strchr(" \t\r", line[n - 1]); n--)
        line[n - 1] = '\0';
    if (!*line || *line == '#' || options_take_limit(options, line, &why))
        return true;
    return error_set(err, "%.120s, line %zu: %s", path, number, why.text);
}

bool options_take_limits(struct options *options, const char *path, struct error *err)
{
    struct wholefile file;
    bool good = true;
    size_t number = 1;
    if (!wholefile_read(&file, "file of limits", path, FILE_MOST_MIB, err))
        return false;
    for (char *line = file.bytes, *end = line + file.n; good && line < end; number++) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        char *next = newline ? newline : end;
        if (memchr(line, '\0', (size_t)(next - line)))
            good = error_set(err, "%.120s, line %zu, is no text.", path, number);
        *next = '\0';
        good = good && take_line(options, path, number, line, err);
        line = next + 1;
    }
    free(file.bytes);
    return good;
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
