/* test_damage.c - the times at which bytes were damaged: exact for the newest, merged for older ones. */
#include "snapshot/damage.h"

#include <criterion/criterion.h>

Test(damage, the_oldest_gaps_are_merged)
{
    struct snapshot_damage damage = {0};
    cr_expect_not(snapshot_damage_in(&damage, 0, UINT64_MAX));
    for (uint64_t i = 1; i <= 100; i++)
        snapshot_damage_add(&damage, 1000 * i, 1000 * i + 10);
    for (uint64_t i = 1; i <= 100; i++) {
        cr_expect(snapshot_damage_in(&damage, 1000 * i + 10, 1000 * i + 20));
        cr_expect(snapshot_damage_in(&damage, 1000 * i - 20, 1000 * i));
        bool is_between_old = i <= 100 - DAMAGE_MOST;
        cr_expect_eq(snapshot_damage_in(&damage, 1000 * i + 11, 1000 * i + 999), is_between_old, "%d",
                     (int)i);
    }
    cr_expect_not(snapshot_damage_in(&damage, 0, 999));
    cr_expect_not(snapshot_damage_in(&damage, 100011, UINT64_MAX));
}

Test(damage, an_adjacent_gap_extends_the_last)
{
    struct snapshot_damage damage = {0};
    snapshot_damage_add(&damage, 10, 20);
    snapshot_damage_add(&damage, 20, 30);
    snapshot_damage_add(&damage, 15, 16);
    cr_expect_eq(damage.n, 1);
    cr_expect(snapshot_damage_in(&damage, 25, 26));
    cr_expect_not(snapshot_damage_in(&damage, 31, 40));
}
