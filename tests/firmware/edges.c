/* edges.c - counts calls by caller and callee, and compares them with example/counts.h. */
#include "edges.h"

#include "elf_symbols.h"
#include "example/counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *caller, *callee;
    uint32_t calls;
} expected[] = {
#define EDGE(caller, callee, calls) {caller, callee, calls},
    EXAMPLE_EDGES(EDGE)
#undef EDGE
};

enum { N_EXPECTED = sizeof expected / sizeof *expected };

void edges_add(struct edges *edges, uint64_t caller, uint64_t callee, uint32_t calls)
{
    size_t i = 0;

    while (i < edges->n && (edges->edge[i].caller != caller || edges->edge[i].callee != callee))
        i++;
    if (i == EDGES_MAX) {
        fprintf(stderr, "more than %d caller and callee pairs\n", EDGES_MAX);
        exit(1);
    }
    if (i == edges->n) {
        edges->edge[edges->n].caller = caller;
        edges->edge[edges->n++].callee = callee;
    }
    edges->edge[i].calls += calls;
}

void edges_count(struct edges *edges, uint64_t caller, uint64_t callee)
{
    edges_add(edges, caller, callee, 1);
}

static const char *name_of(const struct elf_symbols *symbols, uint64_t address, bool main_is_seen)
{
    const char *name = address ? elf_symbols_name(symbols, address) : main_is_seen ? NULL : "main";

    return name ? name : "(no function starts there)";
}

static bool table_adds_up(void)
{
    const char *callees[N_EXPECTED];
    uint32_t calls = 0;
    int functions = 0;

    for (size_t i = 0; i < N_EXPECTED; i++) {
        int k = 0;
        calls += expected[i].calls;
        while (k < functions && strcmp(callees[k], expected[i].callee) != 0)
            k++;
        if (k == functions)
            callees[functions++] = expected[i].callee;
    }
    if (calls == EXAMPLE_CALLS_PER_ROUND && functions == EXAMPLE_FUNCTIONS)
        return true;
    fprintf(stderr, "counts.h says %d calls of %d functions, its edges are %u calls of %d\n",
            EXAMPLE_CALLS_PER_ROUND, EXAMPLE_FUNCTIONS, calls, functions);
    return false;
}

bool edges_match(const struct edges *edges, const struct elf_symbols *symbols, uint32_t rounds,
                 bool main_is_seen, const char *ignored)
{
    bool ok = table_adds_up();
    bool seen[N_EXPECTED] = {false};

    for (size_t i = 0; i < edges->n; i++) {
        const char *caller = name_of(symbols, edges->edge[i].caller, main_is_seen);
        const char *callee = name_of(symbols, edges->edge[i].callee, true);
        uint32_t calls = 0;
        if (ignored && (!strcmp(caller, ignored) || !strcmp(callee, ignored)))
            continue;
        for (size_t k = 0; k < N_EXPECTED; k++) {
            if (!strcmp(caller, expected[k].caller) && !strcmp(callee, expected[k].callee)) {
                calls = expected[k].calls * rounds;
                seen[k] = true;
            }
        }
        if (edges->edge[i].calls != calls) {
            fprintf(stderr, "%s -> %s: %u calls, expected %u\n", caller, callee, edges->edge[i].calls, calls);
            ok = false;
        }
    }
    for (size_t k = 0; k < N_EXPECTED; k++) {
        bool is_ignored =
            ignored && (!strcmp(expected[k].caller, ignored) || !strcmp(expected[k].callee, ignored));
        if (!seen[k] && !is_ignored) {
            fprintf(stderr, "%s -> %s: never called\n", expected[k].caller, expected[k].callee);
            ok = false;
        }
    }
    return ok;
}
