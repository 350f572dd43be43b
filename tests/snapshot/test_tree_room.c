/* test_tree_room.c - the advice on a call tree that is too small for the program. */
#include "snapshot/tree_room.h"

#include <criterion/criterion.h>
#include <string.h>

#define SAYS "The call tree needs "

static void assert_says(struct snapshot_tree_room room, const char *expected)
{
    char out[TREE_ROOM_SIZE] = "x";
    cr_assert_eq(snapshot_tree_room(&room, out), *expected != '\0');
    cr_assert_str_eq(out, expected);
}

Test(tree_room, a_tree_that_is_too_small_is_reported_with_the_size_needed)
{
    assert_says((struct snapshot_tree_room){64, 1469, 27},
                SAYS "about 1,500 nodes, 40 KB: build the agent with -DMPT_TREE_NODES=1500.");
    assert_says((struct snapshot_tree_room){64, 99, 27, false},
                SAYS "about 99 nodes, 3 KB: build the agent with -DMPT_TREE_NODES=99.");
    assert_says((struct snapshot_tree_room){64, 7098, 0, true},
                SAYS "more than 7,100 nodes: build the agent with -DMPT_TREE_NODES=7100.");
    assert_says((struct snapshot_tree_room){64, 59999, 1000, false},
                SAYS "about 60,000 nodes, 58,594 KB: build the agent with -DMPT_TREE_NODES=60000.");
}

Test(tree_room, there_is_no_advice_without_a_useful_size)
{
    assert_says((struct snapshot_tree_room){0}, "");
    assert_says((struct snapshot_tree_room){64, 0, 0, false}, "");
    assert_says((struct snapshot_tree_room){64, 64, 27, false}, "");
    assert_says((struct snapshot_tree_room){64, 60001, 27, false}, "");
}

static void assert_doubt(uint64_t lacking, uint64_t ticks, const char *expected)
{
    char out[TREE_DOUBT_SIZE];
    const struct snapshot_tree_room room = {
        .nodes = 64, .needed = 1469, .evictions = 10, .lacking_ticks = lacking, .ticks = ticks};
    cr_assert(snapshot_tree_doubt(&room, out));
    cr_assert(!strncmp(out, expected, strlen(expected)), "%s", out);
    cr_assert(
        strstr(out, " of the time. Calls and own times of functions are exact. " SAYS "about 1,500 nodes"),
        "%s", out);
}

Test(tree_room, approximate_chains_are_reported_with_their_error)
{
    assert_doubt(1789, 100000, "Chains of callers are approximate: each lacks at most 1.8 %");
    assert_doubt(18, 1000, "Chains of callers are approximate: each lacks at most 1.8 %");
    assert_doubt(1, 1ull << 40, "Chains of callers are approximate: each lacks at most 1e-06 %");
    assert_doubt(123, 1000,
                 "The target's call tree is too small to show chains of callers: one may lack 13 %");
    assert_doubt(7, 0, "The target's call tree is too small to show chains of callers: one may lack 100 %");
    assert_doubt(UINT64_MAX, 1,
                 "The target's call tree is too small to show chains of callers: one may lack 100 %");
}

Test(tree_room, functions_merged_into_other_are_not_exact)
{
    char out[TREE_DOUBT_SIZE];
    const struct snapshot_tree_room room = {.nodes = 64, .has_others = true, .evictions = 1, .ticks = 100};
    cr_assert(snapshot_tree_doubt(&room, out));
    cr_assert(strstr(out, "exact, except for those at \"(other)\". A larger MPT_TREE_NODES"), "%s", out);
}

Test(tree_room, chains_of_a_tree_that_does_not_evict_are_exact)
{
    char out[TREE_DOUBT_SIZE];
    cr_assert(
        !snapshot_tree_doubt(&(struct snapshot_tree_room){.nodes = 64, .needed = 1469, .ticks = 100}, out));
    cr_assert_str_eq(out, "");
}
