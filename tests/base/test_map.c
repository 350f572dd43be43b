/* test_map.c - compares the map with a plain array. */
#include "base/map.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(map, only_keys_that_were_set_are_found)
{
    struct map map = {0};
    cr_assert_eq(map_find(&map, 0), MAP_NONE, "the empty map finds nothing");
    enum { N = 20000 };
    for (uint32_t i = 0; i < N; i++)
        cr_assert(map_set(&map, (uint64_t)i * 0x10001, i));
    cr_assert_eq(map.count, N);
    for (uint32_t i = 0; i < N; i++) {
        cr_assert_eq(map_find(&map, (uint64_t)i * 0x10001), i);
        cr_assert_eq(map_find(&map, (uint64_t)i * 0x10001 + 1), MAP_NONE);
    }
    cr_assert(map_set(&map, 0x10001, 77));
    cr_assert_eq(map_find(&map, 0x10001), 77, "a second set replaces");
    cr_assert_eq(map.count, N);
    map_clear(&map);
    cr_assert_eq(map_find(&map, 0x10001), MAP_NONE);
    map_fini(&map);
}
