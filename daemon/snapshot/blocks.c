/* blocks.c - copies rows, finds for each block of them when one last changed, and counts the rows that did. A
 * block is searched right after it was copied, while it is still in the processor's cache. */
#include "snapshot/blocks.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static uint64_t changed_of(const char *row, size_t changed_at)
{
    uint64_t changed;
    memcpy(&changed, row + changed_at, sizeof changed);
    return changed;
}

static uint64_t newest_of(const char *rows, size_t n, size_t size, size_t changed_at)
{
    uint64_t newest = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t changed = changed_of(rows + i * size, changed_at);
        newest = changed > newest ? changed : newest;
    }
    return newest;
}

void *blocks_copy(const void *rows, size_t n, size_t size, size_t changed_at, uint64_t **newest)
{
    size_t blocks = (n + SNAPSHOT_BLOCK - 1) / SNAPSHOT_BLOCK;
    char *out = malloc(n * size + 1);
    *newest = malloc((blocks + 1) * sizeof **newest);
    if (!out || !*newest) {
        free(out);
        free(*newest);
        *newest = NULL;
        return NULL;
    }
    for (size_t block = 0; block < blocks; block++) {
        size_t first = block * SNAPSHOT_BLOCK, rest = n - first;
        size_t held = rest < SNAPSHOT_BLOCK ? rest : SNAPSHOT_BLOCK;
        char *to = out + first * size;
        memcpy(to, (const char *)rows + first * size, held * size);
        (*newest)[block] = newest_of(to, held, size, changed_at);
    }
    return out;
}

static uint32_t count_changed(const void *rows, size_t n, size_t size, size_t changed_at,
                              const uint64_t *newest, uint64_t since)
{
    uint32_t count = 0;
    for (size_t i = 0; (i = blocks_next(newest, i, n, since)) < n; i++)
        count += changed_of((const char *)rows + i * size, changed_at) > since;
    return count;
}

struct blocks_changes blocks_changes(const struct snapshot *snapshot, uint64_t since)
{
    return (struct blocks_changes){
        .functions =
            count_changed(snapshot->functions, snapshot->function_count, sizeof *snapshot->functions,
                          offsetof(struct snapshot_function, changed), snapshot->function_blocks, since),
        .nodes = count_changed(snapshot->nodes, snapshot->node_count, sizeof *snapshot->nodes,
                               offsetof(struct snapshot_node, changed), snapshot->node_blocks, since),
    };
}
