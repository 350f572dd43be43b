/* codemap.h - distinguishes instructions and data (literal pools, jump tables) inside functions, and the kinds
 * of instructions. */
#ifndef SYMBOL_CODEMAP_H
#define SYMBOL_CODEMAP_H

#include "symbol/elf.h"

enum code_kind {
    CODE_PLAIN, /* instructions of a machine with only one kind */
    CODE_ARM,   /* 32-bit ARM: four bytes each */
    CODE_THUMB, /* 32-bit ARM: two or four bytes each */
    CODE_DATA
};

/* The kind of the bytes from `address` to the next mark. */
struct codemap_mark {
    uint64_t address;
    uint32_t order; /* at one address the last mapping symbol counts */
    enum code_kind kind;
    bool is_mapping;
};

/* Zero is the empty map, which owns its marks. When memory is used up it keeps the marks added before. */
struct codemap {
    bool is_arm;                /* 32-bit ARM: set before the first codemap_add() */
    struct codemap_mark *marks; /* by address, one for each, after codemap_finish() */
    size_t count, room;
};

/* Adds a symbol: a mapping symbol sets the kind of everything that follows, a function's symbol marks code. */
void codemap_add(struct codemap *map, const struct elf_symbol *symbol);

/* Sorts the marks. Call this after the last codemap_add() and before codemap_find() or codemap_has(). */
void codemap_finish(struct codemap *map);
void codemap_fini(struct codemap *map);

/* Returns the kind at `address`, `fallback` where no symbol sets it. *end becomes the address of the next mark,
 * UINT64_MAX after the last one. */
enum code_kind codemap_find(const struct codemap *map, uint64_t address, enum code_kind fallback,
                            uint64_t *end);

/* True when the map has instructions of that kind. */
bool codemap_has(const struct codemap *map, enum code_kind kind);

#endif
