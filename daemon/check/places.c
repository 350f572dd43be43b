/* places.c - finds the source files of functions on this machine. */
#include "check/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool places_add_map(struct places *places, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || !equals[1] || places->maps_n == PLACES_MAPS_MAX)
        return false;
    places->maps[places->maps_n++] = (struct places_map){text, (size_t)(equals - text), equals + 1};
    return true;
}

/* Finds the nearest folder, from this one upwards, that has ".git". */
static void find_repository(char folder[static PATH_MAX])
{
    char path[PATH_MAX + 8];
    for (size_t n = strlen(folder); n > 0; n = (size_t)(strrchr(path, '/') - path)) {
        struct stat stats;
        snprintf(path, sizeof path, "%.*s/.git", (int)n, folder);
        bool is_there = stat(path, &stats) == 0;
        path[n] = '\0';
        if (is_there) {
            folder[n] = '\0';
            return;
        }
    }
}

static bool find_root(const struct places *places, char root[static PATH_MAX])
{
    if (places->root)
        return realpath(places->root, root) != NULL;
    if (!getcwd(root, PATH_MAX))
        return false;
    find_repository(root);
    return true;
}

/* Removes ".", "..", doubled slashes and backslashes. False when the path leads above its start. */
static bool normalize_path(char *path)
{
    char *out = path;
    for (char *at = path; *at; at++)
        if (*at == '\\')
            *at = '/';
    bool is_absolute = *path == '/';
    for (const char *in = path; *in;) {
        in += strspn(in, "/");
        size_t n = strcspn(in, "/");
        if (n == 2 && in[0] == '.' && in[1] == '.') {
            if (out == path)
                return false;
            do
                out--;
            while (out > path && *out != '/');
        } else if (n > 0 && !(n == 1 && in[0] == '.')) {
            const char *part = in;
            if (is_absolute || out > path)
                *out++ = '/';
            memmove(out, part, n);
            out += n;
        }
        in += n;
    }
    *out = '\0';
    return true;
}

static bool is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

/* Removes leading "../", so that the rest is searched. */
static bool drop_leading_parents(char *path)
{
    size_t ups = 0;
    while (!strncmp(path + ups, "../", 3) || !strncmp(path + ups, "..\\", 3))
        ups += 3;
    memmove(path, path + ups, strlen(path + ups) + 1);
    return normalize_path(path);
}

/* Makes the path at compile time, or as changed by a map. False when it is too long. */
static bool join_source_path(const struct places *places, const struct measured_function *function,
                             char path[static PATH_MAX])
{
    bool is_whole = is_absolute(function->file) || !*function->directory;
    int n = is_whole ? snprintf(path, PATH_MAX, "%s", function->file)
                     : snprintf(path, PATH_MAX, "%s/%s", function->directory, function->file);
    if (n >= PATH_MAX || !drop_leading_parents(path))
        return false;
    for (size_t i = 0; i < places->maps_n; i++) {
        const struct places_map *map = &places->maps[i];
        const char *rest = map->from_n ? path : function->file;
        bool fits = map->from_n ? !strncmp(path, map->from, map->from_n) &&
                                      (path[map->from_n] == '/' || map->from[map->from_n - 1] == '/')
                                : !is_absolute(function->file);
        char mapped[PATH_MAX];
        if (!fits)
            continue;
        if (snprintf(mapped, sizeof mapped, "%s/%s", map->to, rest + map->from_n) >= PATH_MAX)
            return false;
        memcpy(path, mapped, strlen(mapped) + 1);
        return true;
    }
    return true;
}

static bool is_file(const char *root, const char *path)
{
    char whole[2 * PATH_MAX];
    struct stat stats;
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    return stat(whole, &stats) == 0 && S_ISREG(stats.st_mode);
}

/* Returns the longest end of `path` that is a file below the root, else the path itself if that exists, else NULL. A
 * name without folders is ambiguous, so it counts only if `path` is just that. */
static const char *find_file_below_root(const char *root, const char *path)
{
    size_t n = strlen(root);
    if (!strncmp(path, root, n) && path[n] == '/' && is_file(root, path + n + 1))
        return path + n + 1;
    if (*path != '/' && is_file(root, path))
        return path;
    for (const char *at = strchr(path, '/'); at && strchr(at + 1, '/'); at = strchr(at + 1, '/'))
        if (is_file(root, at + 1))
            return at + 1;
    return *path == '/' && is_file("", path + 1) ? path : NULL;
}

static char *find_source_file(const struct places *places, const char *root,
                              const struct measured_function *function)
{
    char path[PATH_MAX];
    if (!*function->file || !join_source_path(places, function, path))
        return NULL;
    const char *found = drop_leading_parents(path) && *path ? find_file_below_root(root, path) : NULL;
    return found ? strdup(found) : NULL;
}

void places_find(const struct places *places, struct gate_result *result)
{
    char root[PATH_MAX];
    if (!find_root(places, root))
        return; /* the root does not exist, so nothing is below it */
    for (size_t i = 0; i < result->n; i++) {
        struct gate_row *row = &result->rows[i];
        const struct measured_function *function = row->after ? row->after : row->before;
        if (function)
            row->place = find_source_file(places, root, function);
    }
}
