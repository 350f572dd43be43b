/* textfile.c - reads the text of source files that an ELF names. */
#include "api/textfile.h"

#include "base/wholefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True when `from` is a prefix of `path` that ends at a directory. */
static bool is_front(const char *from, const char *path)
{
    size_t n = strlen(from);
    if (n == 0)
        return path[0] != '/';
    return strncmp(from, path, n) == 0 && (from[n - 1] == '/' || path[n] == '/' || path[n] == '\0');
}

const char *textfile_place(const struct http_source_path *maps, size_t n, const char *path,
                           char out[static PATH_MAX])
{
    for (size_t i = 0; i < n; i++) {
        if (!is_front(maps[i].from, path))
            continue;
        const char *rest = path + strlen(maps[i].from), *to = maps[i].to;
        rest += strspn(rest, "/");
        bool needs_slash = *rest && *to && to[strlen(to) - 1] != '/';
        int length = snprintf(out, PATH_MAX, "%s%s%s", to, needs_slash ? "/" : "", rest);
        return length < PATH_MAX ? out : NULL;
    }
    return strlen(path) < PATH_MAX ? path : NULL;
}

static uint32_t count_lines(const struct wholefile *file)
{
    uint32_t count = 1;
    for (size_t i = 0; i < file->n; i++)
        count += file->bytes[i] == '\n';
    return count;
}

static bool index_lines(struct textfile *text, uint32_t count)
{
    text->starts = malloc((count + 1u) * sizeof *text->starts);
    if (!text->starts)
        return false;
    text->starts[0] = 0;
    for (size_t i = 0; i < text->n; i++)
        if (text->bytes[i] == '\n')
            text->starts[++text->lines] = (uint32_t)i + 1;
    if (text->starts[text->lines] < text->n)
        text->starts[++text->lines] = (uint32_t)text->n;
    return true;
}

/* True when the file is readable text. */
static bool is_readable(const struct wholefile *file, const char *path, size_t room, uint32_t *lines,
                        struct error *err)
{
    if (memchr(file->bytes, '\0', file->n))
        return error_set(err, "The source file %.300s is not text, so it is not shown.", path);
    *lines = count_lines(file);
    if (*lines > TEXTFILE_LINES_MOST)
        return error_set(err, "The source file %.300s has more than %d lines, so it is not shown.", path,
                         TEXTFILE_LINES_MOST);
    if (file->n + (*lines + 1) * sizeof(uint32_t) > room)
        return error_set(
            err, "The source file %.300s is not shown, since this function has too many large ones.", path);
    return true;
}

bool textfile_init(struct textfile *text, const char *path, size_t room, struct error *err)
{
    struct wholefile file;
    uint32_t lines = 0;
    *text = (struct textfile){0};
    if (!wholefile_read(&file, "source file", path, TEXTFILE_MOST, err))
        return false;
    *text = (struct textfile){.bytes = file.bytes, .n = file.n, .modified_s = file.modified_s};
    bool good = is_readable(&file, path, room, &lines, err) &&
                (index_lines(text, lines) ||
                 error_set(err, "Out of memory while reading the source file %.300s.", path));
    if (!good)
        textfile_fini(text);
    return good;
}

size_t textfile_bytes(const struct textfile *text)
{
    return text->n + (text->lines + 1) * sizeof *text->starts;
}

void textfile_fini(struct textfile *text)
{
    free(text->bytes);
    free(text->starts);
    *text = (struct textfile){0};
}

const char *textfile_line(const struct textfile *text, uint32_t line, size_t *n)
{
    if (line == 0 || line > text->lines)
        return NULL;
    const char *at = text->bytes + text->starts[line - 1];
    *n = text->starts[line] - text->starts[line - 1];
    while (*n > 0 && (at[*n - 1] == '\n' || at[*n - 1] == '\r'))
        --*n;
    return at;
}
