/* test_kind.c - which rows have a number, and which figures of the link add up. */
#include "snapshot/figures.h"

#include <criterion/criterion.h>
#include <string.h>

Test(kind, rows_of_which_there_may_be_several_are_numbered)
{
    static const bool is_numbered[SNAPSHOT_KINDS] = {
        [KIND_RUNNING] = true, [KIND_NOT_SEEN] = true, [KIND_CYCLE] = true, [KIND_PAIR] = true};
    for (int kind = 0; kind < SNAPSHOT_KINDS; kind++)
        cr_expect_eq(snapshot_kind_is_numbered(kind), is_numbered[kind], "%s", snapshot_kind_name(kind));
}

Test(kind, link_figures_add_up_except_rates_and_states)
{
    static const char *const of_now[] = {"header_order",    "crc_init",         "form",
                                         "doubt",           "bytes_per_second", "calls_per_second",
                                         "line_use_percent"};
    for (const struct figure *figure = figures_link; figure->key; figure++) {
        bool is_of_now = false;
        for (size_t i = 0; i < sizeof of_now / sizeof *of_now; i++)
            is_of_now |= strcmp(of_now[i], figure->key) == 0;
        cr_expect_eq(figure->adds_up, !is_of_now, "%s", figure->key);
    }
}

Test(kind, a_figure_of_each_call_is_known_once_there_was_one)
{
    const struct figure of_each = {.known = FUNCTION_EACH}, time = {.known = FUNCTION_TIMES};
    cr_expect(
        figure_function_known(&of_each, &(struct snapshot_function){.known = FUNCTION_EACH, .calls = 1}));
    cr_expect_not(figure_function_known(&of_each, &(struct snapshot_function){.known = FUNCTION_EACH}));
    cr_expect_not(
        figure_function_known(&of_each, &(struct snapshot_function){.known = FUNCTION_TIMES, .calls = 1}));
    cr_expect(figure_function_known(&time, &(struct snapshot_function){.known = FUNCTION_TIMES}));
}

Test(kind, an_unknown_mode_is_not_found)
{
    enum mode mode;
    cr_expect_not(snapshot_mode_find("nonsense", &mode));
    for (int i = 0; i < MODES; i++)
        cr_expect(snapshot_mode_find(snapshot_mode_name((enum mode)i), &mode) && (int)mode == i);
}
