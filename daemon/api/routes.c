/* routes.c - the table of all routes, composed of the tables in the handlers' files. */
#include "api/routes.h"

#include <stdio.h>
#include <string.h>

#define ROUTES(name) extern const struct route routes_##name[];
#include "route_list.h"
#undef ROUTES

static const struct route *const tables[] = {
#define ROUTES(name) routes_##name,
#include "route_list.h"
#undef ROUTES
};

const struct route *route_at(size_t index)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct route *route = tables[i]; route->method; route++)
            if (index-- == 0)
                return route;
    return NULL;
}

static bool path_matches(const char *pattern, const char *path, const char **argument)
{
    size_t fixed = strcspn(pattern, "{");
    *argument = NULL;
    if (pattern[fixed] == '\0')
        return strcmp(pattern, path) == 0;
    if (strncmp(pattern, path, fixed) != 0)
        return false;
    size_t segment = strcspn(path + fixed, "/");
    if (segment == 0 || strcmp(strchr(pattern, '}') + 1, path + fixed + segment) != 0)
        return false;
    *argument = path + fixed;
    return true;
}

static bool is_file_path(const char *path)
{
    const char *argument;
    const struct route *route;
    for (size_t i = 0; (route = route_at(i)); i++)
        if (path_matches(route->path, path, &argument))
            return false;
    return strncmp(path, "/api/", 5) != 0;
}

const struct route *route_find(const char *method, const char *path, const char **argument)
{
    const struct route *route;
    for (size_t i = 0; (route = route_at(i)); i++)
        if (strcmp(route->method, method) == 0 && path_matches(route->path, path, argument))
            return route;
    *argument = NULL;
    return strcmp(method, route_of_files.method) == 0 && is_file_path(path) ? &route_of_files : NULL;
}

bool route_allowed(const char *path, char allowed[static ROUTE_ALLOWED_SIZE])
{
    const char *argument;
    bool get = is_file_path(path), post = false;
    const struct route *route;
    for (size_t i = 0; (route = route_at(i)); i++) {
        if (path_matches(route->path, path, &argument)) {
            get |= strcmp(route->method, "GET") == 0;
            post |= strcmp(route->method, "POST") == 0;
        }
    }
    snprintf(allowed, ROUTE_ALLOWED_SIZE, "%s%s%s", get ? "GET, HEAD" : "", get && post ? ", " : "",
             post ? "POST" : "");
    return get || post;
}
