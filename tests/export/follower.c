/* follower.c - splits JSON into pieces, and applies deltas to them. */
#include "follower.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON, cut into pieces ---- */

bool piece_same(struct piece a, struct piece b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static const char *end_of_string(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* The end of the value that begins at `at`. */
static const char *end_of_value(const char *at)
{
    int depth = 0;
    for (;;) {
        if (*at == '"') {
            at = end_of_string(at);
        } else {
            depth += *at == '{' || *at == '[';
            depth -= *at == '}' || *at == ']';
            if (depth < 0)
                return at;
            at++;
        }
        if (depth == 0 && (*at == ',' || *at == '}' || *at == ']' || *at == '\n'))
            return at;
    }
}

/* Removes the next element of an array, or the next `"name":value` of an object. */
static bool take(struct piece *rest, struct piece *element)
{
    if (rest->n < 3) /* nothing but brackets */
        return false;
    const char *from = rest->at + 1, *end = rest->at + rest->n;
    const char *at = *from == '"' ? end_of_string(from) : from;
    at = *at == ':' ? at + 1 : from;
    const char *to = end_of_value(at);
    *element = (struct piece){from, (size_t)(to - from)};
    *rest = (struct piece){to, (size_t)(end - to)};
    return true;
}

static struct piece member(struct piece object, const char *name)
{
    struct piece element;
    size_t n = strlen(name);
    while (take(&object, &element))
        if (element.n > n + 3 && memcmp(element.at + 1, name, n) == 0 && element.at[n + 1] == '"')
            return (struct piece){element.at + n + 3, element.n - n - 3};
    return (struct piece){"", 0};
}

static uint64_t number(struct piece object, const char *name)
{
    return strtoull(member(object, name).at, NULL, 10);
}

/* ---- the follower ---- */

/* Arrays whose rows are identified by the text before this member. */
static const char *const keyed[FOLLOWER_KEYED][2] = {
    {"functions", ",\"kind\":"},
    {"contexts", ",\"name\":"},
    {"arcs", ",\"calls\":"},
    {"checkpoints", ",\"name\":"},
};
static const char *const columns[FOLLOWER_COLUMNS] = {"parent", "function",    "context",
                                                      "calls",  "total_ticks", "self_ticks"};
/* Members that each delta has in full. */
static const char *const plain[] = {"sequence",        "cleared_at", "captured_at",         "source",
                                    "target",          "link",       "call_tree_estimated", "samples",
                                    "messages_dropped"};
enum { PLAIN = sizeof plain / sizeof *plain };

/* Puts a row at `at`; missing rows before it become empty ones. */
static void rows_put(struct rows *rows, size_t at, struct piece text)
{
    if (at >= rows->n) {
        rows->row = realloc(rows->row, (at + 1) * sizeof *rows->row);
        memset(rows->row + rows->n, 0, (at + 1 - rows->n) * sizeof *rows->row);
        rows->n = at + 1;
    }
    free((char *)(uintptr_t)rows->row[at].at);
    rows->row[at] = (struct piece){strndup(text.at, text.n), text.n};
}

static void rows_drop(struct rows *rows, size_t first)
{
    for (size_t i = 0; i < first; i++)
        free((char *)(uintptr_t)rows->row[i].at);
    rows->n -= first;
    if (rows->n > 0)
        memmove(rows->row, rows->row + first, rows->n * sizeof *rows->row);
}

void follower_fini(struct follower *follower)
{
    struct rows *all = (struct rows *)follower;
    for (size_t i = 0; i < FOLLOWER_KEYED + FOLLOWER_COLUMNS + 2; i++) {
        rows_drop(&all[i], all[i].n);
        free(all[i].row);
    }
    *follower = (struct follower){0};
}

static size_t key_length(struct piece row, const char *before)
{
    const char *end = memmem(row.at, row.n, before, strlen(before));
    cr_assert(end != NULL, "every row has what it is known by");
    return (size_t)(end - row.at) + strlen(before);
}

static void put_by_key(struct rows *rows, struct piece row, const char *before)
{
    size_t n = key_length(row, before), at = 0;
    while (at < rows->n && !piece_same((struct piece){row.at, n}, (struct piece){rows->row[at].at, n}))
        at++; /* so a new row is the next one */
    rows_put(rows, at, row);
}

/* Puts a cell at its node; in a whole tree a parent, given by its row, is converted to a node. */
static void put_cell(struct rows *column, size_t node, struct piece cell, const uint64_t *parents)
{
    char text[24];
    if (parents && *cell.at != '-') {
        int n = snprintf(text, sizeof text, "%" PRIu64, parents[strtoull(cell.at, NULL, 10)]);
        cell = (struct piece){text, (size_t)n};
    }
    rows_put(column, node, cell);
}

static void apply_tree(struct follower *follower, struct piece tree, bool is_whole)
{
    struct piece element;
    uint64_t *nodes = NULL;
    size_t n = 0;
    for (struct piece rest = member(tree, "index"); take(&rest, &element); n++) {
        nodes = realloc(nodes, (n + 1) * sizeof *nodes);
        nodes[n] = strtoull(element.at, NULL, 10);
    }
    for (size_t i = 0; i < FOLLOWER_COLUMNS; i++) {
        struct piece rest = member(tree, columns[i]);
        for (size_t row = 0; take(&rest, &element); row++)
            put_cell(&follower->columns[i], nodes[row], element, is_whole && i == 0 ? nodes : NULL);
    }
    free(nodes);
}

/* Drops empty nodes without data below them, which a whole tree does not have. */
static void drop_empty_nodes(struct follower *follower)
{
    size_t n = follower->columns[0].n;
    bool *occupied = calloc(n + 1, sizeof *occupied);
    for (size_t node = n; node-- > 0;) {
        bool is_told = follower->columns[0].row[node].at != NULL;
        for (size_t i = 3; is_told && i < FOLLOWER_COLUMNS; i++) /* calls and both kinds of ticks */
            occupied[node] |= strtoull(follower->columns[i].row[node].at, NULL, 10) > 0;
        if (occupied[node] && node > 0)
            occupied[strtoull(follower->columns[0].row[node].at, NULL, 10)] = true;
    }
    for (size_t node = 1; node < n; node++)
        for (size_t i = 0; i < FOLLOWER_COLUMNS && !occupied[node]; i++) {
            free((char *)(uintptr_t)follower->columns[i].row[node].at);
            follower->columns[i].row[node] = (struct piece){0};
        }
    for (size_t i = 0; i < FOLLOWER_COLUMNS; i++)
        while (follower->columns[i].n > 0 && !follower->columns[i].row[follower->columns[i].n - 1].at)
            follower->columns[i].n--;
    free(occupied);
}

void follower_apply(struct follower *follower, struct piece top)
{
    struct piece element;
    for (size_t i = 0; i < FOLLOWER_KEYED; i++)
        for (struct piece rest = member(top, keyed[i][0]); take(&rest, &element);)
            put_by_key(&follower->keyed[i], element, keyed[i][1]);
    apply_tree(follower, member(top, "call_tree"), member(top, "since").n == 0);
    drop_empty_nodes(follower);
    uint64_t ever = follower->messages_dropped + follower->messages.n;
    follower->messages_dropped = number(top, "messages_dropped");
    uint64_t older = ever > follower->messages_dropped ? ever - follower->messages_dropped : 0;
    rows_drop(&follower->messages, follower->messages.n - older);
    for (struct piece rest = member(top, "messages"); take(&rest, &element);)
        rows_put(&follower->messages, follower->messages.n, element);
    for (size_t i = 0; i < PLAIN; i++)
        rows_put(&follower->plain, i, member(top, plain[i]));
    struct piece windows = member(top, "windows");
    if (windows.n > 0) /* it did change */
        rows_put(&follower->plain, PLAIN, windows);
    struct piece limits = member(top, "limits");
    if (limits.n > 0) /* likewise */
        rows_put(&follower->plain, PLAIN + 1, limits);
}

static void expect_same_rows(const struct rows *got, const struct rows *want, const char *what, uint64_t seed)
{
    cr_assert_eq(got->n, want->n, "seed %" PRIu64 ": %zu rows of %s, not %zu", seed, got->n, what, want->n);
    for (size_t i = 0; i < got->n; i++)
        cr_assert(got->row[i].n == want->row[i].n &&
                      (!want->row[i].at || piece_same(got->row[i], want->row[i])),
                  "seed %" PRIu64 ": %s %zu is\n%s\nand not\n%s", seed, what, i,
                  got->row[i].at ? got->row[i].at : "gone", want->row[i].at ? want->row[i].at : "gone");
}

void follower_expect_same(const struct follower *got, const struct follower *want, uint64_t seed)
{
    for (size_t i = 0; i < FOLLOWER_KEYED; i++)
        expect_same_rows(&got->keyed[i], &want->keyed[i], keyed[i][0], seed);
    for (size_t i = 0; i < FOLLOWER_COLUMNS; i++)
        expect_same_rows(&got->columns[i], &want->columns[i], columns[i], seed);
    expect_same_rows(&got->messages, &want->messages, "messages", seed);
    expect_same_rows(&got->plain, &want->plain, "plain members", seed);
}
