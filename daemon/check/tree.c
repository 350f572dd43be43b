/* tree.c - compares two call trees. */
#include "check/tree.h"

#include "base/map.h"
#include "check/identity.h"

#include <math.h>
#include <stdlib.h>

/* Finds for each node of `now` the node of `then` with the same chain. NULL when memory is used up. */
static uint32_t *match_tree_nodes(const struct measured *then, const struct measured *now,
                                  const uint32_t *functions)
{
    uint32_t *matches = calloc(now->nodes_n, sizeof *matches);
    struct map children = {0};
    bool good = matches != NULL;
    for (uint32_t i = 1; good && i < then->nodes_n; i++)
        good = map_set(&children, (uint64_t)then->nodes[i].parent << 32 | then->nodes[i].function, i);
    for (uint32_t i = 1; good && i < now->nodes_n; i++) {
        uint32_t parent = matches[now->nodes[i].parent], function = functions[now->nodes[i].function];
        matches[i] = parent == MAP_NONE || function == MAP_NONE
                         ? MAP_NONE
                         : map_find(&children, (uint64_t)parent << 32 | function);
    }
    map_fini(&children);
    if (good)
        return matches;
    free(matches);
    return NULL;
}

struct named {
    const char *name;
    uint32_t id;
};

static int by_name(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    return identity_compare(left->name, right->name);
}

/* Maps rows of `now` to rows of `then` by name. NULL when memory is used up. */
static uint32_t *rows_then(const struct measured *then, const struct measured *now)
{
    struct named *sorted = calloc(then->names_n + 1, sizeof *sorted);
    uint32_t *rows = calloc(now->names_n + 1, sizeof *rows);
    if (sorted && rows) {
        for (uint32_t i = 0; i < then->names_n; i++)
            sorted[i] = (struct named){then->names[i], i};
        qsort(sorted, then->names_n, sizeof *sorted, by_name);
        for (uint32_t i = 0; i < now->names_n; i++) {
            const struct named like = {now->names[i], 0};
            const struct named *found = bsearch(&like, sorted, then->names_n, sizeof *sorted, by_name);
            rows[i] = found ? found->id : MAP_NONE;
        }
    } else {
        free(rows);
        rows = NULL;
    }
    free(sorted);
    return rows;
}

static double self_time_growth(const struct measured_node *was, const struct measured_node *is, bool by_calls)
{
    if (!was || was->calls == 0 || is->calls == 0)
        return is->self;
    if (by_calls)
        return is->self - was->self;
    return is->self - was->self / (double)was->calls * (double)is->calls;
}

uint32_t tree_grown(const struct measured *then, const struct measured *now, uint32_t function, bool by_calls)
{
    uint32_t best = MEASURED_NO_NODE;
    double most = 0;
    uint32_t *functions = now->nodes_n ? rows_then(then, now) : NULL;
    uint32_t *matches = functions ? match_tree_nodes(then, now, functions) : NULL;
    for (uint32_t i = 1; matches && i < now->nodes_n; i++) {
        if (now->nodes[i].function != function)
            continue;
        double grown = self_time_growth(matches[i] == MAP_NONE ? NULL : &then->nodes[matches[i]],
                                        &now->nodes[i], by_calls);
        if (best != MEASURED_NO_NODE && grown <= most)
            continue;
        best = i;
        most = grown;
    }
    free(matches);
    free(functions);
    return best;
}

/* ---- work that callers took over ---- */

/* Calls of one function by another, in all chains. */
struct edge {
    uint32_t caller, callee; /* rows of `then` */
    double was, is;          /* calls */
    double total;            /* older time in ns, with callees */
};

struct edges {
    struct map by_ends;
    struct edge *rows;
    uint32_t n;
    double *totals;             /* of the nodes of `then` */
    double *was, *is;           /* calls of each function, by row of `then` */
    uint32_t *of_then, *of_now; /* the row of `then` that represents a row */
};

static void edges_fini(struct edges *edges)
{
    map_fini(&edges->by_ends);
    free(edges->rows);
    free(edges->totals);
    free(edges->was);
    free(edges->is);
    free(edges->of_then);
    free(edges->of_now);
}

static bool edges_init(struct edges *edges, const struct measured *then, const struct measured *now)
{
    *edges = (struct edges){.rows = calloc(then->nodes_n, sizeof *edges->rows),
                            .totals = calloc(then->nodes_n, sizeof *edges->totals),
                            .was = calloc(then->names_n + 1, sizeof *edges->was),
                            .is = calloc(then->names_n + 1, sizeof *edges->is),
                            .of_then = rows_then(then, then),
                            .of_now = rows_then(then, now)};
    return edges->rows && edges->totals && edges->was && edges->is && edges->of_then && edges->of_now;
}

static uint64_t edge_key(uint32_t caller, uint32_t callee)
{
    return (uint64_t)caller << 32 | callee;
}

/* Adds the older tree. Walks backwards, since children follow their parents. */
static bool add_then(struct edges *edges, const struct measured *then)
{
    for (size_t i = then->nodes_n; i-- > 1;) {
        const struct measured_node *node = &then->nodes[i];
        uint32_t callee = edges->of_then[node->function];
        edges->totals[i] += node->self;
        edges->totals[node->parent] += edges->totals[i];
        if (node->parent == 0)
            continue;
        uint32_t caller = edges->of_then[then->nodes[node->parent].function];
        uint32_t at = map_find(&edges->by_ends, edge_key(caller, callee));
        if (at == MAP_NONE) {
            at = edges->n++;
            edges->rows[at].caller = caller;
            edges->rows[at].callee = callee;
            if (!map_set(&edges->by_ends, edge_key(caller, callee), at))
                return false;
        }
        edges->rows[at].was += (double)node->calls;
        edges->rows[at].total += edges->totals[i];
    }
    return true;
}

static void add_now(struct edges *edges, const struct measured *now)
{
    for (size_t i = 1; i < now->nodes_n; i++) {
        const struct measured_node *node = &now->nodes[i];
        uint32_t callee = edges->of_now[node->function];
        if (callee == MAP_NONE)
            continue;
        uint32_t caller = node->parent ? edges->of_now[now->nodes[node->parent].function] : MAP_NONE;
        uint32_t at = caller == MAP_NONE ? MAP_NONE : map_find(&edges->by_ends, edge_key(caller, callee));
        if (at != MAP_NONE)
            edges->rows[at].is += (double)node->calls;
    }
}

static void add_calls(const struct measured *side, const uint32_t *rows, double *calls)
{
    for (size_t i = 0; i < side->n; i++)
        if (rows[side->functions[i].id] != MAP_NONE)
            calls[rows[side->functions[i].id]] += (double)side->functions[i].calls;
}

/* Returns the time that a caller took over from a callee. A callee that is called a little less often, as with other
 * data, was not taken over. Without a new tree, all callers are assumed to call the callee less often. */
static double taken_over(const struct edges *edges, const struct edge *edge, bool has_now)
{
    static const double tolerance = 0.05;
    double was_called = edges->was[edge->caller], is_called = edges->is[edge->caller];
    if (edge->was <= 0 || was_called <= 0 || is_called <= 0 || edges->was[edge->callee] <= 0)
        return 0;
    double is = edge->was * edges->is[edge->callee] / edges->was[edge->callee];
    double before = edge->was / was_called, after = (has_now ? fmin(is, edge->is) : is) / is_called;
    return after < before * (1 - tolerance) ? (before - after) * edge->total / edge->was : 0;
}

double *tree_taken_over(const struct measured *then, const struct measured *now)
{
    struct edges edges;
    if (then->nodes_n == 0)
        return NULL;
    double *taken = calloc(then->names_n + 1, sizeof *taken);
    if (edges_init(&edges, then, now) && taken && add_then(&edges, then)) {
        add_now(&edges, now);
        add_calls(then, edges.of_then, edges.was);
        add_calls(now, edges.of_now, edges.is);
        for (uint32_t i = 0; i < edges.n; i++) {
            const struct edge *edge = &edges.rows[i];
            taken[edge->caller] += taken_over(&edges, edge, now->nodes_n > 0);
        }
        /* Copies of a function get the value of the row that represents them. */
        double *all = calloc(then->names_n + 1, sizeof *all);
        for (size_t i = 0; all && i < then->names_n; i++)
            all[i] = taken[edges.of_then[i]];
        free(taken);
        taken = all;
    } else {
        free(taken);
        taken = NULL;
    }
    edges_fini(&edges);
    return taken;
}
