/* routes.h - the table of what can be asked, which the OpenAPI document is made from. */
#ifndef HTTP_ROUTES_H
#define HTTP_ROUTES_H

#include "http/request.h"
#include "http/response.h"

struct site;

enum { ROUTE_QUERY_MOST = 3, ROUTE_ERRORS_MOST = 5, ROUTE_ALLOWED_SIZE = 32 };

struct route {
    const char *method; /* GET stands for HEAD, too */
    const char *path;   /* may hold one "{name}": a segment, which becomes request->argument */
    void (*answer)(struct site *site, const struct request *request, struct response *response);
    const char *id; /* operationId */
    const char *summary;
    const char *media_type; /* of a 200 */
    struct route_parameter {
        const char *name, *summary;
    } query[ROUTE_QUERY_MOST], argument; /* NULL names: none */
    uint16_t errors[ROUTE_ERRORS_MOST];  /* statuses besides 200 and what the doors say */
    uint8_t command;                     /* enum order_command of a device route */
};

/* Ends with a NULL method. Any other path outside /api/ is looked for among the page's files. */
extern const struct route routes[];

/* NULL when no route has this method and path. *argument points into path, or is NULL. */
const struct route *route_find(const char *method, const char *path, const char **argument);

/* The methods that a path takes, as an Allow header lists them; false when there is no such path. */
bool route_allowed(const char *path, char allowed[static ROUTE_ALLOWED_SIZE]);

#endif
