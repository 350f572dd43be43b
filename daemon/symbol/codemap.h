/* codemap.h - which bytes between functions' first and last are instructions, of which kind, and which are
 * data: literal pools, jump tables. */
#ifndef SYMBOL_CODEMAP_H
#define SYMBOL_CODEMAP_H

#include "symbol/elf.h"

enum code_kind {
    CODE_PLAIN, /* instructions of a machine that has one kind only */
    CODE_ARM,   /* 32-bit ARM: four bytes each */
    CODE_THUMB, /* 32-bit ARM: two or four bytes each */
    CODE_DATA
};

/* What lies from `address` up to the next mark's. */
struct codemap_mark {
    uint64_t address;
    uint32_t order; /* of several marks at one address the last mapping symbol counts */
    enum code_kind kind;
    bool is_mapping;
};

/* Zero is the empty map, which owns its marks. When memory is used up it holds what came before. */
struct codemap {
    bool is_arm;                /* 32-bit ARM: set before the first codemap_add() */
    struct codemap_mark *marks; /* by address, one for each, after codemap_finish() */
    size_t count, room;
};

/* Takes in what the symbol says: a mapping symbol tells the kind of all that follows, a function's that code
 * begins. */
void codemap_add(struct codemap *map, const struct elf_symbol *symbol);

/* Sorts the marks; to be called after the last codemap_add() and before the first question. */
void codemap_finish(struct codemap *map);
void codemap_fini(struct codemap *map);

/* Tells what lies at `address`; `fallback` where no symbol says it. *end becomes the address where something
 * else may begin, UINT64_MAX after the last mark. */
enum code_kind codemap_find(const struct codemap *map, uint64_t address, enum code_kind fallback,
                            uint64_t *end);

/* Tells whether there are instructions of that kind anywhere. */
bool codemap_has(const struct codemap *map, enum code_kind kind);

#endif
