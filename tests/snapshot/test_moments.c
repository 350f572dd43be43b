/* test_moments.c - gaps and markers on the timeline. */
#include "profile/profile.h"
#include "snapshot/moments.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct profile *profile;
static struct snapshot *snapshot;
static struct snapshot_gap gaps[SNAPSHOT_GAPS_MAX];
static struct snapshot_marker markers[SNAPSHOT_MARKERS_MAX];
static size_t gap_n, marker_n;

static void open_profile(void)
{
    profile = profile_new(NULL);
}

static void close_profile(void)
{
    snapshot_unref(snapshot);
    snapshot = NULL;
    profile_free(profile);
}

TestSuite(moments, .init = open_profile, .fini = close_profile);

static void look(uint64_t from, uint64_t to)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    snapshot_unref(snapshot);
    snapshot = profile_freeze(profile, &source, &target, &link);
    cr_assert_not_null(snapshot);
    gap_n = snapshot_gaps(snapshot, from, to, gaps);
    marker_n = snapshot_markers(snapshot, from, to, markers);
}

static void call(uint64_t start, uint64_t duration)
{
    profile_apply(
        profile,
        &(struct event){.kind = EVENT_CALL, .ticks = start, .call = {.address = 8, .duration = duration}}, 1);
}

static void lose(uint64_t records, bool line_was_away)
{
    profile_apply(
        profile,
        &(struct event){.kind = EVENT_LOST, .lost = {.records = records, .line_was_away = line_was_away}}, 1);
}

static void overflow(uint32_t overflows)
{
    profile_apply(profile, &(struct event){.kind = EVENT_STATUS, .status = {.buffer_overflows = overflows}},
                  1);
}

Test(moments, a_gap_lies_between_the_ends_of_the_calls_around_it)
{
    lose(3, false); /* before anything: none of the timeline's */
    call(100, 50);
    lose(7, false);
    lose(2, false);
    call(90, 200); /* began before the gap, was sent after it */
    call(300, 10);
    lose(0, false);
    look(0, 1000);
    cr_assert_eq(gap_n, 2);
    cr_expect(gaps[0].from_ticks == 150 && gaps[0].to_ticks == 290 && gaps[0].records == 9);
    cr_expect(gaps[1].from_ticks == 310 && gaps[1].to_ticks == 310 && gaps[1].records == 0,
              "what follows has not come yet");
    call(330, 20);
    look(311, 1000);
    cr_assert_eq(gap_n, 1);
    cr_expect(gaps[0].from_ticks == 310 && gaps[0].to_ticks == 350);
    look(0, 149);
    cr_expect_eq(gap_n, 0);
    profile_clear(profile);
    look(0, 1000);
    cr_expect_eq(gap_n, 0);
}

static void status(uint32_t captured, uint32_t overflows, uint8_t usage)
{
    profile_apply(profile,
                  &(struct event){.kind = EVENT_STATUS,
                                  .status = {.buffer_overflows = overflows,
                                             .records_captured = captured,
                                             .buffer_usage_percent = usage}},
                  1);
}

/* The target reports how often its buffer was full, but not the number of lost records. */
Test(moments, an_overflow_is_a_gap_until_the_buffer_is_empty)
{
    call(100, 10);
    status(1, 0, 0);
    call(120, 10);
    status(4, 1, 100); /* two wait, and something is missing before them, between or after */
    call(140, 10);
    call(160, 10);
    call(180, 10);
    status(5, 1, 0);
    call(200, 10);
    call(220, 10);
    look(0, 1000);
    cr_assert_eq(gap_n, 1);
    cr_expect(gaps[0].from_ticks == 110 && gaps[0].to_ticks == 210 && gaps[0].records == 0);
    cr_expect_eq(snapshot->link.losses_of_unknown_size, 1);
    status(9, 4, 50);
    look(0, 1000);
    cr_expect_eq(snapshot->link.losses_of_unknown_size, 4);
}

/* A record that is late, or of another run, only shows that something is missing. */
Test(moments, a_call_out_of_order_is_a_gap_of_unknown_size)
{
    call(100, 50);
    call(0, 120);
    call(160, 10);
    look(0, 1000);
    cr_assert_eq(gap_n, 1);
    cr_expect(gaps[0].from_ticks == 150 && gaps[0].to_ticks == 150 && gaps[0].records == 0);
    cr_expect_eq(snapshot->link.out_of_order, 1);
}

Test(moments, restarts_reconnects_and_overflows_are_marked)
{
    overflow(5); /* since before we listened */
    call(100, 50);
    overflow(5);
    overflow(9);
    lose(0, true);
    call(200, 50);
    profile_apply(profile, &(struct event){.kind = EVENT_RESET}, 1);
    overflow(0); /* counts from 0 again */
    overflow(1);
    call(260, 10);
    look(0, 1000);
    static const struct {
        uint64_t ticks, count;
        enum snapshot_marker_kind kind;
    } want[] = {{150, 1, MARKER_RECONNECT},
                {150, 4, MARKER_OVERFLOW},
                {250, 1, MARKER_RESET},
                {250, 1, MARKER_OVERFLOW}};
    cr_assert_eq(marker_n, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect(markers[i].ticks == want[i].ticks && markers[i].count == want[i].count &&
                      markers[i].kind == want[i].kind,
                  "marker %zu", i);
    cr_assert_eq(gap_n, 1);
    cr_expect(gaps[0].from_ticks == 150 && gaps[0].to_ticks == 270, "each overflow is one, too");
}

Test(moments, messages_and_checkpoints_that_share_a_column_are_one_marker)
{
    const struct event_mark_name name = {.name = "boot", .topic = 1, .checkpoint = 2};
    const struct event_plan plan = {.names = &name, .name_count = 1};
    profile_apply(profile, &(struct event){.kind = EVENT_PLAN, .plan = &plan}, 1);
    for (uint64_t i = 0; i < 300; i++) {
        char text[300];
        memset(text, 'x', sizeof text);
        snprintf(text, sizeof text, "message %d", (int)i);
        if (i == 299)
            memset(text, 'y', sizeof text);
        const struct event events[2] = {
            {.kind = EVENT_TEXT,
             .ticks = 1000 * i,
             .text = {.text = text, .n = i == 299 ? sizeof text : (uint32_t)strlen(text)}},
            {.kind = EVENT_MARK, .ticks = 1000 * i, .mark = {.topic = 1, .checkpoint = i == 0 ? 2 : 3}}};
        profile_apply(profile, events, 2);
    }
    look(0, 299000);
    cr_expect_eq(marker_n, 600, "with a column for each, each is there");
    cr_expect_eq(markers[0].kind, MARKER_CHECKPOINT);
    cr_expect_str_eq(markers[0].text, "boot");
    cr_expect_str_eq(markers[1].text, "message 0");
    cr_expect_str_eq(markers[2].text, "topic 1: 3");
    cr_expect_eq(strlen(markers[599].text), sizeof markers[599].text - 1, "long ones are cut short");
    look(0, 299000000); /* one column holds them all */
    cr_expect_eq(marker_n, 2);
    uint64_t messages = 0;
    for (size_t i = 0; i < marker_n; i++)
        messages += markers[i].kind == MARKER_MESSAGE ? markers[i].count : 0;
    cr_expect_eq(messages, 300);
    look(5000, 7000);
    cr_expect_eq(marker_n, 6);
    struct snapshot *window = snapshot_window(snapshot, 5000, 7000);
    cr_expect_eq(snapshot_markers(window, 0, 299000, markers), 303, "a window has its own messages");
    snapshot_unref(window);
}

static void say(uint64_t ticks)
{
    profile_apply(profile,
                  &(struct event){.kind = EVENT_TEXT, .ticks = ticks, .text = {.text = "so", .n = 2}}, 1);
}

Test(moments, messages_without_calls_have_a_range_and_later_ones_stretch_that_of_calls)
{
    uint64_t from, to;
    overflow(1);
    overflow(2);
    look(0, 1000);
    cr_expect_not(snapshot_told_range(snapshot, &from, &to), "an overflow alone is no time to look at");
    say(500);
    say(700);
    look(0, 1000);
    cr_expect_not(snapshot_timeline_range(snapshot, &from, &to));
    cr_assert(snapshot_told_range(snapshot, &from, &to));
    cr_expect(from == 500 && to == 700, "%llu to %llu", (unsigned long long)from, (unsigned long long)to);
    call(600, 50);
    profile_finish(profile); /* nothing waits for its caller any longer */
    look(0, 1000);
    cr_assert(snapshot_told_range(snapshot, &from, &to));
    cr_expect(from == 600 && to == 700, "what came before the calls that are held does not count");
    say(900);
    look(0, 1000);
    cr_assert(snapshot_told_range(snapshot, &from, &to));
    cr_expect_eq(to, 900);
}

Test(moments, the_first_record_stays_known_when_the_call_is_held_no_more)
{
    uint64_t first = 0, from = 0, to = 0;
    profile_free(profile);
    profile = profile_new(&(struct profile_limits){.timeline_calls = 4096});
    look(0, 1000);
    cr_expect_not(snapshot_first_ticks(snapshot, &first), "nothing has come yet");
    for (uint64_t i = 0; i < 9000; i++)
        call(1000 + 10 * i, 5);
    profile_finish(profile);
    look(0, UINT64_MAX);
    cr_assert(snapshot_told_range(snapshot, &from, &to));
    cr_assert_gt(from, 1000, "the first chunks have gone");
    cr_assert(snapshot_first_ticks(snapshot, &first));
    cr_expect_eq(first, 1000, "%llu", (unsigned long long)first);
    call(900, 200000); /* began before all of them */
    profile_finish(profile);
    look(0, UINT64_MAX);
    cr_assert(snapshot_first_ticks(snapshot, &first));
    cr_expect_eq(first, 900, "%llu", (unsigned long long)first);
    profile_clear(profile);
    look(0, 1000);
    cr_expect_not(snapshot_first_ticks(snapshot, &first), "what was cleared does not count");
    say(700);
    call(800, 10);
    profile_finish(profile);
    look(0, 1000);
    cr_assert(snapshot_first_ticks(snapshot, &first));
    cr_expect_eq(first, 700, "a message is a record: %llu", (unsigned long long)first);
}

Test(moments, a_noisy_line_makes_no_more_gaps_than_a_screen_has_columns)
{
    for (uint64_t i = 0; i < 20000; i++) {
        call(10 * i, 5);
        lose(1, false);
        if (i % 3 == 0)
            overflow((uint32_t)i);
    }
    look(0, UINT64_MAX);
    cr_expect_eq(gap_n, 1);
    cr_expect_eq(gaps[0].records, 0, "the records that an overflow costs are unknown");
    look(0, 200000);
    cr_assert_leq(gap_n, SNAPSHOT_GAPS_MAX);
    cr_assert_leq(marker_n, SNAPSHOT_MARKERS_MAX);
    for (size_t i = 1; i < gap_n; i++)
        cr_assert_gt(gaps[i].from_ticks, gaps[i - 1].to_ticks);
}

static void say_profiling(bool is_on)
{
    profile_apply(profile, &(struct event){.kind = EVENT_STATUS, .status = {.profiling = is_on}}, 1);
}

static void begin_run(void)
{
    profile_apply(profile, &(struct event){.kind = EVENT_RUN}, 1);
}

static void enter(uint64_t ticks)
{
    profile_apply(profile, &(struct event){.kind = EVENT_ENTER, .ticks = ticks, .call = {.address = 8}}, 1);
}

struct want_marker {
    uint64_t ticks;
    enum snapshot_marker_kind kind;
    const char *text;
};

static void expect_markers(const struct want_marker *want, size_t n)
{
    look(0, 100000);
    cr_assert_eq(marker_n, n, "%zu markers", marker_n);
    for (size_t i = 0; i < n; i++)
        cr_expect(markers[i].ticks == want[i].ticks && markers[i].kind == want[i].kind &&
                      markers[i].count == 1 && !strcmp(markers[i].text, want[i].text),
                  "marker %zu: kind %d at %llu, '%s'", i, (int)markers[i].kind,
                  (unsigned long long)markers[i].ticks, markers[i].text);
}

Test(moments, each_start_and_stop_is_one_marker)
{
    say_profiling(true); /* since an unknown time */
    begin_run();
    enter(100);
    enter(200);
    say_profiling(true);
    say_profiling(false);
    say_profiling(false);
    begin_run(); /* its packets come before STATUS reports it */
    enter(5000);
    say_profiling(true);
    profile_apply(profile, &(struct event){.kind = EVENT_CLOSED}, 1);
    say_profiling(false);
    say_profiling(true); /* after it */
    begin_run();
    enter(7000);
    begin_run(); /* a START while it profiles */
    enter(9000);
    expect_markers((struct want_marker[]){{200, MARKER_STOP, "2 calls had not returned"},
                                          {5000, MARKER_START, ""},
                                          {5000, MARKER_STOP, "3 calls had not returned"},
                                          {7000, MARKER_START, ""},
                                          {9000, MARKER_START, ""}},
                   5);
}

Test(moments, a_discarded_profile_is_marked_at_the_next_call)
{
    call(100, 50);
    call(200, 50);
    profile_apply(profile, &(struct event){.kind = EVENT_CLOCK, .clock = {.other_unit = true}}, 1);
    look(0, 100000);
    cr_expect_eq(marker_n, 0, "it has no time to stand at");
    call(700, 30);
    expect_markers((struct want_marker[]){{730, MARKER_DISCARD, "2 calls counted before"}}, 1);
    profile_clear(profile);
    call(900, 30);
    expect_markers((struct want_marker[]){{930, MARKER_CLEAR, ""}}, 1);
}

/* Without a STATUS before the overflow it is unknown how long ago that was. */
Test(moments, an_overflow_without_status_begins_at_the_last_call)
{
    call(100, 10);
    overflow(1);
    call(200, 10);
    look(0, 1000);
    cr_assert_eq(gap_n, 1);
    cr_expect(gaps[0].from_ticks == 110 && gaps[0].to_ticks == 210, "from %llu to %llu",
              (unsigned long long)gaps[0].from_ticks, (unsigned long long)gaps[0].to_ticks);
}
