/* map.h - a hash map from 64-bit keys to 32-bit values: open addressing, no removal but of everything. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX /* "not there"; never a value */

/* Zero is the empty map. Owns its slots. */
struct map {
    struct map_slot *slots;
    uint32_t capacity; /* power of two, or 0 */
    uint32_t count;
};

void map_fini(struct map *map);
void map_clear(struct map *map);

/* MAP_NONE when the key is not there. */
uint32_t map_find(const struct map *map, uint64_t key);

/* Sets key to value (not MAP_NONE), replacing what it had. False when memory is used up; the map is as it
 * was. */
bool map_set(struct map *map, uint64_t key, uint32_t value);

#endif
