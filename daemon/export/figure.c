/* figure.c - writes figures of the link and of functions as JSON. */
#include "export/figure.h"

#include "export/export.h"

void figure_write(const struct figure *figure, const void *row, bool known, struct json *json)
{
    if (!known) {
        json_null(json, figure->key);
        return;
    }
    switch ((enum figure_type)figure->type) {
    case FIGURE_U64: json_u64(json, figure->key, figure_u64(figure, row)); break;
    case FIGURE_DOUBLE:
    case FIGURE_MEAN: json_double(json, figure->key, figure_double(figure, row), figure->decimals); break;
    case FIGURE_TEXT: json_text(json, figure->key, figure_text(figure, row)); break;
    }
}

static void describe_figures(const char *key, const struct figure *figure, struct json *json)
{
    json_array_open(json, key);
    for (; figure->key; figure++) {
        json_object_open(json, NULL);
        json_text(json, "key", figure->key);
        json_text(json, "title", figure->title);
        json_text(json, "help", figure->help);
        json_text(json, "unit", figure_unit_name(figure->unit));
        json_text(json, "group", figure_group_name(figure->group));
        json_known_u64(json, "column", figure->column > 0, figure->column);
        json_object_close(json);
    }
    json_array_close(json);
}

void export_figures(struct json *json)
{
    describe_figures("link", figures_link, json);
    describe_figures("functions", figures_function, json);
}
