/* idle.c - computes the idle time of a profile.
 *
 * Idle is all time of contexts of kind "idle". If there is none, and only one thread, which never waits, it is the
 * self time of its main loop: the chain of calls that have never returned, from the outermost inwards, as long as
 * each took most of its caller's time. */
#include "top/idle.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LOOP_MOST = 64, DEPTH_MOST = 1024 };

/* The rows of a call tree. Row 0 is the root, and parents precede their callees. */
struct calltree {
    size_t n;
    size_t *parent;
    int64_t *function, *context;
    double *calls, *own, *whole;
    unsigned char *is_idle;
};

/* A main loop: functions of one thread, the outermost first. */
struct main_loop {
    int64_t thread; /* -1: none */
    int64_t functions[LOOP_MOST];
    size_t n;
};

static void calltree_fini(struct calltree *tree)
{
    free(tree->parent);
    free(tree->function);
    free(tree->context);
    free(tree->calls);
    free(tree->own);
    free(tree->whole);
    free(tree->is_idle);
}

static bool calltree_allocate(struct calltree *tree, size_t n)
{
    *tree = (struct calltree){.n = n,
                              .parent = calloc(n, sizeof *tree->parent),
                              .function = calloc(n, sizeof *tree->function),
                              .context = calloc(n, sizeof *tree->context),
                              .calls = calloc(n, sizeof *tree->calls),
                              .own = calloc(n, sizeof *tree->own),
                              .whole = calloc(n, sizeof *tree->whole),
                              .is_idle = calloc(n, 1)};
    return tree->parent && tree->function && tree->context && tree->calls && tree->own && tree->whole &&
           tree->is_idle;
}

/* Computes self time and time with callees. The latter can exceed a row's total, since callers that have not returned
 * have not been counted. */
static void calltree_add_up(struct calltree *tree)
{
    for (size_t row = tree->n; row-- > 1;) {
        double total = tree->own[row], below = tree->whole[row];
        if (total > below)
            tree->whole[row] = total;
        tree->own[row] = tree->whole[row] - below;
        tree->whole[tree->parent[row]] += tree->whole[row];
    }
}

/* Reads the tree. False when it does not fit this reading. */
static bool calltree_read(struct calltree *tree, const struct reading *reading, const struct jsonio *json)
{
    const struct jsonio *parents = jsonio_member(json, "parent");
    const struct jsonio *parent = jsonio_first(parents);
    const struct jsonio *function = jsonio_first(jsonio_member(json, "function"));
    const struct jsonio *context = jsonio_first(jsonio_member(json, "context"));
    const struct jsonio *calls = jsonio_first(jsonio_member(json, "calls"));
    const struct jsonio *total = jsonio_first(jsonio_member(json, "total_ticks"));
    size_t n = jsonio_count(parents);
    if (!calltree_allocate(tree, n))
        return false;
    for (size_t row = 0; row < n; row++) {
        double above, fn, of;
        bool good = jsonio_double(parent, &above) && jsonio_double(function, &fn) &&
                    jsonio_double(context, &of) && jsonio_double(calls, &tree->calls[row]) &&
                    jsonio_double(total, &tree->own[row]);
        if (!good || (row > 0 && !(above >= 0 && above < (double)row && fn >= 0 &&
                                   fn < (double)reading->functions_n && of >= 0 && of < 1e9)))
            return false;
        tree->parent[row] = row > 0 ? (size_t)above : 0;
        tree->function[row] = row > 0 ? (int64_t)fn : -1;
        tree->context[row] = row > 0 ? (int64_t)of : 0;
        parent = jsonio_next(parent);
        function = jsonio_next(function);
        context = jsonio_next(context);
        calls = jsonio_next(calls);
        total = jsonio_next(total);
    }
    calltree_add_up(tree);
    return n > 0;
}

static bool context_is_idle(const struct reading *reading, int64_t id)
{
    return id >= 0 && (size_t)id < reading->contexts_n && reading->contexts[id].kind &&
           !strcmp(reading->contexts[id].kind, "idle");
}

static bool has_idle_context(const struct reading *reading)
{
    for (size_t i = 0; i < reading->contexts_n; i++)
        if (context_is_idle(reading, (int64_t)i))
            return true;
    return false;
}

/* Returns the thread that may have a main loop, -1 for none. Without contexts it is number 0. */
static int64_t thread_that_loops(const struct reading *reading)
{
    int64_t found = -1;
    if (reading->contexts_n == 0)
        return 0;
    for (size_t i = 0; i < reading->contexts_n; i++) {
        const struct reading_context *context = &reading->contexts[i];
        if (!context->kind || !strcmp(context->kind, "isr"))
            continue;
        if (found >= 0 || context->blocked > 0)
            return -1;
        found = (int64_t)i;
    }
    return found;
}

static bool row_is_open(const struct calltree *tree, const struct reading *reading, size_t row)
{
    return !(tree->calls[row] > 0) && reading->functions[tree->function[row]].may_loop;
}

static void main_loop_find(struct main_loop *loop, const struct calltree *tree, const struct reading *reading)
{
    for (size_t above = 0; loop->n < LOOP_MOST;) {
        double sum = 0;
        size_t next = 0;
        for (size_t row = above + 1; row < tree->n; row++) {
            if (tree->parent[row] != above || tree->context[row] != loop->thread)
                continue;
            sum += tree->whole[row];
            if (row_is_open(tree, reading, row) && tree->whole[row] > (next ? tree->whole[next] : 0))
                next = row;
        }
        if (!next || 2 * tree->whole[next] <= (above > 0 ? tree->whole[above] : sum))
            return;
        loop->functions[loop->n++] = tree->function[next];
        above = next;
    }
}

/* True when the row is in the chain of the main loop. `depth` of earlier rows is known; 0: not in the chain. */
static bool row_is_of_loop(const struct calltree *tree, const struct main_loop *loop, const size_t *depth,
                           size_t row)
{
    size_t parent = tree->parent[row], at = depth[parent];
    return (parent == 0 || at > 0) && at < loop->n && tree->context[row] == loop->thread &&
           tree->function[row] == loop->functions[at];
}

static bool mark_idle_rows(struct calltree *tree, const struct main_loop *loop, const struct reading *reading)
{
    size_t *depth = calloc(tree->n, sizeof *depth);
    if (!depth)
        return false;
    for (size_t row = 1; row < tree->n; row++) {
        if (row_is_of_loop(tree, loop, depth, row))
            depth[row] = depth[tree->parent[row]] + 1;
        tree->is_idle[row] = depth[row] > 0 || context_is_idle(reading, tree->context[row]);
    }
    free(depth);
    return true;
}

/* True when a caller of the row has the same function. */
static bool row_is_recursive(const struct calltree *tree, size_t row)
{
    size_t at = tree->parent[row];
    for (int depth = 0; at > 0 && depth < DEPTH_MOST; depth++, at = tree->parent[at])
        if (tree->function[at] == tree->function[row])
            return true;
    return false;
}

static bool cut_idle_rows(const struct calltree *tree, struct reading *reading)
{
    double *gone = calloc(tree->n, sizeof *gone); /* idle time of a row and all below it */
    if (!gone)
        return false;
    for (size_t row = tree->n; row-- > 0;) {
        if (tree->is_idle[row])
            gone[row] += tree->own[row];
        if (row == 0)
            break;
        gone[tree->parent[row]] += gone[row];
        struct reading_function *function = &reading->functions[tree->function[row]];
        if (tree->is_idle[row])
            function->idle_own += tree->own[row];
        if (gone[row] > 0 && !row_is_recursive(tree, row))
            function->idle_total += gone[row];
    }
    reading->idle = gone[0];
    free(gone);
    return true;
}

void idle_find(struct reading *reading)
{
    const struct jsonio *call_tree = jsonio_member(reading->top, "call_tree");
    struct calltree tree = {0};
    struct main_loop loop = {.thread = has_idle_context(reading) ? -1 : thread_that_loops(reading)};
    if (calltree_read(&tree, reading, call_tree)) {
        if (loop.thread >= 0)
            main_loop_find(&loop, &tree, reading);
        reading->all = tree.whole[0];
        if (mark_idle_rows(&tree, &loop, reading) && cut_idle_rows(&tree, reading) && loop.n > 0 &&
            (size_t)loop.thread < reading->contexts_n)
            reading->contexts[loop.thread].idle = reading->idle;
    }
    calltree_fini(&tree);
}
