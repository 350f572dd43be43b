/* test_tree_room.c - what is said of a call tree that is too small for the program. */
#include "snapshot/tree_room.h"

#include <criterion/criterion.h>

#define SAYS "The call tree needs "

static void assert_says(struct snapshot_tree_room room, const char *expected)
{
    char out[TREE_ROOM_SIZE] = "x";
    cr_assert_eq(snapshot_tree_room(&room, out), *expected != '\0');
    cr_assert_str_eq(out, expected);
}

Test(tree_room, a_tree_that_is_too_small_is_told_with_what_it_takes)
{
    assert_says((struct snapshot_tree_room){64, 1469, 27, false},
                SAYS "about 1,500 nodes, 40 KB: build the agent with -DMPT_TREE_NODES=1500.");
    assert_says((struct snapshot_tree_room){64, 99, 27, false},
                SAYS "about 99 nodes, 3 KB: build the agent with -DMPT_TREE_NODES=99.");
    assert_says((struct snapshot_tree_room){64, 7098, 0, true},
                SAYS "more than 7,100 nodes: build the agent with -DMPT_TREE_NODES=7100.");
    assert_says((struct snapshot_tree_room){64, 59999, 1000, false},
                SAYS "about 60,000 nodes, 58,594 KB: build the agent with -DMPT_TREE_NODES=60000.");
}

Test(tree_room, nothing_is_said_where_it_is_large_enough_or_nothing_known_or_no_agent_so_large)
{
    assert_says((struct snapshot_tree_room){0}, "");
    assert_says((struct snapshot_tree_room){64, 0, 0, false}, "");
    assert_says((struct snapshot_tree_room){64, 64, 27, false}, "");
    assert_says((struct snapshot_tree_room){64, 60001, 27, false}, "");
}
