/* estimate.c - estimates a call tree from arcs and samples.
 *
 * Cycles of calls are found first (Tarjan's algorithm), since only a graph without cycles can be shown as a
 * tree. The algorithm finds callees first, which is the order in which costs add up. */
#include "profile/estimate.h"

#include "base/scarcity.h"

#include <math.h>
#include <stdlib.h>

/* Above these limits, the rest of a branch is left out: it would be too thin to see. LOOKS_MAX is for large
 * cycles: wherever one occurs, all arcs of its functions are read. */
enum { DEPTH_MAX = 256, NODES_MAX = 50000, LOOKS_MAX = 4000000 };
static const double thinnest = 0.5; /* samples, or ticks */

/* Returns a function's own cost, if it is known: in ticks, or in samples. */
static double cost_of(const struct snapshot_function *row)
{
    return (double)(row->known & FUNCTION_SELF ? row->self_ticks : row->samples);
}

/* A function, or several that call each other in a cycle. */
struct group {
    uint32_t first_member; /* index in graph.members */
    uint32_t members;
    uint32_t cycle;    /* number of the cycle, from 1; 0: a single function */
    uint64_t calls_in; /* from other groups */
    double self, total;
};

struct graph {
    struct calltree *tree;
    struct functions *functions;
    const struct arcs *arcs;
    uint32_t n;           /* functions */
    uint32_t *first_arc;  /* n + 1 elements: index in `order` of a caller's first arc */
    uint32_t *order;      /* arcs sorted by caller */
    uint32_t *group_of;   /* per function */
    uint32_t *members;    /* functions, group by group */
    struct group *groups; /* callees first */
    uint32_t group_count, cycle_count;
    uint32_t grown; /* nodes added so far */
    uint64_t looks; /* members and arcs read so far */
};

static void sort_arcs(struct graph *graph)
{
    const struct arcs *arcs = graph->arcs;
    for (uint32_t i = 0; i < arcs->count; i++)
        graph->first_arc[arcs->rows[i].caller + 1]++;
    for (uint32_t f = 0; f < graph->n; f++)
        graph->first_arc[f + 1] += graph->first_arc[f];
    for (uint32_t i = arcs->count; i-- > 0;)
        graph->order[--graph->first_arc[arcs->rows[i].caller + 1]] = i;
    /* Each entry is now the start of its caller's arcs, but one index too high. */
    for (uint32_t f = 0; f < graph->n; f++)
        graph->first_arc[f] = graph->first_arc[f + 1];
    graph->first_arc[graph->n] = arcs->count;
}

/* State of Tarjan's algorithm, with an explicit stack, since call chains may be long. */
struct walk {
    uint32_t *index, *low, *next_arc, *path, *open;
    bool *is_open;
    uint32_t visited, path_n, open_n, member_n;
};

static void close_group(struct graph *graph, struct walk *walk, uint32_t function)
{
    struct group *group = &graph->groups[graph->group_count];
    *group = (struct group){.first_member = walk->member_n};
    uint32_t member;
    do {
        member = walk->open[--walk->open_n];
        walk->is_open[member] = false;
        graph->group_of[member] = graph->group_count;
        graph->members[walk->member_n++] = member;
        group->members++;
        group->self += cost_of(&graph->functions->rows[member]);
    } while (member != function);
    if (group->members > 1)
        group->cycle = ++graph->cycle_count;
    graph->group_count++;
}

static void enter_function(struct graph *graph, struct walk *walk, uint32_t function)
{
    walk->index[function] = walk->low[function] = ++walk->visited;
    walk->next_arc[function] = graph->first_arc[function];
    walk->path[walk->path_n++] = function;
    walk->open[walk->open_n++] = function;
    walk->is_open[function] = true;
}

static void find_groups_from(struct graph *graph, struct walk *walk, uint32_t start)
{
    enter_function(graph, walk, start);
    while (walk->path_n > 0) {
        uint32_t function = walk->path[walk->path_n - 1];
        if (walk->next_arc[function] < graph->first_arc[function + 1]) {
            uint32_t callee = graph->arcs->rows[graph->order[walk->next_arc[function]++]].callee;
            if (!walk->index[callee])
                enter_function(graph, walk, callee);
            else if (walk->is_open[callee] && walk->index[callee] < walk->low[function])
                walk->low[function] = walk->index[callee];
            continue;
        }
        walk->path_n--;
        if (walk->low[function] == walk->index[function])
            close_group(graph, walk, function);
        if (walk->path_n > 0) {
            uint32_t caller = walk->path[walk->path_n - 1];
            if (walk->low[function] < walk->low[caller])
                walk->low[caller] = walk->low[function];
        }
    }
}

static void find_groups(struct graph *graph, uint32_t *scratch, bool *is_open)
{
    uint32_t n = graph->n;
    struct walk walk = {
        scratch, scratch + n, scratch + 2 * n, scratch + 3 * n, scratch + 4 * n, is_open, 0, 0, 0, 0};
    for (uint32_t function = 0; function < n; function++)
        if (!walk.index[function])
            find_groups_from(graph, &walk, function);
}

/* Calls `each` for every arc that leaves the group and has calls. */
typedef void (*arc_fn)(struct graph *graph, void *user, uint32_t to_group, const struct snapshot_arc *arc);

static void each_arc_out(struct graph *graph, uint32_t group, arc_fn each, void *user)
{
    const struct group *from = &graph->groups[group];
    for (uint32_t m = 0; m < from->members; m++) {
        uint32_t function = graph->members[from->first_member + m];
        graph->looks += 1 + graph->first_arc[function + 1] - graph->first_arc[function];
        for (uint32_t a = graph->first_arc[function]; a < graph->first_arc[function + 1]; a++) {
            const struct snapshot_arc *arc = &graph->arcs->rows[graph->order[a]];
            if (graph->group_of[arc->callee] != group && arc->calls > 0)
                each(graph, user, graph->group_of[arc->callee], arc);
        }
    }
}

static void count_in(struct graph *graph, void *user, uint32_t to_group, const struct snapshot_arc *arc)
{
    (void)user;
    graph->groups[to_group].calls_in += arc->calls;
}

static void add_share(struct graph *graph, void *user, uint32_t to_group, const struct snapshot_arc *arc)
{
    const struct group *to = &graph->groups[to_group];
    *(double *)user += to->total * (double)arc->calls / (double)to->calls_in;
}

/* A branch of the tree while it is being added. */
struct branch {
    uint32_t node, depth;
    double share; /* part of the group's total cost that belongs here */
};

static void grow_group(struct graph *graph, uint32_t group, uint32_t parent, uint32_t depth, double share,
                       double calls);

static void grow_callee(struct graph *graph, void *user, uint32_t to_group, const struct snapshot_arc *arc)
{
    const struct branch *branch = user;
    double part = branch->share * (double)arc->calls / (double)graph->groups[to_group].calls_in;
    grow_group(graph, to_group, branch->node, branch->depth + 1, part, branch->share * (double)arc->calls);
}

static uint32_t add_node(struct graph *graph, uint32_t parent, uint32_t function, double total, double self,
                         double calls)
{
    uint32_t id = calltree_child(graph->tree, graph->functions, parent, function, 0);
    struct snapshot_node *node = &graph->tree->nodes[id];
    node->total_ticks += (uint64_t)llround(total);
    node->self_ticks += (uint64_t)llround(self);
    node->calls += (uint64_t)llround(calls);
    node->changed = graph->functions->sequence;
    graph->grown++;
    return id;
}

/* True when a branch is too thin to see. The outermost functions of the flat form are counted, not estimated,
 * so their calls are always in the tree. */
static bool is_thin(const struct graph *graph, const struct group *here, uint32_t depth, double share)
{
    if (here->total * share >= thinnest)
        return false;
    const struct snapshot_function *row = &graph->functions->rows[graph->members[here->first_member]];
    return depth > 0 || here->members > 1 || !(row->known & FUNCTION_SELF) || row->calls == 0;
}

static void grow_group(struct graph *graph, uint32_t group, uint32_t parent, uint32_t depth, double share,
                       double calls)
{
    const struct group *here = &graph->groups[group];
    if (is_thin(graph, here, depth, share) || depth > DEPTH_MAX || graph->grown >= NODES_MAX ||
        graph->looks >= LOOKS_MAX)
        return;
    uint32_t node;
    if (here->members == 1) {
        uint32_t function = graph->members[here->first_member];
        node = add_node(graph, parent, function, here->total * share, here->self * share, calls);
    } else {
        uint32_t circle = functions_placeholder(graph->functions, KIND_CYCLE, here->cycle);
        node = add_node(graph, parent, circle, here->total * share, 0, calls);
        for (uint32_t m = 0; m < here->members && graph->grown < NODES_MAX; m++) {
            uint32_t member = graph->members[here->first_member + m];
            double self = cost_of(&graph->functions->rows[member]) * share;
            if (self >= thinnest)
                add_node(graph, node, member, self, self, 0);
        }
    }
    struct branch branch = {.node = node, .depth = depth, .share = share};
    each_arc_out(graph, group, grow_callee, &branch);
}

/* Returns the calls of a function that has no known caller. */
static double outermost_calls(const struct graph *graph, uint32_t group)
{
    const struct group *here = &graph->groups[group];
    return here->members == 1 ? (double)graph->functions->rows[graph->members[here->first_member]].calls : 0;
}

static void fill_estimate(struct graph *graph)
{
    for (uint32_t group = 0; group < graph->group_count; group++)
        each_arc_out(graph, group, count_in, NULL);
    for (uint32_t group = 0; group < graph->group_count; group++) {
        double total = graph->groups[group].self;
        each_arc_out(graph, group, add_share, &total);
        graph->groups[group].total = total;
    }
    estimate_forget(graph->tree, graph->functions);
    graph->looks = 0;
    /* Groups without a known caller are children of the root. */
    for (uint32_t group = 0; group < graph->group_count; group++)
        if (graph->groups[group].calls_in == 0)
            grow_group(graph, group, CALLTREE_ROOT, 0, 1, outermost_calls(graph, group));
}

void estimate_forget(struct calltree *tree, const struct functions *functions)
{
    for (uint32_t node = 1; node < tree->count; node++) {
        struct snapshot_node *row = &tree->nodes[node];
        row->calls = row->total_ticks = row->self_ticks = 0;
        row->changed = functions->sequence;
    }
}

void estimate_fill(struct calltree *tree, struct functions *functions, const struct arcs *arcs)
{
    uint32_t n = functions->count;
    struct graph graph = {.tree = tree, .functions = functions, .arcs = arcs, .n = n};
    graph.first_arc = scarcity_watch(calloc(n + 1, sizeof *graph.first_arc));
    graph.order = scarcity_watch(malloc((arcs->count + 1) * sizeof *graph.order));
    graph.group_of = scarcity_watch(calloc(n + 1, sizeof *graph.group_of));
    graph.members = scarcity_watch(calloc(n + 1, sizeof *graph.members));
    graph.groups = scarcity_watch(calloc(n + 1, sizeof *graph.groups));
    uint32_t *scratch = scarcity_watch(calloc(5 * ((size_t)n + 1), sizeof *scratch));
    bool *is_open = scarcity_watch(calloc(n + 1, sizeof *is_open));
    if (graph.first_arc && graph.order && graph.group_of && graph.members && graph.groups && scratch &&
        is_open) {
        sort_arcs(&graph);
        find_groups(&graph, scratch, is_open);
        fill_estimate(&graph);
    }
    free(is_open);
    free(scratch);
    free(graph.groups);
    free(graph.members);
    free(graph.group_of);
    free(graph.order);
    free(graph.first_arc);
}
