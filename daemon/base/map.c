/* map.c - a hash map from 64-bit keys to 32-bit values.
 *
 * Linear probing at a load of at most one half: the common hit costs one multiplication and one cache line.
 * The keys are addresses and packed pairs of indices. The target chooses them in part, so the hash is Fibonacci
 * hashing of the mixed key. A long probe costs time, never memory. */
#include "base/map.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

void map_fini(struct map *map)
{
    free(map->slots);
    *map = (struct map){0};
}

void map_clear(struct map *map)
{
    if (map->slots)
        memset(map->slots, 0xff, map->capacity * sizeof *map->slots);
    map->count = 0;
}

static bool grow_map(struct map *map)
{
    uint32_t capacity = map->capacity ? map->capacity * 2 : 64;
    struct map_slot *slots = scarcity_watch(malloc(capacity * sizeof *slots));
    if (!slots)
        return false;
    memset(slots, 0xff, capacity * sizeof *slots);
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].value == MAP_NONE)
            continue;
        uint32_t at = map_slot_of(map->slots[i].key, capacity - 1);
        while (slots[at].value != MAP_NONE)
            at = (at + 1) & (capacity - 1);
        slots[at] = map->slots[i];
    }
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
    return true;
}

bool map_set(struct map *map, uint64_t key, uint32_t value)
{
    if (map->count * 2 >= map->capacity && !grow_map(map))
        return false;
    uint32_t mask = map->capacity - 1;
    uint32_t i = map_slot_of(key, mask);
    while (map->slots[i].value != MAP_NONE && map->slots[i].key != key)
        i = (i + 1) & mask;
    if (map->slots[i].value == MAP_NONE)
        map->count++;
    map->slots[i] = (struct map_slot){key, value};
    return true;
}
