/* schemas.c - what the JSON of a snapshot holds, for the OpenAPI document. */
#include "http/schemas.h"

#include "snapshot/figures.h"

#include <stdio.h>

void schemas_refer(const char *key, const char *name, struct json *json)
{
    char reference[64];
    snprintf(reference, sizeof reference, "#/components/schemas/%s", name);
    json_object_open(json, key);
    json_text(json, "$ref", reference);
    json_object_close(json);
}

static const char *type_of(const struct figure *figure)
{
    switch ((enum figure_type)figure->type) {
    case FIGURE_U64: return "integer";
    case FIGURE_DOUBLE:
    case FIGURE_MEAN: return "number";
    case FIGURE_TEXT: return "string";
    }
    return NULL;
}

static void write_figure(const struct figure *figure, struct json *json)
{
    bool always_known = !figure->known && !figure->has && figure->type != FIGURE_TEXT;
    json_object_open(json, figure->key);
    json_array_open(json, "type");
    json_text(json, NULL, type_of(figure));
    if (!always_known)
        json_text(json, NULL, "null");
    json_array_close(json);
    json_text(json, "title", figure->title);
    json_text(json, "description", figure->help);
    json_text(json, "x-unit", figure_unit_name(figure->unit));
    json_object_close(json);
}

static void write_figures(const char *name, const struct figure *figure, struct json *json)
{
    json_object_open(json, name);
    json_text(json, "type", "object");
    json_object_open(json, "properties");
    for (; figure->key; figure++)
        write_figure(figure, json);
    json_object_close(json);
    json_object_close(json);
}

static void write_snapshot(struct json *json)
{
    json_object_open(json, "snapshot");
    json_text(json, "type", "object");
    json_object_open(json, "properties");
    schemas_refer("link", "link", json);
    json_object_open(json, "functions");
    json_text(json, "type", "array");
    schemas_refer("items", "function", json);
    json_object_close(json);
    json_object_close(json);
    json_object_close(json);
}

void schemas_write(struct json *json)
{
    json_object_open(json, "components");
    json_object_open(json, "schemas");
    write_snapshot(json);
    write_figures("function", figures_function, json);
    write_figures("link", figures_link, json);
    json_object_close(json);
    json_object_close(json);
}
