/* tool_profile.c - tools for the profile: a page of it, one function, and a comparison. */
#include "mcp/tools.h"

#include "base/markdown.h"
#include "base/text.h"
#include "check/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Answers with a part of a text, which is also the answer's text. */
static bool answer_lines(struct page *page, const char *key, const char *text, uint64_t offset,
                         struct tool_answer *answer, struct error *err)
{
    answer->text = page_add_lines(page, key, text, offset);
    return tool_answer_page(answer, page, err);
}

bool call_snapshot(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                   struct error *err)
{
    struct page page;
    char *text = daemon_text(daemon, "/api/v1/export/markdown", err);
    if (!text)
        return false;
    page_begin(&page);
    bool good = answer_lines(&page, "markdown", text, tool_offset(arguments), answer, err);
    free(text);
    return good;
}

/* ---- one function ---- */

/* True when `shown` is the name as in Markdown: escaped, and cut if long. */
static bool is_shown_as(const char *name, const char *shown)
{
    struct sink_buffer text;
    sink_buffer_init(&text);
    markdown_text(&text.sink, name, MARKDOWN_NAME_MOST);
    bool same = !text.sink.failed && text.bytes && strcmp(text.bytes, shown) == 0;
    sink_buffer_fini(&text);
    return same;
}

static bool is_called(struct slice name, const char *wanted, bool as_shown)
{
    char *text = slice_text(name);
    bool same = text && (as_shown ? is_shown_as(text, wanted)
                                  : strcmp(text, wanted) == 0 || text_plain_compare(text, wanted) == 0);
    free(text);
    return same;
}

/* Finds the row of a function by its raw or display name, or as shown in Markdown. */
static struct slice find_function(struct slice snapshot, const char *wanted)
{
    struct slice name, row;
    for (int as_shown = 0; as_shown <= 1; as_shown++) {
        struct slice_walk walk = slice_walk(slice_member(snapshot, "functions"));
        while (slice_next(&walk, &name, &row))
            if (is_called(slice_member(row, "name"), wanted, as_shown) ||
                is_called(slice_member(row, "raw_name"), wanted, as_shown))
                return row;
    }
    return (struct slice){NULL, 0};
}

static bool find_function_id(struct daemon *daemon, const char *name, uint64_t *id, struct error *err)
{
    struct slice top;
    char *text = daemon_json(daemon, "/api/v1/snapshot", NULL, &top, err);
    if (!text)
        return false;
    bool found = slice_u64(slice_member(find_function(top, name), "id"), id);
    free(text);
    return found || error_set(err, "No function is called %.200s; snapshot lists the busiest.", name);
}

bool call_function(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                   struct error *err)
{
    const char *name = jsonio_text(jsonio_member(arguments, "name"));
    const char *part = jsonio_text(jsonio_member(arguments, "part"));
    char path[64];
    uint64_t id;
    struct slice top;
    struct page page;
    if (!find_function_id(daemon, name, &id, err))
        return false;
    snprintf(path, sizeof path, "/api/v1/functions/%llu", (unsigned long long)id);
    char *text = daemon_json(daemon, path, NULL, &top, err);
    if (!text)
        return false;
    page_begin(&page);
    bool good = page_add_part(&page, top, part ? part : "", tool_offset(arguments), err);
    if (good)
        good = tool_answer_page(answer, &page, err);
    else
        page_fini(&page);
    free(text);
    return good;
}

/* ---- comparison with an older profile ---- */

static bool write_comparison(const struct gate *gate, const struct gate_sides *sides, uint64_t offset,
                             struct tool_answer *answer, struct error *err)
{
    struct gate_result result;
    struct sink_buffer out;
    struct page page;
    if (!gate_hold(gate, sides, &result, err))
        return false;
    sink_buffer_init(&out);
    report_text.write(gate, &result, &out.sink);
    page_begin(&page);
    page_add_number(&page, "slower", result.slower);
    page_add_number(&page, "compared", result.compared);
    page_add_number(&page, "gone", result.gone);
    page_add_number(&page, "new", result.added);
    page.out.sink.failed |= out.sink.failed;
    bool good = answer_lines(&page, "report", out.bytes ? out.bytes : "", offset, answer, err);
    gate_result_fini(&result);
    sink_buffer_fini(&out);
    return good;
}

bool call_compare(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                  struct error *err)
{
    const char *path = jsonio_text(jsonio_member(arguments, "baseline"));
    const char *metric = jsonio_text(jsonio_member(arguments, "metric"));
    enum measured_figure figure = MEASURED_TIME;
    struct measured before, after;
    bool good = false;
    if (metric && !measured_named(metric, &figure))
        return error_set(err, "There is no metric %.40s; miniprofd check --help lists them.", metric);
    if (measured_read(&before, path, err) != MEASURED_OK)
        return false;
    const struct gate gate = gate_usual(figure);
    char *text = daemon_text(daemon, "/api/v1/snapshot", err);
    if (text && measured_parse(&after, "The snapshot", text, strlen(text), err)) {
        good = write_comparison(&gate, &(struct gate_sides){.before = &before, .after = &after},
                                tool_offset(arguments), answer, err);
        measured_fini(&after);
    }
    free(text);
    measured_fini(&before);
    return good;
}
