/* test_stack.c - the depth of stacks, in trees made by hand. */
#include "snapshot/stack.h"

#include <criterion/criterion.h>

enum { MAIN, PARSE, WALK, SILENT, HANDLER, NEVER, PLACEHOLDER, FUNCTIONS };

static struct snapshot_function functions[FUNCTIONS];
static struct snapshot_context contexts[2];

static void set_frame(int function, uint64_t bytes)
{
    functions[function] = (struct snapshot_function){.frame_bytes = bytes, .known = FUNCTION_FRAME};
}

static void set_up(void)
{
    set_frame(MAIN, 100);
    set_frame(PARSE, 40);
    set_frame(WALK, 16);
    set_frame(HANDLER, 24);
    set_frame(NEVER, 4000);
    functions[SILENT] = (struct snapshot_function){.frame_bytes = 8}; /* alloca() on top */
    functions[PLACEHOLDER] = (struct snapshot_function){.kind = KIND_OTHER};
    contexts[0] = contexts[1] = (struct snapshot_context){.stack_bytes = 77, .has_stack = true};
}

TestSuite(stack, .init = set_up);

static struct snapshot_node node(int32_t parent, int32_t function, uint64_t calls)
{
    return (struct snapshot_node){.parent = parent, .function = function, .calls = calls};
}

static void fill(const struct snapshot_node *nodes, uint32_t n, bool is_estimated)
{
    const struct stack_rows rows = {.nodes = nodes,
                                    .node_count = n,
                                    .functions = functions,
                                    .function_count = FUNCTIONS,
                                    .contexts = contexts,
                                    .context_count = 2,
                                    .is_estimated = is_estimated};
    cr_assert(stack_fill(&rows));
}

static void expect(int function, uint64_t bytes, uint64_t unknown)
{
    cr_expect(functions[function].known & FUNCTION_STACK, "%d", function);
    cr_expect_eq(functions[function].stack_bytes, bytes, "%d: %lu", function,
                 (unsigned long)functions[function].stack_bytes);
    cr_expect_eq(functions[function].stack_unknown, unknown, "%d", function);
}

Test(stack, is_the_sum_of_the_frames_along_the_deepest_chain)
{
    const struct snapshot_node nodes[] = {node(-1, -1, 0), node(0, MAIN, 1), node(1, WALK, 9),
                                          node(1, PARSE, 1), node(3, WALK, 1)};
    fill(nodes, 5, false);
    expect(MAIN, 156, 0);
    expect(PARSE, 56, 0);
    expect(WALK, 16, 0);
    cr_expect_not(functions[NEVER].known & FUNCTION_STACK, "it was never called");
    cr_expect(contexts[0].has_stack && contexts[0].stack_bytes == 156 && contexts[0].stack_node == 4);
    cr_expect_eq(contexts[0].stack_unknown, 0);
    cr_expect_not(contexts[1].has_stack, "nothing ran there");
}

Test(stack, recursion_counts_each_level_and_unknown_frames_once)
{
    struct snapshot_node nodes[] = {node(-1, -1, 0), node(0, WALK, 1), node(1, WALK, 1), node(2, WALK, 1),
                                    node(3, SILENT, 1)};
    nodes[2].recursive = nodes[3].recursive = true;
    fill(nodes, 5, false);
    expect(WALK, 3 * 16 + 8, 1);
    expect(SILENT, 8, 1);
    cr_expect_eq(contexts[0].stack_unknown, 1);
}

/* The chain with an unknown frame may be the deeper one. */
Test(stack, an_unknown_frame_makes_the_depth_a_minimum)
{
    const struct snapshot_node nodes[] = {node(-1, -1, 0), node(0, MAIN, 1), node(1, PARSE, 1),
                                          node(1, SILENT, 1), node(3, PLACEHOLDER, 1)};
    fill(nodes, 5, false);
    expect(MAIN, 140, 2);
    expect(PARSE, 40, 0);
    expect(SILENT, 8, 2);
    cr_expect_not(functions[PLACEHOLDER].known & FUNCTION_STACK, "not one byte of it is known");
    cr_expect(contexts[0].stack_node == 2 && contexts[0].stack_unknown == 2);
}

Test(stack, each_context_has_one_of_its_own)
{
    struct snapshot_node nodes[] = {node(-1, -1, 0), node(0, MAIN, 1), node(0, HANDLER, 3), node(2, WALK, 3)};
    nodes[2].context = nodes[3].context = 1;
    fill(nodes, 4, false);
    cr_expect(contexts[0].stack_bytes == 100 && contexts[0].stack_node == 1);
    cr_expect(contexts[1].stack_bytes == 40 && contexts[1].stack_node == 3);
}

Test(stack, nodes_that_count_nothing_are_left_out_and_callers_that_run_are_not)
{
    struct snapshot_node nodes[] = {node(-1, -1, 0), node(0, MAIN, 0), node(1, PARSE, 0), node(1, WALK, 2),
                                    node(0, NEVER, 0)};
    fill(nodes, 5, false);
    expect(MAIN, 116, 0);
    cr_expect_not(functions[PARSE].known & FUNCTION_STACK);
    cr_expect_not(functions[NEVER].known & FUNCTION_STACK);
    cr_expect_eq(contexts[0].stack_bytes, 116);
}

Test(stack, it_is_unknown_for_an_estimated_tree_or_without_frames)
{
    const struct snapshot_node nodes[] = {node(-1, -1, 0), node(0, MAIN, 1)};
    fill(nodes, 2, false);
    expect(MAIN, 100, 0);
    fill(nodes, 2, true);
    cr_expect_not(functions[MAIN].known & FUNCTION_STACK);
    cr_expect_not(contexts[0].has_stack);
    for (int i = 0; i < FUNCTIONS; i++)
        functions[i] = (struct snapshot_function){0};
    fill(nodes, 2, false);
    cr_expect_not(functions[MAIN].known & FUNCTION_STACK);
    cr_expect_not(contexts[0].has_stack);
}

Test(stack, large_frames_saturate_the_sum)
{
    const struct snapshot_node nodes[] = {node(-1, -1, 0), node(0, MAIN, 1), node(1, WALK, 1)};
    set_frame(MAIN, UINT32_MAX);
    set_frame(WALK, UINT32_MAX);
    fill(nodes, 3, false);
    expect(MAIN, UINT32_MAX, 0);
}
