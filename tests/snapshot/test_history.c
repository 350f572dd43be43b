/* test_history.c - the link's history in limited memory. */
#include "snapshot/figures.h"
#include "snapshot/link_history.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <string.h>

static struct link_history history;

static void add(uint64_t bytes, bool up, uint64_t now_ms)
{
    struct snapshot_link link = {.bytes = bytes};
    link_history_add(&history, &link, 0, up, now_ms);
}

Test(history, slots_have_received_bytes_and_connected_time)
{
    add(0, true, 5000);
    add(100, true, 5500);
    add(300, true, 6500);
    add(300, false, 7000); /* went away */
    add(300, true, 9500);  /* and came back */
    add(360, true, 10000);
    cr_assert_eq(history.slots_used, 6);
    static const struct history_slot want[] = {{.bytes = 100, .up_ms = 1000},
                                               {.bytes = 200, .up_ms = 1000},
                                               {.up_ms = 0},
                                               {.up_ms = 0},
                                               {.up_ms = 500},
                                               {.bytes = 60, .up_ms = 0}};
    for (size_t i = 0; i < 6; i++) {
        cr_expect_eq(history.slots[i].bytes, want[i].bytes, "slot %zu", i);
        cr_expect_eq(history.slots[i].up_ms, want[i].up_ms, "slot %zu", i);
    }
}

Test(history, silence_is_no_outage)
{
    add(10, true, 1000);
    link_history_wait(&history, 61000);
    cr_assert_eq(history.slots_used, 61);
    for (size_t i = 0; i < 60; i++)
        cr_expect_eq(history.slots[i].up_ms, 1000);
    cr_expect_eq(history.slots[30].bytes, 0);
}

Test(history, days_are_kept_at_a_coarser_resolution)
{
    struct test_random random = test_random_start("history");
    uint64_t now = 777, bytes = 0, up = 0, told = 0, told_up = 0;
    bool was_up = true;
    add(0, true, now);
    for (int i = 0; i < 200000; i++) {
        uint64_t wait = test_random_below(&random, 3000);
        now += wait;
        up += was_up ? wait : 0;
        bytes += test_random_below(&random, 1000);
        was_up = test_random_below(&random, 50) > 0;
        add(bytes, was_up, now);
    }
    for (uint32_t i = 0; i < history.slots_used; i++) {
        told += history.slots[i].bytes;
        told_up += history.slots[i].up_ms;
    }
    cr_expect_eq(told, bytes);
    cr_expect_eq(told_up, up);
    cr_expect_leq(history.slots_used, HISTORY_SLOTS);
    cr_expect_gt(history.slots_used, HISTORY_SLOTS / 2 - 1);
    cr_expect_geq(history.step_ms * HISTORY_SLOTS, now - 777);
}

Test(history, a_counter_has_its_last_growth_despite_resets)
{
    size_t crc = 0, n = 0;
    for (const struct figure *figure = figures_link; figure->key; figure++, n++)
        if (strcmp(figure->key, "crc_errors") == 0)
            crc = n;
    cr_assert_leq(n, HISTORY_FIGURES, "each figure has a place");
    struct snapshot_link link = {0};
    link_history_add(&history, &link, 0, true, 100);
    cr_expect_eq(history.grown_ms[crc], 0, "never");
    link.crc_errors = 5;
    link_history_add(&history, &link, 0, true, 200);
    link_history_add(&history, &link, 0, true, 300);
    cr_expect_eq(history.grown_ms[crc], 200);
    link.crc_errors = 0;
    link_history_add(&history, &link, 0, true, 400);
    cr_expect_eq(history.grown_ms[crc], 200);
    link.crc_errors = 1;
    link_history_add(&history, &link, 0, true, 500);
    cr_expect_eq(history.grown_ms[crc], 500);
    uint64_t errors = 0;
    for (uint32_t i = 0; i < history.slots_used; i++)
        errors += history.slots[i].errors;
    cr_expect_eq(errors, 6);
}
