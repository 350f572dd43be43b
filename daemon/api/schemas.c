/* schemas.c - writes the schemas of the OpenAPI document. */
#include "api/schemas.h"

#include "base/bound.h"
#include "snapshot/figures.h"

#include <stdio.h>
#include <string.h>

/* The types of members: type in JSON, and unit of a number. */
static const struct schema_type {
    const char *word, *json, *unit, *format;
} schema_types[] = {
    {"string", "string", NULL, NULL},
    {"boolean", "boolean", NULL, NULL},
    {"object", "object", NULL, NULL}, /* with any members */
    {"time", "string", NULL, "date-time"},
    {"address", "string", NULL, NULL}, /* 0x and hex digits */
    {"id", "integer", "number", NULL}, /* the index of a row, or an identifying number */
    {"count", "integer", "number", NULL},
    {"number", "number", "number", NULL},
    {"ticks", "integer", "ticks", NULL},
    {"mean_ticks", "number", "ticks", NULL},
    {"bytes", "integer", "bytes", NULL},
    {"percent", "integer", "percent", NULL},
    {"share", "number", "percent", NULL},
    {"hz", "integer", "hertz", NULL},
    {"baud", "integer", "bits per second", NULL},
    {"rate", "number", "per second", NULL},
    {"ns", "integer", "nanoseconds", NULL},
    {"ms", "integer", "milliseconds", NULL},
    {"seconds", "integer", "seconds", NULL},
    {"tick_pair", "array", "ticks", NULL}, /* [from, to] */
    {"own", "number", "see the member unit", NULL},
};

static const struct schema_row *const schema_tables[] = {schemas_of_snapshot, schemas_of_answers};
enum { SCHEMA_TABLES = sizeof schema_tables / sizeof *schema_tables };
static const char event_prefix[] = "event_";

void schemas_refer(const char *key, const char *name, struct json *json)
{
    char reference[64];
    snprintf(reference, sizeof reference, "#/components/schemas/%s", name);
    json_object_open(json, key);
    json_text(json, "$ref", reference);
    json_object_close(json);
}

/* ---- figures, which have their own tables ---- */

static void write_figure(const struct figure *figure, struct json *json)
{
    static const char *const types[] = {[FIGURE_U64] = "integer",
                                        [FIGURE_DOUBLE] = "number",
                                        [FIGURE_MEAN] = "number",
                                        [FIGURE_TEXT] = "string"};
    bool is_always_known = !figure->known && !figure->has && figure->type != FIGURE_TEXT;
    json_object_open(json, figure->key);
    json_array_open(json, "type");
    json_text(json, NULL, types[figure->type]);
    if (!is_always_known)
        json_text(json, NULL, "null");
    json_array_close(json);
    json_text(json, "title", figure->title);
    json_text(json, "description", figure->help);
    json_text(json, "x-unit", figure_unit_name(figure->unit));
    json_object_close(json);
}

static void write_figures_of_link(struct json *json)
{
    for (const struct figure *figure = figures_link; figure->key; figure++)
        write_figure(figure, json);
}

static void write_figures_of_function(struct json *json)
{
    for (const struct figure *figure = figures_function; figure->key; figure++)
        write_figure(figure, json);
}

/* Writes the time of the last change of each counter of the link. */
static void write_counters_of_link(struct json *json)
{
    for (const struct figure *figure = figures_link; figure->key; figure++) {
        if (!figure->adds_up)
            continue;
        json_object_open(json, figure->key);
        json_array_open(json, "type");
        json_text(json, NULL, "integer");
        json_text(json, NULL, "null");
        json_array_close(json);
        json_text(json, "title", figure->title);
        json_text(json, "description", "When it last grew, since 1970; null: never.");
        json_text(json, "x-unit", "milliseconds");
        json_object_close(json);
    }
}

static void write_accounts(enum ledger_unit unit, const char *word, struct json *json)
{
    for (int i = 0; i < ACCOUNTS; i++) {
        if (ledger_rows[i].unit != unit)
            continue;
        json_object_open(json, ledger_rows[i].key);
        json_text(json, "type", "integer");
        json_text(json, "description", ledger_rows[i].what);
        json_text(json, "x-unit", word);
        json_object_close(json);
    }
}

static void write_accounts_of_bytes(struct json *json)
{
    write_accounts(LEDGER_BYTES, "bytes", json);
}

static void write_accounts_of_calls(struct json *json)
{
    write_accounts(LEDGER_CALLS, "number", json);
}

static void write_accounts_of_ticks(struct json *json)
{
    write_accounts(LEDGER_TICKS, "ticks", json);
}

/* Writes the figures that can have a limit, with a description of each. */
static void write_limit_figure(struct json *json)
{
    json_object_open(json, "figure");
    json_text(json, "type", "string");
    json_text(json, "description", "What of the function is limited; x-meaning says what each is.");
    json_array_open(json, "enum");
    for (int i = 0; i < BOUND_FIGURES; i++)
        json_text(json, NULL, bound_figure_info((enum bound_figure)i)->name);
    json_array_close(json);
    json_object_open(json, "x-meaning");
    for (int i = 0; i < BOUND_FIGURES; i++) {
        const struct bound_figure_info *info = bound_figure_info((enum bound_figure)i);
        json_text(json, info->name, info->help);
    }
    json_object_close(json);
    json_object_close(json);
}

/* Members from other tables, which a row with the key "+" includes. */
static const struct foreign {
    const char *name;
    void (*write)(struct json *json);
} foreigners[] = {{"figures_of_link", write_figures_of_link},
                  {"figures_of_function", write_figures_of_function},
                  {"counters_of_link", write_counters_of_link},
                  {"accounts_of_bytes", write_accounts_of_bytes},
                  {"accounts_of_calls", write_accounts_of_calls},
                  {"accounts_of_ticks", write_accounts_of_ticks},
                  {"limit_figure", write_limit_figure}};
enum { FOREIGNERS = sizeof foreigners / sizeof *foreigners };

/* ---- rows ---- */

static void write_enum(const char *words, bool may_be_null, struct json *json)
{
    json_array_open(json, "enum");
    while (*words) {
        char word[64];
        size_t n = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        json_text(json, NULL, word);
        words += n + strspn(words + n, " ");
    }
    if (may_be_null)
        json_null(json, NULL);
    json_array_close(json);
}

static void write_type(const char *type, bool may_be_null, struct json *json)
{
    if (!may_be_null) {
        json_text(json, "type", type);
        return;
    }
    json_array_open(json, "type");
    json_text(json, NULL, type);
    json_text(json, NULL, "null");
    json_array_close(json);
}

/* Returns the type for a word. A misspelt word becomes a string, which the document's test detects. */
static const struct schema_type *find_type(const char *word)
{
    for (size_t i = 0; i < sizeof schema_types / sizeof *schema_types; i++)
        if (!strcmp(schema_types[i].word, word))
            return &schema_types[i];
    return schema_types;
}

/* Writes the schema of a member or of an array's items. `word` is the type without "[]" and "?". */
static void write_value(const struct schema_row *row, const char *word, bool may_be_null, struct json *json)
{
    if (*word == '&' && may_be_null) {
        json_array_open(json, "oneOf");
        schemas_refer(NULL, word + 1, json);
        json_object_open(json, NULL);
        json_text(json, "type", "null");
        json_object_close(json);
        json_array_close(json);
    } else if (*word == '&') {
        char reference[64];
        snprintf(reference, sizeof reference, "#/components/schemas/%s", word + 1);
        json_text(json, "$ref", reference);
    } else {
        const struct schema_type *type = find_type(word);
        write_type(type->json, may_be_null, json);
        if (type->unit)
            json_text(json, "x-unit", type->unit);
        if (type->format)
            json_text(json, "format", type->format);
        if (row->words)
            write_enum(row->words, may_be_null, json);
    }
}

/* Writes a member such as "[]&window?". A final "?" applies to the array, "[?]" to its elements. */
static void write_member(const struct schema_row *row, struct json *json)
{
    const char *type = row->type;
    bool is_array = *type == '[', has_nulls = !strncmp(type, "[?]", 3);
    char word[40];
    snprintf(word, sizeof word, "%s", is_array ? strchr(type, ']') + 1 : type);
    size_t n = strlen(word);
    bool may_be_null = n > 0 && word[n - 1] == '?';
    if (may_be_null)
        word[n - 1] = '\0';
    json_object_open(json, row->key);
    if (is_array) {
        write_type("array", may_be_null, json);
        json_object_open(json, "items");
        write_value(row, word, has_nulls, json);
        json_object_close(json);
    } else {
        write_value(row, word, may_be_null, json);
    }
    if (row->help)
        json_text(json, "description", row->help);
    json_object_close(json);
}

/* Returns the first row of the schema's members, NULL when there is no such schema. */
static const struct schema_row *find_schema(const char *name)
{
    for (size_t t = 0; t < SCHEMA_TABLES; t++)
        for (const struct schema_row *row = schema_tables[t]; row->key || row->schema; row++)
            if (row->schema && !strcmp(row->schema, name))
                return row + 1;
    return NULL;
}

static void write_members(const struct schema_row *row, struct json *json);

static void write_included(const char *name, struct json *json)
{
    for (size_t i = 0; i < FOREIGNERS; i++)
        if (!strcmp(foreigners[i].name, name))
            foreigners[i].write(json);
    const struct schema_row *row = find_schema(name);
    if (row)
        write_members(row, json);
}

static void write_members(const struct schema_row *row, struct json *json)
{
    for (; row->key; row++) {
        if (strcmp(row->key, "+") != 0)
            write_member(row, json);
        else
            write_included(*row->type == '&' ? row->type + 1 : row->type, json);
    }
}

static void write_schema(const struct schema_row *head, struct json *json)
{
    json_object_open(json, head->schema);
    json_text(json, "type", "object");
    if (head->help)
        json_text(json, "description", head->help);
    json_object_open(json, "properties");
    write_members(head + 1, json);
    json_object_close(json);
    json_object_close(json);
}

void schemas_write(struct json *json)
{
    json_object_open(json, "components");
    json_object_open(json, "schemas");
    for (size_t t = 0; t < SCHEMA_TABLES; t++)
        for (const struct schema_row *row = schema_tables[t]; row->key || row->schema; row++)
            if (row->schema)
                write_schema(row, json);
    json_object_close(json);
    json_object_close(json);
}

void schemas_refer_to_events(const char *key, struct json *json)
{
    json_object_open(json, key);
    for (size_t t = 0; t < SCHEMA_TABLES; t++)
        for (const struct schema_row *row = schema_tables[t]; row->key || row->schema; row++)
            if (row->schema && !strncmp(row->schema, event_prefix, strlen(event_prefix)))
                schemas_refer(row->schema + strlen(event_prefix), row->schema, json);
    json_object_close(json);
}
