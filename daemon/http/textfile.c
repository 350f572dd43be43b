/* textfile.c - the text of source files that an ELF names. */
#include "http/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether `from` is the front of `path`, whole directories at a time. */
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
        return length > 0 && length < PATH_MAX ? out : NULL;
    }
    return strlen(path) < PATH_MAX ? path : NULL;
}

static bool read_all(int fd, char *bytes, size_t size, size_t *n)
{
    *n = 0;
    while (*n < size) {
        ssize_t got = read(fd, bytes + *n, size - *n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break;
        *n += (size_t)got;
    }
    return true;
}

static bool index_lines(struct textfile *text, size_t n)
{
    uint32_t count = 1;
    for (size_t i = 0; i < n; i++)
        count += text->bytes[i] == '\n';
    text->starts = malloc((count + 1u) * sizeof *text->starts);
    if (!text->starts)
        return false;
    text->starts[0] = 0;
    for (size_t i = 0; i < n; i++)
        if (text->bytes[i] == '\n')
            text->starts[++text->lines] = (uint32_t)i + 1;
    if (text->starts[text->lines] < n)
        text->starts[++text->lines] = (uint32_t)n;
    return true;
}

bool textfile_init(struct textfile *text, const char *path, struct error *err)
{
    *text = (struct textfile){0};
    struct stat about;
    size_t n;
    bool good = false;
    /* A pipe or device that something waits behind is opened without waiting, then not read. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &about) != 0)
        error_set_errno(err, errno, "The source file %.300s cannot be read", path);
    else if (!S_ISREG(about.st_mode))
        error_set(err, "%.300s is no regular file, so it is not shown.", path);
    else if (about.st_size > TEXTFILE_BYTES_MOST)
        error_set(err, "%.300s is larger than 8 MiB, so it is not shown.", path);
    else if (!(text->bytes = malloc((size_t)about.st_size + 1)))
        error_set(err, "There is not enough memory for %.300s.", path);
    else if (!read_all(fd, text->bytes, (size_t)about.st_size, &n))
        error_set_errno(err, errno, "The source file %.300s cannot be read", path);
    else if (memchr(text->bytes, '\0', n))
        error_set(err, "%.300s is not text, so it is not shown.", path);
    else if (!(good = index_lines(text, n)))
        error_set(err, "There is not enough memory for %.300s.", path);
    else
        text->modified_s = about.st_mtim.tv_sec;
    if (fd >= 0)
        close(fd);
    if (!good)
        textfile_fini(text);
    return good;
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
