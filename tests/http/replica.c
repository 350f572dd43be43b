/* replica.c - a client's data: a snapshot with deltas applied. */
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

/* Column "index" is the node of each row; parents are rows in a whole tree, and indexes in a delta. */
static void merge_tree(struct replica *replica, const struct jsonio *tree, bool is_whole)
{
    const struct jsonio *index = jsonio_member(tree, "index");
    size_t rows = jsonio_count(jsonio_member(tree, columns[0]));
    for (int column = 0; column < REPLICA_COLUMNS; column++)
        cr_assert_eq(jsonio_count(jsonio_member(tree, columns[column])), rows);
    for (size_t row = 0; row < rows; row++) {
        uint64_t node = number(jsonio_at(index, row));
        for (int column = 0; column < REPLICA_COLUMNS; column++) {
            double **values = &replica->tree[column];
            if (node >= replica->node_n) { /* those in between hold nothing */
                *values = realloc(*values, (node + 1) * sizeof **values);
                memset(*values + replica->node_n, 0, (node + 1 - replica->node_n) * sizeof **values);
            }
            cr_assert(jsonio_double(jsonio_at(jsonio_member(tree, columns[column]), row), &(*values)[node]));
        }
        if (node >= replica->node_n)
            replica->node_n = node + 1;
        double *parent = &replica->tree[0][node];
        if (is_whole && *parent >= 0)
            *parent = (double)number(jsonio_at(index, (size_t)*parent));
    }
}

void replica_load(struct replica *replica, struct jsonio *snapshot)
{
    keep_text(replica, snapshot);
    replica->function_n = replica->context_n = replica->node_n = 0;
    merge_rows(&replica->functions, &replica->function_n, jsonio_member(snapshot, "functions"));
    merge_rows(&replica->contexts, &replica->context_n, jsonio_member(snapshot, "contexts"));
    merge_tree(replica, jsonio_member(snapshot, "call_tree"), true);
}

void replica_apply(struct replica *replica, struct jsonio *delta)
{
    cr_assert_eq(number(jsonio_member(delta, "since")), replica->sequence, "a delta builds on what is held");
    keep_text(replica, delta);
    merge_rows(&replica->functions, &replica->function_n, jsonio_member(delta, "functions"));
    merge_rows(&replica->contexts, &replica->context_n, jsonio_member(delta, "contexts"));
    merge_tree(replica, jsonio_member(delta, "call_tree"), false);
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
        snprintf(difference, size, "%zu %s held, %zu sent", n, name, jsonio_count(array));
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

/* The nodes of a whole tree: those with data, or with such a node below them. */
static bool *occupied_nodes(const struct replica *replica)
{
    bool *occupied = calloc(replica->node_n + 1, sizeof *occupied);
    occupied[0] = true;
    for (size_t node = replica->node_n; node-- > 1;) {
        for (int column = 3; column < REPLICA_COLUMNS; column++) /* calls and both kinds of ticks */
            occupied[node] |= replica->tree[column][node] > 0;
        if (occupied[node])
            occupied[(size_t)replica->tree[0][node]] = true;
    }
    return occupied;
}

static bool same_tree(const struct replica *replica, const struct jsonio *tree, char *difference, size_t size)
{
    const struct jsonio *index = jsonio_member(tree, "index");
    size_t row = 0, told_n = jsonio_count(index);
    bool *occupied = occupied_nodes(replica), equal = true;
    for (size_t node = 0; node < replica->node_n && equal; node++) {
        if (!occupied[node])
            continue;
        for (int column = 0; column < REPLICA_COLUMNS && equal; column++) {
            double value = -2;
            equal = row < told_n && number(jsonio_at(index, row)) == node &&
                    jsonio_double(jsonio_at(jsonio_member(tree, columns[column]), row), &value);
            if (equal && column == 0 && value >= 0)
                value = (double)number(jsonio_at(index, (size_t)value));
            equal = equal && value == replica->tree[column][node];
            if (!equal)
                snprintf(difference, size, "%s of node %zu", columns[column], node);
        }
        row++;
    }
    if (equal && row != told_n) {
        snprintf(difference, size, "%zu nodes held, %zu sent", row, told_n);
        equal = false;
    }
    free(occupied);
    return equal;
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
    return same_tree(replica, jsonio_member(snapshot, "call_tree"), difference, size);
}
