/* export_html.c - the whole profile as one page that needs no server: the views of the live page with the
 * snapshot JSON, in one file (webroot/report/).
 *
 * JavaScript numbers have 53 bits; the JSON inside has all 64. */
#include "export/export.h"

#include "base/json.h"
#include "export/template.h"

#include <string.h>

/* Passes JSON on in a form that cannot end its <script> element: '<', which occurs only in strings, becomes an
 * escape. */
struct script_sink {
    struct sink sink;
    struct sink *to;
};

static bool script_write(struct sink *sink, const void *bytes, size_t n)
{
    struct sink *to = ((struct script_sink *)sink)->to;
    const char *at = bytes, *end = at + n;
    for (const char *less; (less = memchr(at, '<', (size_t)(end - at))); at = less + 1) {
        sink_write(to, at, (size_t)(less - at));
        sink_text(to, "\\u003c");
    }
    sink_write(to, at, (size_t)(end - at));
    return !to->failed;
}

static void write_figures(struct sink *sink)
{
    struct json json = {.sink = sink};
    json_object_open(&json, NULL);
    export_figures(&json);
    json_object_close(&json);
}

static void fill_html_place(void *user, const char *place, struct sink *sink)
{
    const struct snapshot *const *snapshot = user;
    struct script_sink script = {.sink = {.write = script_write}, .to = sink};
    if (strcmp(place, "FIGURES") == 0)
        write_figures(&script.sink);
    else if (strcmp(place, "EXACTLY") == 0) /* empty: only a live page has a screen to reproduce */
        sink_text(&script.sink, "null");
    else
        exporter_find("json")->write(*snapshot, &script.sink);
    sink->failed |= script.sink.failed; /* a writer without memory marks the sink as failed */
}

static void write_html(const struct snapshot *snapshot, struct sink *sink)
{
    template_write(template_report, fill_html_place, &snapshot, sink);
}

const struct exporter exporter_html = {
    .id = "html",
    .title = "Report (HTML)",
    .summary = "one page with flame graph and functions that any browser opens from disk",
    .media_type = "text/html; charset=utf-8",
    .extension = "html",
    .write = write_html,
};
