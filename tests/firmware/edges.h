/* edges.h - counts calls by caller and callee, and compares them with example/counts.h. */
#ifndef FIRMWARE_EDGES_H
#define FIRMWARE_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_symbols;

enum { EDGES_MAX = 256 };

/* All zero is empty. Addresses are starts of functions. */
struct edges {
    struct {
        uint64_t caller, callee;
        uint32_t calls;
    } edge[EDGES_MAX];
    size_t n;
};

/* Ends the test when there are more than EDGES_MAX pairs. */
void edges_count(struct edges *edges, uint64_t caller, uint64_t callee);

/* As edges_count(), for this many calls. */
void edges_add(struct edges *edges, uint64_t caller, uint64_t callee, uint32_t calls);

/* True when they are exactly those of `rounds` rounds; prints each difference. With `main_is_seen` false, calls by
 * main are expected with the caller 0. Edges to and from the function `ignored` are not checked; NULL for none. */
bool edges_match(const struct edges *edges, const struct elf_symbols *symbols, uint32_t rounds,
                 bool main_is_seen, const char *ignored);

#endif
