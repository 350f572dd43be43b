/* edges.h - caller and callee pairs, counted, and compared with example/counts.h. */
#ifndef FIRMWARE_EDGES_H
#define FIRMWARE_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_symbols;

enum { EDGES_MAX = 256 };

/* Zero is the empty set. Addresses are starts of functions. */
struct edges {
    struct {
        uint64_t caller, callee;
        uint32_t calls;
    } edge[EDGES_MAX];
    size_t n;
};

/* Ends the test when there are more than EDGES_MAX pairs. */
void edges_count(struct edges *edges, uint64_t caller, uint64_t callee);

/* The same, for this many calls. */
void edges_add(struct edges *edges, uint64_t caller, uint64_t callee, uint32_t calls);

/* True when they are exactly those of `rounds` rounds; prints every one that is not. With `main_is_seen` false,
 * the edge from main is expected to be missing and the caller 0 to stand in for it. Edges to and from the
 * function `ignored` are not looked at; NULL: all are. */
bool edges_match(const struct edges *edges, const struct elf_symbols *symbols, uint32_t rounds,
                 bool main_is_seen, const char *ignored);

#endif
