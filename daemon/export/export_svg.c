/* export_svg.c - a flame graph as one self-contained picture: callers above, heaviest first from the left, in
 * the colours of the page. In a browser a script adds zoom, search and details (webroot/flamegraph/).
 *
 * Frames narrower than a ten-thousandth of the whole would be invisible and are left out, to keep the file
 * small. A note has their number. */
#include "export/export.h"

#include "base/clock.h"
#include "base/text.h"
#include "export/labels.h"
#include "export/template.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. flamegraph.js has some of these values, too. */
enum { WIDTH = 1168, TOP = 66, ROW = 20, FOOT = 40, PAD = 4 };
#define LETTER 7.25 /* wide */

enum { NARROWEST = 10000, TITLE_LETTERS = 200, HUES = 8, SHADES = 3 };

struct box {
    uint32_t node;
    uint64_t whole; /* ticks of the node and of all below it */
};

struct flamegraph {
    const struct snapshot *snapshot;
    struct labels labels;
    struct box *boxes; /* heaviest first */
    uint32_t shown;    /* boxes wide enough to draw */
    uint32_t narrow;   /* boxes too narrow to draw */
    uint64_t all;      /* ticks */
    uint64_t *left;    /* by node: ticks from the left edge */
    uint64_t *filled;  /* by node: ticks of the callees placed so far */
    uint16_t *depth;   /* by node */
    uint32_t rows;
};

static int heaviest_first(const void *a, const void *b)
{
    const struct box *left = a, *right = b;
    if (left->whole != right->whole)
        return left->whole < right->whole ? 1 : -1;
    return left->node < right->node ? -1 : 1; /* callers before callees of equal weight */
}

/* Computes weights. The callees of a caller that has not returned can have more time than the node itself. */
static void weigh_boxes(struct flamegraph *graph)
{
    const struct snapshot *snapshot = graph->snapshot;
    assert(snapshot->node_count > 0);
    uint64_t *below = graph->filled; /* reused: not needed yet for its purpose */
    for (uint32_t node = snapshot->node_count; node-- > 0;) {
        uint64_t total = snapshot->nodes[node].total_ticks;
        uint64_t whole = node > 0 && total > below[node] ? total : below[node];
        graph->boxes[node] = (struct box){.node = node, .whole = whole};
        if (node > 0)
            below[snapshot->nodes[node].parent] += whole;
    }
    graph->all = graph->boxes[0].whole;
    memset(below, 0, snapshot->node_count * sizeof *below);
}

/* Places boxes in order of weight. A node is never heavier than its caller, so each caller is placed before its
 * callees, and the callees of one caller from the heaviest to the lightest. */
static void place_boxes(struct flamegraph *graph)
{
    const struct snapshot *snapshot = graph->snapshot;
    qsort(graph->boxes, snapshot->node_count, sizeof *graph->boxes, heaviest_first);
    uint32_t i = 1;
    graph->rows = 1;
    for (; i < snapshot->node_count; i++) {
        const struct box *box = &graph->boxes[i];
        uint32_t node = box->node, parent = (uint32_t)snapshot->nodes[node].parent;
        if (box->whole == 0 || box->whole < graph->all / NARROWEST)
            break;
        graph->left[node] = graph->left[parent] + graph->filled[parent];
        graph->filled[parent] += box->whole;
        graph->depth[node] = graph->depth[parent] + 1;
        if (graph->depth[node] >= graph->rows)
            graph->rows = graph->depth[node] + 1u;
    }
    graph->shown = i;
    for (; i < snapshot->node_count && graph->boxes[i].whole > 0; i++)
        graph->narrow++;
}

/* FNV-1a with a final mix, as in webroot/js/model/colour.js, so that a function has the same colour as on the
 * page. */
static uint32_t hash_name(const char *name)
{
    uint32_t h = 0x811c9dc5;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x01000193u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ h >> 13;
}

/* Returns the bytes of the first `letters` characters, and in *all whether the name has no more. */
static size_t first_letters(const char *name, size_t letters, bool *all)
{
    size_t at = 0;
    while (name[at] && letters > 0) {
        at++;
        while ((name[at] & 0xC0) == 0x80) /* the rest of a UTF-8 sequence */
            at++;
        letters--;
    }
    *all = name[at] == '\0';
    return at;
}

/* Writes at most `room` characters of a name. */
static void write_short(struct sink *sink, const char *name, size_t room)
{
    bool fits, rest;
    first_letters(name, room, &fits);
    if (fits) {
        text_write_xml(sink, name);
        return;
    }
    size_t n = first_letters(name, room - 1, &rest);
    char *start = strndup(name, n);
    if (!start) {
        sink->failed = true;
        return;
    }
    text_write_xml(sink, start);
    sink_text(sink, "…");
    free(start);
}

static void write_time(struct sink *sink, uint64_t ticks, uint64_t ticks_per_second)
{
    if (ticks_per_second == 0) {
        sink_u64(sink, ticks);
        sink_text(sink, ticks == 1 ? " tick" : " ticks");
        return;
    }
    static const char *const units[] = {"s", "ms", "µs", "ns"};
    double time = (double)ticks / (double)ticks_per_second;
    unsigned unit = 0;
    while (time < 0.9995 && time > 0 && unit < 3) {
        time *= 1000;
        unit++;
    }
    sink_printf(sink, "%.*f %s", time < 9.995 ? 2 : time < 99.95 ? 1 : 0, time, units[unit]);
}

static void write_figures(const struct flamegraph *graph, const struct box *box, struct sink *sink)
{
    const struct snapshot_node *row = &graph->snapshot->nodes[box->node];
    uint64_t rate = graph->snapshot->target.ticks_per_second;
    write_time(sink, box->whole, rate);
    if (box->node == 0) {
        sink_text(sink, " in all");
        return;
    }
    sink_printf(sink, " (%.2f %%), ", 100.0 * (double)box->whole / (double)graph->all);
    write_time(sink, row->self_ticks, rate);
    sink_text(sink, " itself");
    if (row->calls > 0)
        sink_printf(sink, ", %llu call%s", (unsigned long long)row->calls, row->calls == 1 ? "" : "s");
}

static void write_frame(const struct flamegraph *graph, const struct box *box, struct sink *sink)
{
    int32_t function = graph->snapshot->nodes[box->node].function;
    const char *name = function < 0 ? "all" : labels_of(&graph->labels, (uint32_t)function);
    double scale = graph->all ? (double)WIDTH / (double)graph->all : 0;
    double x = (double)graph->left[box->node] * scale;
    double w = box->node == 0 ? WIDTH : (double)box->whole * scale;
    unsigned y = TOP + ROW * graph->depth[box->node];

    sink_printf(sink, "<g class=\"frame\" data-f=\"%d\"><title>", (int)function);
    write_short(sink, name, TITLE_LETTERS);
    sink_char(sink, '\n');
    write_figures(graph, box, sink);
    sink_printf(sink, "</title><rect x=\"%.4f\" y=\"%u\" width=\"%.4f\" height=\"%d\" class=\"", x, y, w,
                ROW);
    if (function < 0)
        sink_text(sink, "root");
    else if (graph->snapshot->functions[function].kind != KIND_FUNCTION)
        sink_text(sink, "placeholder");
    else
        sink_printf(sink, "c%u", hash_name(name) % HUES * SHADES + (hash_name(name) >> 8) % SHADES);
    sink_text(sink, w < 2 ? " thin\"/>" : "\"/>");
    int room = (int)((w - 2 * PAD) / LETTER);
    if (room >= 4) { /* one or two letters are useless */
        sink_printf(sink, "<text x=\"%.2f\" y=\"%u\">", x + PAD, y + 14);
        write_short(sink, name, (size_t)room);
        sink_text(sink, "</text>");
    }
    sink_text(sink, "</g>\n");
}

/* Writes a JSON array, with XML markup characters escaped for XML. */
static void write_names(const struct labels *labels, struct sink *sink)
{
    struct sink_buffer name;
    sink_buffer_init(&name);
    sink_char(sink, '[');
    for (uint32_t id = 0; id < labels->snapshot->function_count; id++) {
        sink_buffer_clear(&name);
        text_write_json(&name.sink, labels_of(labels, id));
        if (id > 0)
            sink_text(sink, ",\n");
        text_write_xml(sink, name.bytes ? name.bytes : "");
        sink->failed |= name.sink.failed;
    }
    sink_char(sink, ']');
    sink_buffer_fini(&name);
}

static void write_note(const struct flamegraph *graph, struct sink *sink)
{
    const struct snapshot *snapshot = graph->snapshot;
    char taken[CLOCK_ISO8601_SIZE];
    clock_iso8601(snapshot->captured_at_wall_ns, taken);
    write_time(sink, graph->all, snapshot->target.ticks_per_second);
    sink_printf(sink, " · %u functions · %s", (unsigned)snapshot->function_count, taken);
    if (snapshot->call_tree_estimated)
        sink_text(sink, " · estimated from arcs and samples");
    if (snapshot_incomplete(snapshot).n > 0)
        sink_text(sink, " · incomplete: calls are missing");
    if (graph->narrow > 0)
        sink_printf(sink, " · without %u frames too narrow to see", (unsigned)graph->narrow);
}

static void fill_svg_place(void *user, const char *what, struct sink *sink)
{
    struct flamegraph *graph = user;
    unsigned bottom = TOP + ROW * graph->rows;
    if (strcmp(what, "HEIGHT") == 0)
        sink_printf(sink, "%u", bottom + FOOT);
    else if (strcmp(what, "FOOT") == 0)
        sink_printf(sink, "%u", bottom + 25);
    else if (strcmp(what, "TITLE") == 0)
        write_short(sink, graph->snapshot->source.port, 70);
    else if (strcmp(what, "NOTE") == 0)
        write_note(graph, sink);
    else if (strcmp(what, "FRAMES") == 0)
        for (uint32_t i = 0; i < graph->shown; i++)
            write_frame(graph, &graph->boxes[i], sink);
    else if (strcmp(what, "NAMES") == 0)
        write_names(&graph->labels, sink);
}

static void write_svg(const struct snapshot *snapshot, struct sink *sink)
{
    struct flamegraph graph = {.snapshot = snapshot};
    labels_init(&graph.labels, snapshot);
    graph.boxes = malloc(snapshot->node_count * sizeof *graph.boxes);
    graph.left = calloc(snapshot->node_count, sizeof *graph.left);
    graph.filled = calloc(snapshot->node_count, sizeof *graph.filled);
    graph.depth = calloc(snapshot->node_count, sizeof *graph.depth);
    if (graph.boxes && graph.left && graph.filled && graph.depth) {
        weigh_boxes(&graph);
        place_boxes(&graph);
        template_write(template_flamegraph, fill_svg_place, &graph, sink);
    } else {
        sink->failed = true;
    }
    free(graph.depth);
    free(graph.filled);
    free(graph.left);
    free(graph.boxes);
    labels_fini(&graph.labels);
}

const struct exporter exporter_svg = {
    .id = "svg",
    .title = "Flame graph (SVG)",
    .summary = "a picture for documents; in a browser it can be searched and zoomed",
    .media_type = "image/svg+xml",
    .extension = "svg",
    .needs = PROVIDES_TREE,
    .write = write_svg,
};
