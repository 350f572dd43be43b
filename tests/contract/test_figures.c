/* test_figures.c - rules for each figure of snapshot/figures.h. */
#include "export/export.h"

#include "base/bound.h"
#include "base/json.h"
#include "base/jsonio.h"
#include "snapshot/figures.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct figure *const tables[] = {figures_link, figures_function};
enum { TABLES = sizeof tables / sizeof *tables };

Test(figures, each_has_a_unique_key_and_a_description)
{
    for (size_t t = 0; t < TABLES; t++) {
        for (const struct figure *figure = tables[t]; figure->key; figure++) {
            for (const char *c = figure->key; *c; c++)
                cr_expect(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_', "%s",
                          figure->key);
            for (const struct figure *before = tables[t]; before < figure; before++) {
                cr_expect_str_neq(before->key, figure->key);
                cr_expect_str_neq(before->title, figure->title);
            }
            cr_expect(*figure->title && *figure->help, "%s", figure->key);
            cr_expect(isupper((unsigned char)*figure->help) || isdigit((unsigned char)*figure->help), "%s",
                      figure->help);
            cr_expect_neq(figure->help[strlen(figure->help) - 1], '.', "%s", figure->help);
            cr_expect_not_null(figure_unit_name(figure->unit), "%s", figure->key);
        }
    }
}

/* A limit on a misspelt column would never be judged. */
Test(figures, a_limit_is_about_columns_that_functions_have)
{
    for (int i = 0; i < BOUND_FIGURES; i++) {
        const struct bound_figure_info *info = bound_figure_info((enum bound_figure)i);
        cr_expect(*info->name && *info->help, "figure %d", i);
        cr_expect(info->judged != BOUND_AT_SNAPSHOT || info->most, "%s", info->name);
        const char *const columns[] = {info->least, info->most};
        for (size_t end = 0; end < 2; end++) {
            const struct figure *figure = figures_function;
            while (columns[end] && figure->key && strcmp(figure->key, columns[end]) != 0)
                figure++;
            cr_expect(!columns[end] || figure->key, "%s: %s", info->name, columns[end]);
        }
    }
}

static unsigned in_column(unsigned number, size_t offset)
{
    unsigned n = 0;
    for (const struct figure *figure = figures_function; figure->key; figure++)
        n += *((const uint8_t *)figure + offset) == number;
    return n;
}

/* Expects one figure in each column up to the last. */
static void expect_columns(const char *of, size_t offset)
{
    unsigned last = 1;
    for (; last < UINT8_MAX && in_column(last, offset); last++)
        cr_expect_eq(in_column(last, offset), 1, "column %u of %s", last, of);
    for (; last <= UINT8_MAX; last++)
        cr_expect_eq(in_column(last, offset), 0, "no column before %u of %s is left out", last, of);
}

Test(figures, the_columns_of_functions_are_numbered_without_a_gap)
{
    expect_columns("CSV", offsetof(struct figure, csv));
    expect_columns("the page", offsetof(struct figure, column));
}

/* snapshot_since() subtracts sums as 64-bit integers; snapshot_window() writes 64 zero bits, which are also 0 as a
 * double. */
Test(figures, function_sums_are_integers_and_all_have_a_known_flag)
{
    for (const struct figure *figure = figures_function; figure->key; figure++) {
        cr_expect(figure->type == FIGURE_U64 || figure->type == FIGURE_MEAN ||
                      (figure->type == FIGURE_DOUBLE && !figure->adds_up),
                  "%s", figure->key);
        cr_expect_neq(figure->known, 0, "%s", figure->key);
    }
}

static struct sink_buffer written(const char *format)
{
    static const struct snapshot_function function = {.name = "f",
                                                      .raw_name = "f",
                                                      .known = FUNCTION_CALLS | FUNCTION_TIMES |
                                                               FUNCTION_EACH | FUNCTION_SAMPLES,
                                                      .calls = 1};
    static const struct snapshot_node root = {.parent = -1, .function = -1};
    const struct snapshot snapshot = {.source = {.dialect = "miniprof", .provides = UINT32_MAX},
                                      .link = {.has_line_use = true, .has_other_cores = true},
                                      .functions = &function,
                                      .function_count = 1,
                                      .nodes = &root,
                                      .node_count = 1};
    struct sink_buffer out;
    sink_buffer_init(&out);
    exporter_find(format)->write(&snapshot, &out.sink);
    cr_assert_not(out.sink.failed);
    return out;
}

static struct jsonio *parsed(const struct sink_buffer *text)
{
    struct error err;
    struct jsonio *json = jsonio_parse("what was written", text->bytes, text->n, &err);
    cr_assert_not_null(json, "%s", err.text);
    return json;
}

Test(figures, each_is_in_the_json)
{
    struct sink_buffer text = written("json");
    struct jsonio *json = parsed(&text);
    const struct jsonio *rows[TABLES] = {jsonio_member(json, "link"),
                                         jsonio_at(jsonio_member(json, "functions"), 0)};
    for (size_t t = 0; t < TABLES; t++)
        for (const struct figure *figure = tables[t]; figure->key; figure++)
            cr_expect_not_null(jsonio_member(rows[t], figure->key), "%s", figure->key);
    jsonio_free(json);
    sink_buffer_fini(&text);
}

Test(figures, each_total_of_the_link_is_a_metric_except_hints)
{
    struct sink_buffer text = written("prometheus");
    for (const struct figure *figure = figures_link; figure->key; figure++) {
        char line[128];
        snprintf(line, sizeof line, "\nminiprofd_link_%s_total 0\n", figure->key);
        bool hint = strstr(figure->key, "_hints") != NULL;
        cr_expect_eq(strstr(text.bytes, line) != NULL, figure->adds_up && !hint, "%s", figure->key);
    }
    sink_buffer_fini(&text);
}

Test(figures, the_json_describes_each)
{
    struct sink_buffer text;
    sink_buffer_init(&text);
    struct json json = {.sink = &text.sink};
    json_object_open(&json, NULL);
    export_figures(&json);
    json_object_close(&json);
    struct jsonio *told = parsed(&text);
    static const char *const names[TABLES] = {"link", "functions"};
    for (size_t t = 0; t < TABLES; t++) {
        const struct jsonio *list = jsonio_member(told, names[t]);
        size_t n = 0;
        for (const struct figure *figure = tables[t]; figure->key; figure++, n++) {
            const struct jsonio *one = jsonio_at(list, n);
            cr_expect_str_eq(jsonio_text(jsonio_member(one, "key")), figure->key);
            cr_expect_str_eq(jsonio_text(jsonio_member(one, "title")), figure->title);
            cr_expect_str_eq(jsonio_text(jsonio_member(one, "help")), figure->help);
        }
        cr_expect_eq(jsonio_count(list), n);
    }
    jsonio_free(told);
    sink_buffer_fini(&text);
}
