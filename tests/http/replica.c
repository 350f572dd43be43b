/* replica.c - what a client holds that applies deltas to a snapshot. */
#include "replica.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[REPLICA_COLUMNS] = {"parent", "function",    "context",
                                                     "calls",  "total_ticks", "self_ticks"};

/* Members that a delta brings whole, and those of a snapshot that stay as they are. */
static const char *const whole[] = {"sequence", "captured_at", "source", "target", "link"};

static uint64_t number(const struct jsonio *value)
{
    uint64_t number = UINT64_MAX;
    cr_assert(jsonio_u64(value, &number));
    return number;
}

static void keep_text(struct replica *replica, struct jsonio *text)
{
    replica->texts = realloc(replica->texts, (replica->text_n + 1) * sizeof *replica->texts);
    replica->texts[replica->text_n++] = text;
    replica->newest = text;
    replica->sequence = number(jsonio_member(text, "sequence"));
}

static void merge_rows(const struct jsonio ***rows, size_t *n, const struct jsonio *array)
{
    for (size_t i = 0; i < jsonio_count(array); i++) {
        const struct jsonio *row = jsonio_at(array, i);
        uint64_t id = number(jsonio_member(row, "id"));
        cr_assert(id <= *n, "ids have no gaps");
        if (id == *n)
            *rows = realloc(*rows, ++*n * sizeof **rows);
        (*rows)[id] = row;
    }
}

/* `index` NULL: row i is node i. */
static void merge_tree(struct replica *replica, const struct jsonio *tree, const struct jsonio *index)
{
    size_t rows = jsonio_count(jsonio_member(tree, columns[0]));
    for (int column = 0; column < REPLICA_COLUMNS; column++)
        cr_assert_eq(jsonio_count(jsonio_member(tree, columns[column])), rows);
    for (size_t row = 0; row < rows; row++) {
        uint64_t node = index ? number(jsonio_at(index, row)) : row;
        cr_assert(node <= replica->node_n, "nodes have no gaps");
        if (node == replica->node_n)
            replica->node_n++;
        for (int column = 0; column < REPLICA_COLUMNS; column++) {
            double **values = &replica->tree[column];
            *values = realloc(*values, replica->node_n * sizeof **values);
            cr_assert(jsonio_double(jsonio_at(jsonio_member(tree, columns[column]), row), &(*values)[node]));
        }
    }
}

void replica_load(struct replica *replica, struct jsonio *snapshot)
{
    keep_text(replica, snapshot);
    replica->function_n = replica->context_n = replica->node_n = 0;
    merge_rows(&replica->functions, &replica->function_n, jsonio_member(snapshot, "functions"));
    merge_rows(&replica->contexts, &replica->context_n, jsonio_member(snapshot, "contexts"));
    merge_tree(replica, jsonio_member(snapshot, "call_tree"), NULL);
}

void replica_apply(struct replica *replica, struct jsonio *delta)
{
    cr_assert_eq(number(jsonio_member(delta, "since")), replica->sequence, "a delta builds on what is held");
    keep_text(replica, delta);
    const struct jsonio *tree = jsonio_member(delta, "call_tree");
    merge_rows(&replica->functions, &replica->function_n, jsonio_member(delta, "functions"));
    merge_rows(&replica->contexts, &replica->context_n, jsonio_member(delta, "contexts"));
    merge_tree(replica, tree, jsonio_member(tree, "index"));
}

void replica_fini(struct replica *replica)
{
    for (size_t i = 0; i < replica->text_n; i++)
        jsonio_free(replica->texts[i]);
    for (int column = 0; column < REPLICA_COLUMNS; column++)
        free(replica->tree[column]);
    free(replica->texts);
    free(replica->functions);
    free(replica->contexts);
    *replica = (struct replica){0};
}

static bool same(const struct jsonio *a, const struct jsonio *b)
{
    double x, y;
    bool on, off;
    if (jsonio_text(a))
        return jsonio_text(b) && strcmp(jsonio_text(a), jsonio_text(b)) == 0;
    if (jsonio_double(a, &x))
        return jsonio_double(b, &y) && x == y;
    if (jsonio_bool(a, &on))
        return jsonio_bool(b, &off) && on == off;
    if (!jsonio_is_object(a) && !jsonio_is_array(a))
        return a && b && jsonio_is_null(a) && jsonio_is_null(b);
    if (jsonio_is_object(a) != jsonio_is_object(b) || jsonio_count(a) != jsonio_count(b))
        return false;
    for (size_t i = 0; i < jsonio_count(a); i++) {
        const struct jsonio *item = jsonio_at(a, i);
        const struct jsonio *other =
            jsonio_is_object(a) ? jsonio_member(b, jsonio_name(item)) : jsonio_at(b, i);
        if (!other || !same(item, other))
            return false;
    }
    return true;
}

static bool same_rows(const struct jsonio *const *rows, size_t n, const struct jsonio *array,
                      const char *name, char *difference, size_t size)
{
    if (jsonio_count(array) != n) {
        snprintf(difference, size, "%zu %s held, %zu told", n, name, jsonio_count(array));
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!same(rows[i], jsonio_at(array, i))) {
            snprintf(difference, size, "row %zu of %s", i, name);
            return false;
        }
    }
    return true;
}

bool replica_equals(const struct replica *replica, const struct jsonio *snapshot, char *difference,
                    size_t size)
{
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (!same(jsonio_member(replica->newest, whole[i]), jsonio_member(snapshot, whole[i]))) {
            snprintf(difference, size, "\"%s\"", whole[i]);
            return false;
        }
    }
    if (!same_rows(replica->functions, replica->function_n, jsonio_member(snapshot, "functions"), "functions",
                   difference, size) ||
        !same_rows(replica->contexts, replica->context_n, jsonio_member(snapshot, "contexts"), "contexts",
                   difference, size))
        return false;
    for (int column = 0; column < REPLICA_COLUMNS; column++) {
        const struct jsonio *told = jsonio_member(jsonio_member(snapshot, "call_tree"), columns[column]);
        size_t told_n = jsonio_count(told);
        double value;
        for (size_t i = 0; i < told_n && told_n == replica->node_n; i++) {
            if (!jsonio_double(jsonio_at(told, i), &value) || value != replica->tree[column][i]) {
                snprintf(difference, size, "%s of node %zu", columns[column], i);
                return false;
            }
        }
        if (told_n != replica->node_n) {
            snprintf(difference, size, "%zu nodes held, %zu told", replica->node_n, told_n);
            return false;
        }
    }
    return true;
}
