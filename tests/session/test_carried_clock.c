/* test_carried_clock.c - conversion of a carried dialect's ticks to those of the link. */
#include "session/carried_clock.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#define START UINT64_C(0x200000000)

static struct event event_of(enum event_kind kind, uint64_t ticks)
{
    return (struct event){.kind = (uint8_t)kind, .ticks = ticks};
}

static void link_says(struct link_clock *link, uint64_t ticks)
{
    struct event event = event_of(EVENT_ENTER, ticks);
    link_clock_see(link, &event, 1);
}

static uint64_t told(struct carried_clock *clock, enum event_kind kind, uint64_t ticks)
{
    struct event event = event_of(kind, ticks);
    carried_clock_convert(clock, &event);
    return event.ticks;
}

static void expect(uint64_t is, uint64_t wanted)
{
    cr_assert_eq(is, wanted, "%" PRIu64 ", not %" PRIu64, is, wanted);
}

Test(carried_clock, the_newest_tick_of_the_link_is_its_latest_end)
{
    struct link_clock link = {0};
    struct event calls[] = {event_of(EVENT_CALL, 100), event_of(EVENT_CALL, 90)};
    calls[1].call.duration = 30;
    link_clock_see(&link, calls, 2);
    cr_assert(link.is_known);
    expect(link.newest, 120);
    struct event others[] = {event_of(EVENT_TEXT, 500), event_of(EVENT_CLOCK, 900), event_of(EVENT_NODE, 130),
                             event_of(EVENT_EXIT, 700), event_of(EVENT_SWITCH, UINT64_MAX)};
    others[1].clock.ticks_per_second = 7;
    others[3].flags = EVENT_KEPT;
    link_clock_see(&link, others, 5);
    expect(link.newest, 130);
    expect(link.hz, 7);
}

Test(carried_clock, events_with_one_tick_are_counted_until_it_changes)
{
    struct link_clock link = {0};
    struct event calls[] = {event_of(EVENT_CALL, 100), event_of(EVENT_CALL, 100)};
    link_clock_see(&link, calls, 2);
    expect(link.same, 0);
    link_clock_see(&link, calls, 2);
    link_says(&link, 100);
    expect(link.same, 3);
    link_says(&link, 99);
    expect(link.same, 0);
    link_says(&link, 100);
    expect(link.same, 1);
    link_says(&link, 101);
    expect(link.same, 0);
    cr_assert_not(link.rests);
    struct event nested[] = {event_of(EVENT_ENTER, 101), event_of(EVENT_ENTER, 101),
                             event_of(EVENT_EXIT, 101), event_of(EVENT_EXIT, 101)};
    link_clock_see(&link, nested, 4);
    expect(link.same, 2);
    nested[0].ticks = 100;
    link_clock_see(&link, nested, 4);
    expect(link.same, 3);
    struct event node = event_of(EVENT_NODE, 101);
    node.flags = EVENT_RESTS;
    link_clock_see(&link, &node, 1);
    cr_assert(link.rests);
    link_says(&link, 102);
    cr_assert_not(link.rests);
}

Test(carried_clock, a_restart_another_run_and_another_rate_begin_another_line)
{
    struct link_clock link = {0};
    struct event clock = event_of(EVENT_CLOCK, 0), recount = event_of(EVENT_RECOUNT, 0);
    clock.clock.ticks_per_second = 7;
    link_clock_see(&link, &clock, 1);
    expect(link.lines, 1);
    link_clock_see(&link, &clock, 1);
    expect(link.lines, 1);
    clock.clock.other_unit = true;
    link_clock_see(&link, &clock, 1);
    expect(link.lines, 2);
    link_clock_see(&link, &recount, 1);
    link_clock_restart(&link);
    expect(link.lines, 4);
}

Test(carried_clock, ticks_are_shifted_once_the_clock_is_placed)
{
    struct link_clock link = {0};
    struct carried_clock clock = {0};
    cr_assert_not(carried_clock_is_due(&clock, &link), "the place is unknown");
    expect(told(&clock, EVENT_TEXT, 40), 40);
    link_says(&link, START);
    cr_assert(carried_clock_is_due(&clock, &link));
    carried_clock_place(&clock, &link, 1000, 0);
    expect(told(&clock, EVENT_ENTER, 990), START - 10);
    expect(told(&clock, EVENT_EXIT, 1000), START);
    expect(told(&clock, EVENT_TEXT, 1000000), START + 999000);
    expect(told(&clock, EVENT_LOST, 5), 5);
    expect(told(&clock, EVENT_TEXT, UINT64_MAX), UINT64_C(1) << 62);
}

Test(carried_clock, where_both_rates_are_known_ticks_are_the_links)
{
    struct link_clock link = {.hz = 1000000};
    struct carried_clock clock = {0};
    link_says(&link, START);
    carried_clock_place(&clock, &link, 25000, 25000000);
    clock.hz = 25000000;
    expect(told(&clock, EVENT_ENTER, 0), START - 1000);
    expect(told(&clock, EVENT_EXIT, 25000 + 25 * 7 + 24), START + 7);
    cr_assert_not(carried_clock_is_due(&clock, &link));
    link.hz = 25000000; /* the link has another rate from now on */
    cr_assert(carried_clock_is_due(&clock, &link));
    link_says(&link, START + 500);
    carried_clock_place(&clock, &link, 60000, 25000000);
    expect(told(&clock, EVENT_ENTER, 60001), START + 501);
    expect(told(&clock, EVENT_ENTER, UINT64_MAX / 2), UINT64_C(1) << 62);
}

Test(carried_clock, it_is_placed_while_nothing_is_open_and_never_where_that_is_not_known)
{
    struct link_clock link = {0};
    struct carried_clock clock = {0};
    link_says(&link, START);
    told(&clock, EVENT_EXIT, 1); /* of a call that began before */
    told(&clock, EVENT_ENTER, 2);
    told(&clock, EVENT_ENTER, 3);
    told(&clock, EVENT_EXIT, 4);
    cr_assert_not(carried_clock_is_due(&clock, &link), "it would be measured wrong");
    told(&clock, EVENT_EXIT, 5);
    cr_assert(carried_clock_is_due(&clock, &link));
    told(&clock, EVENT_LOST, 0);
    cr_assert_not(carried_clock_is_due(&clock, &link), "an entry may be what was lost");
    carried_clock_reset(&clock);
    cr_assert(carried_clock_is_due(&clock, &link), "the target restarted");
    for (uint32_t context = 0; context <= CARRIED_CONTEXTS_MOST; context++) {
        struct event event = {.kind = EVENT_ENTER, .context = context};
        carried_clock_convert(&clock, &event);
        event.kind = EVENT_EXIT;
        carried_clock_convert(&clock, &event);
        cr_assert_eq(carried_clock_is_due(&clock, &link), context < CARRIED_CONTEXTS_MOST);
    }
}

Test(carried_clock, ticks_never_go_back_when_the_clock_is_placed)
{
    struct link_clock link = {0};
    struct carried_clock clock = {0};
    expect(told(&clock, EVENT_TEXT, 500), 500);
    link_says(&link, 400);
    carried_clock_place(&clock, &link, 510, 0);
    expect(told(&clock, EVENT_TEXT, 510), 510);
    link_says(&link, 600);
    carried_clock_place(&clock, &link, 520, 0);
    expect(told(&clock, EVENT_TEXT, 520), 600);
    cr_assert_not(carried_clock_is_due(&clock, &link));
    carried_clock_reset(&clock);
    link_says(&link, 900);
    cr_assert(carried_clock_is_due(&clock, &link), "the target restarted");
    carried_clock_place(&clock, &link, 530, 0);
    expect(told(&clock, EVENT_TEXT, 531), 901);
}
