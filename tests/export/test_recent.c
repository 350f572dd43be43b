/* test_recent.c - the longest calls of the last minute, in metrics. */
#include "export/export.h"
#include "export/recent.h"

#include "profile/profile.h"
#include "snapshot/timeline.h"

#include <criterion/criterion.h>
#include <string.h>

enum { HZ = 1000, TIMELINE_CALLS = 3 * TIMELINE_CHUNK };

static struct profile *profile;
static uint64_t now;

static void begin(void)
{
    now = 0;
    profile = profile_new(&(struct profile_limits){.timeline_calls = TIMELINE_CALLS});
    cr_assert(profile);
}

static void end(void)
{
    profile_free(profile);
}

TestSuite(recent, .init = begin, .fini = end);

/* Makes a call after the one before. */
static void call(uint64_t address, uint64_t duration_ticks)
{
    struct event events[] = {
        {.kind = EVENT_ENTER, .ticks = now, .call = {.address = address}},
        {.kind = EVENT_EXIT, .ticks = now + duration_ticks, .call = {.address = address}}};
    profile_apply(profile, events, 2);
    now += duration_ticks;
}

static struct snapshot *freeze(uint64_t ticks_per_second)
{
    struct snapshot_target target = {.ticks_per_second = ticks_per_second};
    return profile_freeze(profile, &(struct snapshot_source){0}, &target, &(struct snapshot_link){0});
}

static void expect(uint64_t ticks_per_second, const char *wanted, bool is_there)
{
    struct snapshot *snapshot = freeze(ticks_per_second);
    struct sink_buffer text;
    cr_assert(snapshot);
    sink_buffer_init(&text);
    exporter_find("prometheus")->write(snapshot, &text.sink);
    cr_expect_eq(strstr(text.bytes, wanted) != NULL, is_there, "%s", wanted);
    sink_buffer_fini(&text);
    snapshot_unref(snapshot);
}

#define OF(address) "\nminiprofd_function_recent_max_seconds{function=\"" address "\"} "

/* A maximum is in all scrapes of a minute, and then not any more; a second collector gets the same. */
Test(recent, a_maximum_is_available_for_a_minute)
{
    call(0x10, 500);
    call(0x10, 20);
    now = 1000;
    call(0x20, 7);
    expect(HZ, OF("0x00000010") "0.500000000\n", true);
    expect(HZ, OF("0x00000010") "0.500000000\n", true);
    expect(HZ, "\nminiprofd_recent_seconds 1.007000000\n", true);
    now = 60400;
    call(0x20, 9);
    expect(HZ, OF("0x00000010") "0.500000000\n", true);
    expect(HZ, "\nminiprofd_recent_seconds 60.000000000\n", true);
    now = 60500;
    call(0x20, 8);
    expect(HZ, OF("0x00000010") "0.020000000\n", true);
    expect(HZ, OF("0x00000020") "0.009000000\n", true);
    now = 200000;
    call(0x20, 3);
    expect(HZ, OF("0x00000010") "0.000000000\n", true);
    expect(HZ, OF("0x00000020") "0.003000000\n", true);
}

/* A minute may have more calls than the timeline keeps; then the known time is reported. */
Test(recent, it_has_the_length_of_the_kept_time)
{
    call(0x10, 500);
    for (int i = 0; i < 2 * TIMELINE_CALLS; i++)
        call(0x20, 1);
    struct snapshot *snapshot = freeze(HZ);
    uint64_t longest_ticks[2] = {99, 99}, known_ticks = 0;
    cr_assert(snapshot && snapshot->function_count == 2);
    cr_assert(recent_longest(snapshot, longest_ticks, &known_ticks));
    cr_expect_eq(longest_ticks[0], 0);
    cr_expect_eq(longest_ticks[1], 1);
    cr_expect(known_ticks >= TIMELINE_CALLS - TIMELINE_CHUNK && known_ticks <= TIMELINE_CALLS, "%llu",
              (unsigned long long)known_ticks);
    snapshot_unref(snapshot);
}

Test(recent, without_a_clock_or_calls_there_is_none)
{
    expect(HZ, "recent", false);
    call(0x10, 500);
    expect(0, "recent", false);
    expect(HZ, "recent", true);
    expect(UINT64_MAX / 2, "recent_seconds", true);
}
