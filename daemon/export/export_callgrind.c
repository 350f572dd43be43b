/* export_callgrind.c - the profile format of Valgrind's callgrind, for callgrind_annotate and KCachegrind.
 *
 * Its readers compute a function's inclusive cost as its self cost plus that of all its calls, so each level of
 * a recursion would count again. As in Callgrind, a call that runs while the same function is already running
 * is named name'2. So the cost of `name` is exact, with recursion counted once. An edge between functions that
 * are both already running counts its cost only where it is not inside itself.
 *
 * Readers also sum up the calls of a function, so outermost functions get a caller, too: [all]. They add the
 * cost of an edge with 0 calls to the caller's self cost, so a call that has not returned counts as one.
 *
 * Readers identify a function by file and name. So functions that share both get their address appended, or
 * the row's number if they have none.
 *
 * Costs are in ticks, to keep them exact; a desc line has their rate. */
#include "export/export.h"

#include "base/map.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A function of the format: the first is [all], followed by name and name'2 of each function. */
struct cost {
    const struct snapshot_function *function;
    bool is_inner;  /* name'2 */
    bool is_shared; /* another function has the same name and file */
    bool is_met;
    bool is_named; /* its name was already written */
    uint64_t self_ticks;
    uint32_t first_edge; /* NONE ends the list */
};

static const struct snapshot_function all = {.name = "[all]"};

struct edge {
    uint32_t callee, next;
    uint32_t active; /* number of its calls on the path of the walk */
    uint64_t calls, ticks;
};

struct callgrind {
    const struct snapshot *snapshot;
    struct sink *sink;
    struct cost *costs;
    uint32_t cost_count;
    struct edge *edges; /* room for node_count */
    uint32_t edge_count;
    struct map edge_of; /* caller << 32 | callee */
    uint32_t *first_child, *next_sibling;
    struct map files; /* pointer to a file's name -> its number; equal paths share one pointer */
};

static uint32_t cost_of(const struct callgrind *grind, uint32_t node)
{
    const struct snapshot_node *row = &grind->snapshot->nodes[node];
    return node == 0 ? 0 : 1 + 2 * (uint32_t)row->function + row->recursive;
}

/* Returns the edge from the node's caller to the node's function. NULL when memory is used up. */
static struct edge *edge_to(struct callgrind *grind, uint32_t node)
{
    uint32_t caller = cost_of(grind, (uint32_t)grind->snapshot->nodes[node].parent);
    uint32_t callee = cost_of(grind, node);
    uint64_t key = (uint64_t)caller << 32 | callee;
    uint32_t known = map_find(&grind->edge_of, key);
    if (known != MAP_NONE)
        return &grind->edges[known];
    if (!map_set(&grind->edge_of, key, grind->edge_count))
        return NULL;
    struct edge *edge = &grind->edges[grind->edge_count];
    *edge = (struct edge){.callee = callee, .next = grind->costs[caller].first_edge};
    grind->costs[caller].first_edge = grind->edge_count++;
    return edge;
}

static bool enter_node(struct callgrind *grind, uint32_t node)
{
    const struct snapshot_node *row = &grind->snapshot->nodes[node];
    struct cost *cost = &grind->costs[cost_of(grind, node)];
    cost->self_ticks += row->self_ticks;
    if (row->calls > 0 || row->total_ticks > 0) /* the caller, too, if only for this edge */
        cost->is_met = grind->costs[cost_of(grind, (uint32_t)row->parent)].is_met = true;
    struct edge *edge = edge_to(grind, node);
    if (!edge)
        return false;
    edge->calls += row->calls;
    if (edge->active++ == 0)
        edge->ticks += row->total_ticks;
    return true;
}

static void link_children(struct callgrind *grind)
{
    const struct snapshot *snapshot = grind->snapshot;
    for (uint32_t node = 0; node < snapshot->node_count; node++)
        grind->first_child[node] = NONE;
    for (uint32_t node = snapshot->node_count; node-- > 1;) {
        uint32_t parent = (uint32_t)snapshot->nodes[node].parent;
        grind->next_sibling[node] = grind->first_child[parent];
        grind->first_child[parent] = node;
    }
}

/* Walks the tree depth first. False when memory is used up. */
static bool walk_call_tree(struct callgrind *grind)
{
    uint32_t node = grind->first_child[0];
    while (node != NONE) {
        if (!enter_node(grind, node))
            return false;
        if (grind->first_child[node] != NONE) {
            node = grind->first_child[node];
            continue;
        }
        while (node > 0) {
            edge_to(grind, node)->active--;
            if (grind->next_sibling[node] != NONE)
                break;
            node = (uint32_t)grind->snapshot->nodes[node].parent;
        }
        node = node > 0 ? grind->next_sibling[node] : NONE;
    }
    return true;
}

static int by_name_and_file(const void *a, const void *b)
{
    const struct snapshot_function *left = (*(struct cost *const *)a)->function;
    const struct snapshot_function *right = (*(struct cost *const *)b)->function;
    int order = text_plain_compare(left->name, right->name);
    return order ? order : text_plain_compare(left->file ? left->file : "", right->file ? right->file : "");
}

/* Sets is_shared. False when memory is used up. */
static bool find_shared_names(struct callgrind *grind)
{
    uint32_t n = grind->snapshot->function_count;
    struct cost **sorted = malloc((n + 1) * sizeof *sorted);
    if (!sorted)
        return false;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = &grind->costs[1 + 2 * i];
    qsort(sorted, n, sizeof *sorted, by_name_and_file);
    for (uint32_t i = 1; i < n; i++)
        if (by_name_and_file(&sorted[i - 1], &sorted[i]) == 0)
            sorted[i - 1][0].is_shared = sorted[i - 1][1].is_shared = /* name and name'2 */
                sorted[i][0].is_shared = sorted[i][1].is_shared = true;
    free(sorted);
    return true;
}

/* Writes a name up to the end of the line. A line break in the name is replaced. */
static void write_line(struct sink *sink, const char *text)
{
    text_write_plain(sink, text);
}

/* Writes "fl=(1) main.c", and later "fl=(1)". Numbers begin at 1, as in Valgrind. */
static void write_file(struct callgrind *grind, const char *key, const char *file)
{
    static const char unknown[] = "???";
    const char *name = file ? file : unknown;
    uint32_t number = map_find(&grind->files, (uintptr_t)name);
    bool is_new = number == MAP_NONE;
    if (is_new) {
        number = grind->files.count + 1;
        if (!map_set(&grind->files, (uintptr_t)name, number))
            grind->sink->failed = true;
    }
    sink_printf(grind->sink, "%s=(%u)", key, (unsigned)number);
    if (is_new) {
        sink_char(grind->sink, ' ');
        write_line(grind->sink, name);
    }
    sink_char(grind->sink, '\n');
}

static void write_name(struct callgrind *grind, const char *key, uint32_t id)
{
    struct cost *cost = &grind->costs[id];
    sink_printf(grind->sink, "%s=(%u)", key, (unsigned)id + 1);
    if (!cost->is_named) {
        sink_char(grind->sink, ' ');
        write_line(grind->sink, cost->function->name);
        if (cost->is_shared && cost->function->has_address)
            sink_printf(grind->sink, "@0x%08llx", (unsigned long long)cost->function->address);
        else if (cost->is_shared)
            sink_printf(grind->sink, "#%u", (unsigned)(id - 1) / 2);
        if (cost->is_inner)
            sink_text(grind->sink, "'2");
        cost->is_named = true;
    }
    sink_char(grind->sink, '\n');
}

static void write_cost(struct sink *sink, uint64_t line, uint64_t ticks)
{
    sink_u64(sink, line);
    sink_char(sink, ' ');
    sink_u64(sink, ticks);
    sink_char(sink, '\n');
}

static void write_function(struct callgrind *grind, uint32_t id)
{
    const struct cost *cost = &grind->costs[id];
    sink_char(grind->sink, '\n');
    write_file(grind, "fl", cost->function->file);
    write_name(grind, "fn", id);
    write_cost(grind->sink, cost->function->line, cost->self_ticks);
    for (uint32_t next = cost->first_edge; next != NONE; next = grind->edges[next].next) {
        const struct edge *edge = &grind->edges[next];
        const struct snapshot_function *callee = grind->costs[edge->callee].function;
        if (edge->calls == 0 && edge->ticks == 0)
            continue;
        write_file(grind, "cfl", callee->file);
        write_name(grind, "cfn", edge->callee);
        sink_text(grind->sink, "calls=");
        sink_u64(grind->sink, edge->calls > 0 ? edge->calls : 1);
        sink_char(grind->sink, ' ');
        sink_u64(grind->sink, callee->line);
        sink_char(grind->sink, '\n');
        write_cost(grind->sink, cost->function->line, edge->ticks); /* the calling line is unknown */
    }
}

static void write_all(struct callgrind *grind)
{
    const struct snapshot *snapshot = grind->snapshot;
    struct sink *sink = grind->sink;
    uint64_t total = 0;
    for (uint32_t id = 0; id < grind->cost_count; id++)
        total += grind->costs[id].self_ticks;
    sink_text(sink, "# callgrind format\nversion: 1\ncreator: miniprofd " MINIPROFD_VERSION "\ncmd: ");
    write_line(sink, *snapshot->source.elf_name ? snapshot->source.elf_name : snapshot->source.port);
    if (snapshot->target.ticks_per_second)
        sink_printf(sink, "\ndesc: Clock: %llu ticks a second",
                    (unsigned long long)snapshot->target.ticks_per_second);
    if (snapshot->call_tree_estimated)
        sink_text(sink, "\ndesc: Calls: who calls whom is known, how long in it is estimated");
    const struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    for (unsigned i = 0; i < reasons.n; i++)
        sink_printf(sink, "\ndesc: Incomplete: %s", reasons.text[i]);
    sink_text(sink, "\npositions: line\nevents: Ticks\nsummary: ");
    sink_u64(sink, total);
    sink_char(sink, '\n');
    for (uint32_t id = 0; id < grind->cost_count; id++)
        if (grind->costs[id].is_met)
            write_function(grind, id);
    sink_text(sink, "\ntotals: ");
    sink_u64(sink, total);
    sink_char(sink, '\n');
}

static void list_costs(struct callgrind *grind)
{
    grind->costs[0] = (struct cost){.function = &all, .first_edge = NONE, .is_met = true};
    for (uint32_t id = 1; id < grind->cost_count; id++)
        grind->costs[id] = (struct cost){.function = &grind->snapshot->functions[(id - 1) / 2],
                                         .is_inner = (id - 1) % 2,
                                         .first_edge = NONE};
}

static void write_callgrind(const struct snapshot *snapshot, struct sink *sink)
{
    struct callgrind grind = {
        .snapshot = snapshot, .sink = sink, .cost_count = 1 + 2 * snapshot->function_count};
    size_t nodes = snapshot->node_count;
    grind.costs = malloc(grind.cost_count * sizeof *grind.costs);
    grind.edges = malloc(nodes * sizeof *grind.edges);
    grind.first_child = malloc(nodes * sizeof *grind.first_child);
    grind.next_sibling = malloc(nodes * sizeof *grind.next_sibling);
    if (!grind.costs || !grind.edges || !grind.first_child || !grind.next_sibling) {
        sink->failed = true;
        goto out;
    }
    list_costs(&grind);
    link_children(&grind);
    if (walk_call_tree(&grind) && find_shared_names(&grind))
        write_all(&grind);
    else
        sink->failed = true;
out:
    map_fini(&grind.files);
    map_fini(&grind.edge_of);
    free(grind.next_sibling);
    free(grind.first_child);
    free(grind.edges);
    free(grind.costs);
}

const struct exporter exporter_callgrind = {
    .id = "callgrind",
    .title = "Callgrind",
    .summary = "cost of each function and call, for callgrind_annotate and KCachegrind",
    .media_type = "text/plain; charset=utf-8",
    .extension = "callgrind",
    .needs = PROVIDES_TREE,
    .write = write_callgrind,
};
