/* routes.h - the routes and their handlers. The OpenAPI document is made from this table, too.
 *
 * A handler's file is route_<word>.c. It ends in `const struct route routes_<word>[]`, one entry per route and a
 * final {0}, and is listed in this room's meson.build. A route is described nowhere else. */
#ifndef API_ROUTES_H
#define API_ROUTES_H

#include "server/request.h"
#include "server/response.h"

struct site;

enum { ROUTE_QUERY_MOST = 5, ROUTE_ERRORS_MOST = 5, ROUTE_ALLOWED_SIZE = 32 };

struct route {
    const char *method; /* GET includes HEAD */
    const char *path;   /* may have one "{name}": a segment that becomes request->argument */
    void (*answer)(struct site *site, const struct request *request, struct response *response);
    const char *id; /* operationId */
    const char *summary;
    const char *media_type; /* of an answer with status 200 */
    const char *schema;     /* of its JSON, see schemas.h; NULL: not JSON */
    const char *takes;      /* schema of the body of a POST */
    struct route_parameter {
        const char *name, *summary;
    } query[ROUTE_QUERY_MOST], argument; /* NULL names: none */
    uint16_t errors[ROUTE_ERRORS_MOST];  /* statuses besides 200 and those of access.h */
    uint8_t command;                     /* enum order_command of a device route */
};

#define ROUTE_JSON "application/json"

/* Returns the routes of all files, one after the other, then NULL. */
const struct route *route_at(size_t index);

/* Any other path outside /api/: one of the page's files, or 404. In route_page.c. */
extern const struct route route_of_files;

/* Returns the route with this method and path, or NULL. *argument points into path, or is NULL. */
const struct route *route_find(const char *method, const char *path, const char **argument);

/* Lists the methods of a path for an Allow header. False when there is no such path. */
bool route_allowed(const char *path, char allowed[static ROUTE_ALLOWED_SIZE]);

#endif
