/* bound_lines.c - reads files of limits, one a line. */
#include "base/bound_lines.h"

#include "base/wholefile.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MOST_MIB = 1 };

/* Removes blanks around the line and returns its start. NULL for an empty line or a comment. */
static const char *trim_line(char *line)
{
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n > 0 && strchr(" \t\r", line[n - 1]); n--)
        line[n - 1] = '\0';
    return *line && *line != '#' ? line : NULL;
}

bool bound_read_lines(const char *path, bool (*take)(void *user, const char *line, struct error *err),
                      void *user, struct error *err)
{
    struct wholefile file;
    bool good = true;
    size_t number = 1;
    if (!wholefile_read(&file, "file of limits", path, FILE_MOST_MIB, err))
        return false;
    for (char *line = file.bytes, *end = line + file.n; good && line < end; number++) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        char *next = newline ? newline : end;
        struct error why;
        bool is_text = !memchr(line, '\0', (size_t)(next - line));
        *next = '\0';
        const char *words = trim_line(line);
        if (!is_text)
            good = error_set(err, "%.120s, line %zu, is no text.", path, number);
        else if (words && !take(user, words, &why))
            good = error_set(err, "%.120s, line %zu: %s", path, number, why.text);
        line = next + 1;
    }
    free(file.bytes);
    return good;
}
