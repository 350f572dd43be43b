/* test_syst_clock.c - many clocks on one time line. */
#include "dialect/syst/clock.h"

#include "syst_talk.h"

static uint64_t place(struct syst_line *line, const struct syst_clock *clock, struct syst_moment moment)
{
    bool estimated;
    return syst_line_place(line, clock, &moment, &estimated);
}

Test(syst_clock, stamps_are_ticks_as_they_are)
{
    struct syst_line line = {0};
    struct syst_clock clock = {0};
    cr_assert_eq(place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 77}), 77);
    cr_assert_eq(place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 70}), 70);
    bool estimated;
    cr_assert_eq(syst_line_place(&line, &clock, &(struct syst_moment){0}, &estimated), 77);
    cr_assert(estimated);
}

Test(syst_clock, the_first_clock_sets_the_rate_and_others_are_converted)
{
    struct syst_line line = {0};
    struct syst_clock fast = {0}, slow = {0};
    cr_assert(
        syst_line_sync(&line, &fast,
                       &(struct syst_moment){
                           .has_transport = true, .has_stamp = true, .transport = 500, .transport_hz = 1000},
                       1000000, 1000000));
    cr_assert_eq(line.hz, 1000000);
    /* A tenth of a second later by the transport, the slow clock reads 7. */
    cr_assert_not(
        syst_line_sync(&line, &slow,
                       &(struct syst_moment){
                           .has_transport = true, .has_stamp = true, .transport = 600, .transport_hz = 1000},
                       7, 100));
    cr_assert_eq(place(&line, &fast, (struct syst_moment){.has_stamp = true, .stamp = 1500000}), 1500000);
    cr_assert_eq(place(&line, &slow, (struct syst_moment){.has_stamp = true, .stamp = 7}), 1100000);
    cr_assert_eq(place(&line, &slow, (struct syst_moment){.has_stamp = true, .stamp = 17}), 1200000);
    cr_assert_eq(place(&line, &slow, (struct syst_moment){.has_stamp = true, .stamp = 2}), 1050000,
                 "before it");
    cr_assert_eq(place(&line, &slow,
                       (struct syst_moment){.has_transport = true, .transport = 700, .transport_hz = 1000}),
                 1200000, "by the transport alone");
}

Test(syst_clock, a_clock_that_changes_its_rate_goes_on_from_where_it_was)
{
    struct syst_line line = {0};
    struct syst_clock clock = {0};
    struct syst_moment stamped = {.has_stamp = true};
    syst_line_sync(&line, &clock, &stamped, 1000, 100);
    syst_line_sync(&line, &clock, &stamped, 2000, 200);
    cr_assert_eq(line.hz, 100);
    cr_assert_eq(place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 2400}), 2200);
}

Test(syst_clock, after_a_restart_ticks_go_on)
{
    struct syst_line line = {0};
    struct syst_clock clock = {0};
    place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 9000});
    syst_line_restart(&line);
    cr_assert_eq(place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 10}), 9000);
    cr_assert_eq(place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 15}), 9005);
    syst_line_restart(&line);
    cr_assert_eq(place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 50000}), 50000,
                 "a clock that ran on through it stays where it is");
}

Test(syst_clock, absurd_clocks_neither_overflow_nor_count)
{
    struct syst_line line = {0};
    struct syst_clock clock = {0};
    struct syst_moment stamped = {.has_stamp = true};
    cr_assert_not(syst_line_sync(&line, &clock, &stamped, 5, 0));
    cr_assert_not(syst_line_sync(&line, &clock, &stamped, 5, UINT64_MAX));
    cr_assert_eq(line.hz, 0);
    cr_assert(syst_line_sync(&line, &clock, &stamped, UINT64_MAX, 1000000000000));
    struct syst_clock other = {0};
    syst_line_sync(&line, &other, &stamped, UINT64_MAX, 1);
    place(&line, &other, (struct syst_moment){.has_stamp = true, .stamp = 0});
    place(&line, &other, (struct syst_moment){.has_stamp = true, .stamp = UINT64_MAX});
    place(&line, &clock, (struct syst_moment){.has_stamp = true, .stamp = 0});
}

Test(syst_clock, a_clock_message_sets_the_rate)
{
    struct talk talk = talk_open("hex");
    uint8_t payload[16] = {0x40, 0x42, 0x0F, 0, 0, 0, 0, 0, 0x00, 0x7A, 0x03, 0x0A};
    talk_say(&talk, &(struct syst_say){.type = 8, .subtype = 1, .origin = 1, .payload = payload, .n = 16});
    cr_assert_eq(talk_last(&talk, EVENT_CLOCK)->clock.ticks_per_second, 168000000);
    EXPECT_TEXT(&talk, "clock=0x00000000000F4240 freq=168000000");
    EXPECT_WORD(&talk, type, "CLOCK:SYNC");
    talk_close(&talk);
}

Test(syst_clock, the_user_may_say_how_fast_stamps_count)
{
    struct dialect_setting settings[] = {{"framing", "hex"}, {"clock_hz", "10000"}};
    struct talk talk = talk_open_with(&(struct dialect_settings){.settings = settings, .n = 2});
    uint8_t payload[16] = {[8] = 1};
    talk_say(&talk, &(struct syst_say){.type = 2, .subtype = 1, .stamped = true, .timestamp = 5});
    talk_say(&talk, &(struct syst_say){.type = 8, .subtype = 1, .payload = payload, .n = 16});
    cr_assert_eq(talk_count(&talk, EVENT_CLOCK), 1);
    cr_assert_eq(talk_last(&talk, EVENT_CLOCK)->clock.ticks_per_second, 10000);
    cr_assert_eq(talk.events.event[0].kind, EVENT_CLOCK, "before anything that it is about");
    talk_close(&talk);
}
