/* names.c - stores texts for rows of the profile and of its snapshots. */
#include "snapshot/names.h"

#include "base/scarcity.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16 * 1024 };

struct block {
    struct block *next;
    char text[];
};

struct names {
    atomic_uint references;
    struct block *blocks;
    size_t used, size; /* of the first block */
};

struct names *names_new(void)
{
    struct names *names = calloc(1, sizeof *names);
    if (names)
        atomic_init(&names->references, 1);
    return names;
}

struct names *names_ref(struct names *names)
{
    atomic_fetch_add_explicit(&names->references, 1, memory_order_relaxed);
    return names;
}

void names_unref(struct names *names)
{
    if (!names || atomic_fetch_sub_explicit(&names->references, 1, memory_order_acq_rel) != 1)
        return;
    for (struct block *block = names->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(names);
}

const char *names_add(struct names *names, const char *text)
{
    size_t n = strlen(text) + 1;
    if (names->size - names->used < n) {
        size_t size = n > BLOCK_SIZE ? n : BLOCK_SIZE;
        struct block *block = scarcity_watch(malloc(sizeof *block + size));
        if (!block)
            return "";
        block->next = names->blocks;
        names->blocks = block;
        names->used = 0;
        names->size = size;
    }
    char *at = names->blocks->text + names->used;
    memcpy(at, text, n);
    names->used += n;
    return at;
}
