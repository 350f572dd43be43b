/* strpool.h - stores the strings of a symbol table: equal ones once, all freed together. */
#ifndef SYMBOL_STRPOOL_H
#define SYMBOL_STRPOOL_H

#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

/* Zero with a budget is the empty pool, which owns its strings. The budget limits the bytes of text, so that a
 * file whose symbols share one long name costs memory in proportion to its size. */
struct strpool {
    size_t budget;
    size_t used;
    struct strpool_block *blocks;
    struct map by_hash; /* hash of the text -> index into strings */
    const char **strings;
    uint32_t count, capacity;
};

void strpool_fini(struct strpool *pool);

/* Finds or makes the pool's copy of the n bytes at `text`, made valid UTF-8 (base/text.h) and ended by NUL.
 * NULL when the budget or memory is used up. The copy lives until strpool_fini(). */
const char *strpool_intern(struct strpool *pool, const char *text, size_t n);

/* Returns the 64-bit FNV-1a hash of n bytes. */
uint64_t strpool_hash(const char *text, size_t n);

#endif
