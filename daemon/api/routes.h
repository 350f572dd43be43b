/* routes.h - what can be asked, and who answers: the OpenAPI document is made from it, too.
 *
 * A handler's file is route_<word>.c and ends in `const struct route routes_<word>[]`, one entry a route and
 * {0}, and is named once in this room's meson.build. A route is described nowhere else. */
#ifndef API_ROUTES_H
#define API_ROUTES_H

#include "server/request.h"
#include "server/response.h"

struct site;

enum { ROUTE_QUERY_MOST = 4, ROUTE_ERRORS_MOST = 5, ROUTE_ALLOWED_SIZE = 32 };

struct route {
    const char *method; /* GET stands for HEAD, too */
    const char *path;   /* may hold one "{name}": a segment, which becomes request->argument */
    void (*answer)(struct site *site, const struct request *request, struct response *response);
    const char *id; /* operationId */
    const char *summary;
    const char *media_type; /* of a 200 */
    const char *schema;     /* of its JSON, see schemas.h; NULL: it is none */
    const char *takes;      /* schema of what a POST takes */
    struct route_parameter {
        const char *name, *summary;
    } query[ROUTE_QUERY_MOST], argument; /* NULL names: none */
    uint16_t errors[ROUTE_ERRORS_MOST];  /* statuses besides 200 and what access.h says */
    uint8_t command;                     /* enum order_command of a device route */
};

#define ROUTE_JSON "application/json"

/* The routes of all files, one after the other; NULL behind the last. */
const struct route *route_at(size_t index);

/* What any other path outside /api/ is: one of the page's files, or nothing. In route_page.c. */
extern const struct route route_of_files;

/* Finds the route that has this method and path; NULL when none has. *argument points into
 * path, or is NULL. */
const struct route *route_find(const char *method, const char *path, const char **argument);

/* Lists the methods that a path takes, as an Allow header does; false when there is no such path. */
bool route_allowed(const char *path, char allowed[static ROUTE_ALLOWED_SIZE]);

#endif
