/* extent.h - computes which function owns which addresses from the symbols. */
#ifndef SYMBOL_EXTENT_H
#define SYMBOL_EXTENT_H

#include "symbol/elf.h"

#include <stdbool.h>
#include <stdint.h>

#define EXTENT_NONE UINT32_MAX

/* A symbol that may name a function. */
struct extent_candidate {
    struct elf_symbol symbol;
    uint32_t owner; /* out: the extent of its address, under this or another name; EXTENT_NONE: dropped */
};

/* The addresses of one function. */
struct extent {
    uint64_t start, end;
    uint32_t candidate; /* the symbol that names it */
};

/* Addresses from `start` up to the next piece's start belong to function `owner`. */
struct extent_piece {
    uint64_t start;
    uint32_t owner; /* EXTENT_NONE in gaps */
};

/* Zero is the empty set, which owns its arrays. */
struct extents {
    struct extent *all; /* by start, one per address */
    uint32_t count;
    struct extent_piece *pieces; /* by start */
    uint32_t piece_count;
};

/* Sorts `candidates` and builds the set from them. False when memory is used up. */
bool extents_init(struct extents *extents, struct extent_candidate *candidates, uint32_t count);
void extents_fini(struct extents *extents);

/* Finds the function that contains `address`; EXTENT_NONE when there is none. */
uint32_t extents_find(const struct extents *extents, uint64_t address);

/* Finds the function that starts at `address`; EXTENT_NONE when there is none. */
uint32_t extents_find_start(const struct extents *extents, uint64_t address);

#endif
