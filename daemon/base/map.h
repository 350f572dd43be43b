/* map.h - a hash map from 64-bit keys to 32-bit values: open addressing; keys cannot be removed one by one. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX /* "not there"; never a value */

struct map_slot {
    uint64_t key;
    uint32_t value; /* MAP_NONE: empty */
};

/* Zero is the empty map. A map owns its slots. */
struct map {
    struct map_slot *slots;
    uint32_t capacity; /* power of two, or 0 */
    uint32_t count;
};

void map_fini(struct map *map);
void map_clear(struct map *map);

/* Returns the first slot to probe for a key. */
static inline uint32_t map_slot_of(uint64_t key, uint32_t mask)
{
    key ^= key >> 32;
    key *= 0x9E3779B97F4A7C15u;
    return (uint32_t)(key >> 32) & mask;
}

/* Returns the key's value, MAP_NONE when the key is missing. */
static inline uint32_t map_find(const struct map *map, uint64_t key)
{
    if (map->capacity == 0)
        return MAP_NONE;
    uint32_t mask = map->capacity - 1;
    for (uint32_t i = map_slot_of(key, mask);; i = (i + 1) & mask) {
        const struct map_slot *slot = &map->slots[i];
        if (slot->key == key) /* an empty slot may match, too: its value is MAP_NONE */
            return slot->value;
        if (slot->value == MAP_NONE)
            return MAP_NONE;
    }
}

/* Sets or replaces the value (not MAP_NONE) of a key. False when memory is used up; the map is unchanged. */
bool map_set(struct map *map, uint64_t key, uint32_t value);

#endif
