/* test_target.c - the identity of the target, and the continuation of its counters. */
#include "device/target.h"

#include <criterion/criterion.h>
#include <string.h>

static struct event metadata(void)
{
    struct event event = {.kind = EVENT_TARGET};
    event.target.mcu_clock_hz = 168000000;
    event.target.timer_hz = 1000000;
    event.target.elf_build_id = 0xDEADBEEF;
    memcpy(event.target.fw_version, "v1.0.0", 7);
    return event;
}

static void say_status(struct target *target, uint32_t overflows, uint32_t captured, uint8_t percent)
{
    struct event event = {.kind = EVENT_STATUS};
    event.status.profiling = true;
    event.status.buffer_overflows = overflows;
    event.status.records_captured = captured;
    event.status.buffer_usage_percent = percent;
    target_hear(target, &event);
}

Test(target, it_runs_the_same_program_as_long_as_version_and_build_are_the_same)
{
    struct target target;
    struct event said = metadata(), other = said;
    target_init(&target, 0);
    cr_expect_not(target_runs_the_same(&target, &said), "it has not said who it is");
    target_hear(&target, &said);
    cr_expect(target_runs_the_same(&target, &said));
    other.target.mcu_clock_hz++;
    cr_expect(target_runs_the_same(&target, &other), "at another clock");
    other = said;
    other.target.timer_hz++;
    cr_expect(target_runs_the_same(&target, &other));
    other = said;
    other.target.elf_build_id ^= 1;
    cr_expect_not(target_runs_the_same(&target, &other));
    other = said;
    other.target.fw_version[5] = '1';
    cr_expect_not(target_runs_the_same(&target, &other));
    other = said;
    other.target.fw_version[10] = 'x'; /* behind its end */
    cr_expect(target_runs_the_same(&target, &other));
}

Test(target, its_counters_go_on_beyond_32_bits_and_begin_anew_where_it_did)
{
    struct target target;
    target_init(&target, 0);
    say_status(&target, UINT32_MAX, UINT32_MAX - 9, 255);
    cr_expect_eq(target.told.buffer_usage_percent, 100);
    say_status(&target, 0, 10, 57);
    cr_expect_eq(target.told.records_captured, UINT64_C(0x10000000A));
    cr_expect_eq(target.told.buffer_overflows, UINT64_C(0x100000000));
    cr_expect_eq(target.told.buffer_usage_percent, 57);
    say_status(&target, 0, 5, 0);
    cr_expect_eq(target.told.records_captured, 5u, "it fell by too little to have wrapped");
    target_restart(&target);
    say_status(&target, 3, 900, 0);
    cr_expect_eq(target.told.records_captured, 900u);
    cr_expect_eq(target.told.buffer_overflows, 3u);
}
