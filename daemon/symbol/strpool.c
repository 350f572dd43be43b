/* strpool.c - stores the strings of a symbol table: equal ones once, all freed together. */
#include "symbol/strpool.h"

#include "base/scarcity.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024 };

struct strpool_block {
    struct strpool_block *next;
    size_t used, size;
    char bytes[];
};

void strpool_fini(struct strpool *pool)
{
    while (pool->blocks) {
        struct strpool_block *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
    map_fini(&pool->by_hash);
    free(pool->strings);
    *pool = (struct strpool){0};
}

uint64_t strpool_hash(const char *text, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3u;
    return hash;
}

static char *block_take(struct strpool *pool, size_t n)
{
    if (n > pool->budget - pool->used)
        return NULL;
    struct strpool_block *block = pool->blocks;
    if (!block || block->size - block->used < n) {
        size_t size = n > BLOCK_SIZE ? n : BLOCK_SIZE;
        block = scarcity_watch(malloc(sizeof *block + size));
        if (!block)
            return NULL;
        *block = (struct strpool_block){.next = pool->blocks, .size = size};
        pool->blocks = block;
    }
    char *taken = block->bytes + block->used;
    block->used += n;
    pool->used += n;
    return taken;
}

/* Remembers a string. When that fails, an equal string is stored again. */
static void remember_string(struct strpool *pool, uint64_t hash, const char *string)
{
    if (pool->count == pool->capacity) {
        uint32_t capacity = pool->capacity ? pool->capacity * 2 : 256;
        const char **strings = reallocarray(pool->strings, capacity, sizeof *strings);
        if (!strings)
            return;
        pool->strings = strings;
        pool->capacity = capacity;
    }
    if (map_set(&pool->by_hash, hash, pool->count))
        pool->strings[pool->count++] = string;
}

static bool is_ascii(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((uint8_t)text[i] - 1u >= 0x7f)
            return false;
    return true;
}

static const char *intern_clean(struct strpool *pool, const char *text, size_t n)
{
    uint64_t hash = strpool_hash(text, n);
    uint32_t known = map_find(&pool->by_hash, hash);
    if (known != MAP_NONE && strlen(pool->strings[known]) == n && !memcmp(pool->strings[known], text, n))
        return pool->strings[known];
    char *copy = block_take(pool, n + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    remember_string(pool, hash, copy);
    return copy;
}

const char *strpool_intern(struct strpool *pool, const char *text, size_t n)
{
    if (is_ascii(text, n))
        return intern_clean(pool, text, n);
    char *clean = text_clean_utf8_dup(text, n);
    if (!clean)
        return NULL;
    const char *interned = intern_clean(pool, clean, strlen(clean));
    free(clean);
    return interned;
}
