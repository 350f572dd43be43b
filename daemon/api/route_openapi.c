/* route_openapi.c - the routes as an OpenAPI 3.1 document. */
#include "base/json.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/schemas.h"
#include "api/site.h"

#include <stdio.h>
#include <string.h>

static void write_parameter(const struct route_parameter *parameter, const char *in, const char *type,
                            struct json *json)
{
    json_object_open(json, NULL);
    json_text(json, "name", parameter->name);
    json_text(json, "in", in);
    json_bool(json, "required", strcmp(in, "path") == 0);
    json_text(json, "description", parameter->summary);
    json_object_open(json, "schema");
    json_text(json, "type", type);
    json_object_close(json);
    json_object_close(json);
}

/* Writes "content". `schema` is the name of a schema, or NULL for anything of that type. */
static void write_content(const char *media_type, const char *type, const char *schema, struct json *json)
{
    json_object_open(json, "content");
    json_object_open(json, media_type);
    if (schema) {
        schemas_refer("schema", schema, json);
    } else {
        json_object_open(json, "schema");
        json_text(json, "type", type);
        json_object_close(json);
    }
    json_object_close(json);
    json_object_close(json);
}

static void write_responses(const struct route *route, struct json *json)
{
    bool is_json = strcmp(route->media_type, "application/json") == 0;
    json_object_open(json, "responses");
    json_object_open(json, "200");
    json_text(json, "description", route->summary);
    write_content(route->media_type, is_json ? "object" : "string", route->schema, json);
    if (strcmp(route->media_type, "text/event-stream") == 0)
        schemas_refer_to_events("x-events", json);
    json_object_close(json);
    for (size_t i = 0; i < ROUTE_ERRORS_MOST && route->errors[i]; i++) {
        char status[8];
        snprintf(status, sizeof status, "%u", route->errors[i]);
        json_object_open(json, status);
        json_text(json, "description", "What is wrong, in a sentence.");
        write_content("application/problem+json", "object", "problem", json);
        json_object_close(json);
    }
    json_object_close(json);
}

static void write_operation(const struct route *route, struct json *json)
{
    json_object_open(json, strcmp(route->method, "POST") == 0 ? "post" : "get");
    json_text(json, "operationId", route->id);
    json_text(json, "summary", route->summary);
    json_array_open(json, "parameters");
    if (route->argument.name)
        write_parameter(&route->argument, "path", "string", json);
    for (size_t i = 0; i < ROUTE_QUERY_MOST && route->query[i].name; i++)
        write_parameter(&route->query[i], "query", "integer", json);
    json_array_close(json);
    if (strcmp(route->method, "POST") == 0) {
        json_object_open(json, "requestBody");
        write_content("application/json", "object", route->takes, json);
        json_object_close(json);
    }
    write_responses(route, json);
    json_object_close(json);
}

static void write_document(const char *version, struct json *json)
{
    json_object_open(json, NULL);
    json_text(json, "openapi", "3.1.0");
    json_object_open(json, "info");
    json_text(json, "title", "miniprofd");
    json_text(json, "summary", "A live function profiler for microcontrollers.");
    json_text(json, "version", version);
    json_object_close(json);
    json_object_open(json, "paths");
    /* Operations of the same path are adjacent in their file's table. */
    const struct route *route, *before = NULL;
    for (size_t i = 0; (route = route_at(i)); before = route, i++) {
        bool is_another = !before || strcmp(before->path, route->path) != 0;
        if (is_another && before)
            json_object_close(json);
        if (is_another)
            json_object_open(json, route->path);
        write_operation(route, json);
    }
    if (before)
        json_object_close(json);
    json_object_close(json);
    schemas_write(json);
    json_object_close(json);
}

static void answer_openapi(struct site *site, const struct request *request, struct response *response)
{
    if (!query_none(request, response))
        return;
    struct json json = response_json(response);
    write_document(site->settings.version, &json);
}

const struct route routes_openapi[] = {
    {.method = "GET",
     .path = "/api/v1/openapi.json",
     .answer = answer_openapi,
     .id = "openapi",
     .summary = "This document.",
     .media_type = ROUTE_JSON,
     .schema = "document"},
    {0},
};
