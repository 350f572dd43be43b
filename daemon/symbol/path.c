/* path.c - normalizes names of source files. */
#include "symbol/path.h"

#include <stdbool.h>
#include <string.h>

static bool is_up(const char *part, size_t n)
{
    return n == 2 && part[0] == '.' && part[1] == '.';
}

/* Works in place: the result is never longer than the input. */
static size_t normalize_in_place(char *path)
{
    char *starts[PATH_SIZE / 2]; /* start of each kept part in the result */
    size_t depth = 0;
    bool is_absolute = path[0] == '/';
    char *root = path + is_absolute, *out = root;
    for (const char *in = path; *in;) {
        in += strspn(in, "/");
        size_t n = strcspn(in, "/");
        bool is_last = in[n] == '\0';
        bool can_go_up = depth > 0 && !is_up(starts[depth - 1], (size_t)(out - starts[depth - 1]) - 1);
        if (is_up(in, n) && can_go_up) {
            out = starts[--depth];
        } else if (n > 0 && !(n == 1 && in[0] == '.') && !(is_up(in, n) && is_absolute)) {
            starts[depth++] = out;
            memmove(out, in, n);
            out += n;
            *out++ = '/'; /* overwrites the slash or the NUL that followed */
        }
        if (is_last)
            break;
        in += n;
    }
    if (out > root)
        out--;
    *out = '\0';
    return (size_t)(out - path);
}

size_t path_join(char out[static PATH_SIZE], const char *build, const char *directory, const char *name)
{
    size_t name_n = strnlen(name, PATH_SIZE),
           directory_n = name[0] == '/' ? 0 : strnlen(directory, PATH_SIZE);
    if (name_n == 0 || directory_n + 1 + name_n + 1 > PATH_SIZE)
        return 0;
    size_t n = 0;
    if (directory_n > 0) {
        memcpy(out, directory, directory_n);
        out[directory_n] = '/';
        n = directory_n + 1;
    }
    memcpy(out + n, name, name_n + 1);
    size_t build_n = strnlen(build, PATH_SIZE);
    if (build_n > 1 && !strncmp(out, build, build_n) && out[build_n] == '/' && out[build_n + 1] != '\0')
        memmove(out, out + build_n + 1, strlen(out + build_n + 1) + 1);
    return normalize_in_place(out);
}
