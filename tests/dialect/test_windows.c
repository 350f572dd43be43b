/* test_windows.c - the events of windows beside the call tree. */
#include "dialect/dialect.h"
#include "protocol/compact_writer.h"
#include "protocol/packet.h"
#include "protocol/tree_writer.h"

#include <criterion/criterion.h>

#include "support/events.h"
#include "support/stream.h"

enum { BODY_AT = 2, NOT_BODY = 5, PAYLOAD = 200, MAIN = 0, TICK = MP_CONTEXT_INTERRUPT(15), HZ = 25000000 };

/* A target that counts a tree, and the dialect that reads its packets. */
static struct target {
    const struct dialect *dialect;
    void *state;
    struct events events;
    struct mp_compact_writer writer;
    uint8_t payload[PAYLOAD + MP_TREE_RECORD_MAX];
    struct mp_compact_head head; /* of the next packet of a window */
    struct mp_tree_head tree;    /* of the next one of the tree */
} t;

static void say(const void *payload, size_t n)
{
    struct stream stream = {0};
    struct event_out out = events_out(&t.events);
    events_fini(&t.events);
    stream_packet(&stream, MP_PROFILE_DATA, payload, n);
    t.dialect->decode(t.state, stream.bytes + BODY_AT, stream.n - NOT_BODY, &out);
    stream_fini(&stream);
}

static void say_tree(uint32_t time, uint64_t elapsed)
{
    struct mp_tree_writer writer;
    t.tree.time = time;
    t.tree.elapsed = elapsed;
    mp_tree_begin(&writer, t.payload, PAYLOAD, 0, &t.tree);
    mp_tree_write_row(
        &writer,
        &(struct mp_tree_row){.parent = MP_TREE_NO_PARENT, .function = 0x100, .calls = 1, .ticks = elapsed});
    t.tree.number++;
    say(t.payload, writer.at);
}

/* Sends the tree's first packet: at the target's `time`, `elapsed` ticks had elapsed. */
static void open_target(uint32_t time, uint64_t elapsed)
{
    struct error err = {""};
    t = (struct target){.dialect = dialect_find("miniprof"),
                        .head = {.run = 1, .is_window = true},
                        .tree = {.run = 1, .hz = HZ, .nodes = 1, .room = 16}};
    t.state = calloc(1, t.dialect->state_size);
    cr_assert(t.dialect->start(t.state, &(struct dialect_settings){0}, &err), "%s", err.text);
    if (elapsed > 0)
        say_tree(time, elapsed);
}

static void close_target(void)
{
    events_fini(&t.events);
    free(t.state);
}

/* Begins a packet of the window, which has one call of 0x200. */
static void begin_packet(uint32_t time)
{
    t.head.time = time;
    mp_compact_begin(&t.writer, t.payload, PAYLOAD, 16, 0, &t.head);
    if (t.head.number > 0)
        return;
    mp_compact_clock(&t.writer, HZ);
    mp_compact_open(&t.writer, 0, 0x100, 0);
    mp_compact_window(&t.writer, MP_WINDOW_SLOW_CALL, 0x200, 40, 50, 2);
}

static void add_call(uint32_t time)
{
    mp_compact_enter(&t.writer, 0x200, time + 10);
    mp_compact_exit(&t.writer, 0x200, time + 50);
    t.head.number += 2;
}

static void send_packet(bool is_last)
{
    if (is_last)
        mp_compact_window_end(&t.writer);
    uint16_t n = mp_compact_end(&t.writer, false);
    say(t.payload, n);
}

static void say_window(uint32_t time)
{
    t.head.depth = 1;
    t.head.number = 0;
    begin_packet(time);
    add_call(time);
    send_packet(true);
}

static const struct event *find(enum event_kind kind, uint8_t stage)
{
    for (size_t i = 0; i < t.events.n; i++)
        if (t.events.event[i].kind == kind &&
            (kind != EVENT_WINDOW || t.events.event[i].window.stage == stage))
            return &t.events.event[i];
    return NULL;
}

static const struct event *expect(enum event_kind kind, uint8_t stage)
{
    const struct event *event = find(kind, stage);
    cr_assert_not_null(event, "kind %u, stage %u", kind, stage);
    return event;
}

Test(windows, a_window_has_the_time_of_the_tree_and_a_reason)
{
    open_target(5000, 4000); /* the run began at the target's 1000 */
    say_window(3000);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, 2000u);
    const struct event *why = expect(EVENT_WINDOW, WINDOW_TELLS);
    cr_expect_eq(why->ticks, 2050u);
    cr_expect(why->window.reason == WINDOW_SLOW && why->window.address == 0x200);
    cr_expect(why->window.duration == 40 && why->window.missed == 2);
    cr_expect_eq(expect(EVENT_OPEN, 0)->call.address, 0x100u);
    cr_expect_eq(expect(EVENT_ENTER, 0)->ticks, 2010u);
    cr_expect_eq(expect(EVENT_EXIT, 0)->ticks, 2050u);
    cr_expect(expect(EVENT_WINDOW, WINDOW_ENDS)->window.is_whole);
    for (size_t i = 0; i < t.events.n; i++)
        cr_expect(t.events.event[i].kind == EVENT_WINDOW || t.events.event[i].flags & EVENT_KEPT, "event %zu",
                  i);
    close_target();
}

static uint64_t windows_lost(void)
{
    return t.dialect->health(t.state)->windows_lost;
}

/* A window of three packets, without the one at `lost`. */
static void say_window_but(uint32_t time, int lost)
{
    t.head.depth = 1;
    t.head.number = 0;
    for (int i = 0; i < 3; i++) {
        begin_packet(time + 100 * (uint32_t)i);
        add_call(time + 100 * (uint32_t)i);
        if (i != lost)
            send_packet(i == 2);
    }
}

Test(windows, each_incomplete_window_is_counted_once)
{
    open_target(50000, 49000);
    say_window_but(3000, -1);
    cr_expect_eq(windows_lost(), 0u);
    for (int lost = 0; lost < 3; lost++) {
        t.head.run++;
        say_window_but(4000 + 1000 * (uint32_t)lost, lost);
        cr_expect_eq(windows_lost(), (uint64_t)(lost < 2 ? lost + 1 : 2), "that of %d", lost);
    }
    t.head.run++; /* only now it is known that the end of the one before is missing */
    say_window_but(8000, -1);
    cr_expect_eq(windows_lost(), 3u);
    t.head.run += 3;
    say_window_but(9000, -1);
    cr_expect_eq(windows_lost(), 5u, "two were lost as a whole");
    t.head.run = (t.head.run + 16) % 16;
    say_window_but(10000, -1);
    cr_expect_eq(windows_lost(), 20u, "all between two of one number");
    close_target();
}

Test(windows, a_window_cut_by_a_new_run_or_restart_is_lost)
{
    open_target(50000, 49000);
    t.head.run = 9;
    say_window(3000);
    cr_expect_eq(windows_lost(), 0u, "what was before is not known");
    t.head.run = 10;
    t.head.depth = 1;
    t.head.number = 0;
    begin_packet(4000);
    add_call(4000);
    send_packet(false);
    t.tree.run++; /* START: the rest of the window is not sent */
    t.tree.number = 0;
    say_tree(60000, 100);
    cr_expect_eq(windows_lost(), 1u, "its end will not come");
    t.head.run = 12;
    say_window(60100);
    cr_expect_eq(windows_lost(), 1u, "numbers begin again");
    t.tree.run++;
    t.tree.number = 0;
    say_tree(70000, 100);
    cr_expect_eq(windows_lost(), 1u, "it had ended");
    t.head.run = 13;
    t.head.number = 0;
    begin_packet(70100);
    add_call(70100);
    send_packet(false);
    struct event_out out = events_out(&t.events);
    t.dialect->finish(t.state, &out);
    cr_expect_eq(windows_lost(), 1u, "the end of the input cuts it off");
    t.dialect->reset(t.state);
    cr_expect_eq(windows_lost(), 2u, "it began again");
    close_target();
}

Test(windows, a_window_changes_neither_version_nor_counts)
{
    open_target(5000, 4000);
    struct dialect_health before = *t.dialect->health(t.state);
    say_window(3000);
    const struct dialect_health *now = t.dialect->health(t.state);
    cr_expect_eq(now->records, before.records, "the tree has them");
    cr_expect_eq(now->malformed, 0u);
    cr_expect_str_eq(now->form, before.form);
    cr_expect_null(find(EVENT_CLOCK, 0));
    say_tree(6000, 5000);
    cr_expect_null(find(EVENT_RECOUNT, 0));
    cr_expect_null(find(EVENT_CLOCK, 0), "the tree goes on as if nothing had come between");
    close_target();
}

Test(windows, time_of_32_bits_is_of_before_the_newest_packet_or_of_little_after)
{
    open_target(100, UINT64_C(3) << 32); /* the target's time has wrapped */
    say_window(UINT32_MAX - 899);        /* a thousand before */
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, (UINT64_C(3) << 32) - 1000);
    t.head.run++;
    say_window(2100);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, (UINT64_C(3) << 32) + 2000);
    t.head.run++;
    say_window(100 - (UINT32_C(5) << 29)); /* more than half a period before */
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, (UINT64_C(3) << 32) - (UINT64_C(5) << 29));
    close_target();
}

Test(windows, no_part_of_a_window_precedes_the_run)
{
    open_target(5000, 4000);
    say_window(500);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, 0u);
    close_target();
}

Test(windows, a_window_before_the_tree_has_no_time)
{
    open_target(0, 0);
    say_window(3000);
    cr_expect_eq(t.events.n, 0u);
    say_tree(5000, 4000);
    t.head.run++;
    say_window(3000);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, 2000u);
    close_target();
}

Test(windows, several_packets_are_one_window_between_those_of_the_tree)
{
    open_target(5000, 4000);
    t.head.depth = 1;
    begin_packet(3000);
    add_call(3000);
    send_packet(false);
    cr_expect_null(find(EVENT_WINDOW, WINDOW_ENDS));
    say_tree(6000, 5000);
    begin_packet(3100);
    add_call(3100);
    send_packet(true);
    cr_expect_null(find(EVENT_WINDOW, WINDOW_BEGINS));
    cr_expect_null(find(EVENT_LOST, 0));
    cr_expect_eq(expect(EVENT_ENTER, 0)->ticks, 2110u);
    cr_expect(expect(EVENT_WINDOW, WINDOW_ENDS)->window.is_whole);
    close_target();
}

Test(windows, a_lost_packet_is_counted_in_calls)
{
    open_target(5000, 4000);
    begin_packet(3000);
    add_call(3000);
    send_packet(false);
    t.head.number += 6;
    begin_packet(3100);
    add_call(3100);
    send_packet(true);
    const struct event *lost = expect(EVENT_LOST, 0);
    cr_expect_eq(lost->lost.records, 3u);
    cr_expect_eq(lost->ticks, 2050u);
    cr_expect_eq(lost->lost.to_ticks, 2100u);
    cr_expect(lost->flags & EVENT_KEPT);
    close_target();
}

Test(windows, a_window_without_its_first_packet_is_incomplete)
{
    open_target(5000, 4000);
    t.head.number = 8;
    begin_packet(3000);
    add_call(3000);
    send_packet(true);
    cr_expect_eq(expect(EVENT_LOST, 0)->lost.records, 4u);
    cr_expect_not(expect(EVENT_WINDOW, WINDOW_ENDS)->window.is_whole);
    close_target();
}

Test(windows, a_window_without_an_end_ends_when_the_next_begins)
{
    open_target(5000, 4000);
    begin_packet(3000);
    add_call(3000);
    send_packet(false);
    t.head.run++;
    say_window(4000);
    cr_expect_eq(t.events.event[0].kind, EVENT_WINDOW);
    cr_expect_eq(t.events.event[0].window.stage, WINDOW_ENDS);
    cr_expect_eq(t.events.event[0].ticks, 2050u);
    cr_expect_not(t.events.event[0].window.is_whole);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, 3000u);
    close_target();
}

Test(windows, a_window_without_an_end_ends_when_the_tree_restarts)
{
    open_target(5000, 4000);
    begin_packet(3000);
    add_call(3000);
    send_packet(false);
    t.tree.run++;
    t.tree.number = 0;
    say_tree(9000, 100);
    cr_expect_not(expect(EVENT_WINDOW, WINDOW_ENDS)->window.is_whole);
    say_window(8950); /* of the same number as before */
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, 4050u);
    close_target();
}

Test(windows, a_duplicate_packet_gives_no_events)
{
    open_target(5000, 4000);
    say_window(3000);
    say(t.payload, t.writer.at);
    cr_expect_eq(t.events.n, 0u);
    cr_expect_eq(t.dialect->health(t.state)->duplicates, 1u);
    close_target();
}

Test(windows, window_numbers_wrap_after_sixteen)
{
    open_target(5000, 4000);
    say_window(3000);
    say_window(4000);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_BEGINS)->ticks, 3000u);
    close_target();
}

Test(windows, an_unknown_reason_has_no_details)
{
    open_target(5000, 4000);
    t.head.time = 3000;
    mp_compact_begin(&t.writer, t.payload, PAYLOAD, 16, 0, &t.head);
    mp_compact_window(&t.writer, 77, 0, 0, 5, 1);
    send_packet(true);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_TELLS)->window.reason, WINDOW_UNTOLD);
    cr_expect_eq(expect(EVENT_WINDOW, WINDOW_TELLS)->window.missed, 1u);
    close_target();
}

Test(windows, a_window_is_neither_a_new_run_nor_a_new_target)
{
    open_target(5000, 4000);
    say_window(3000);
    struct stream stream = {0};
    stream_packet(&stream, MP_PROFILE_DATA, t.payload, t.writer.at);
    cr_expect_eq(t.dialect->run_of(t.state, stream.bytes + BODY_AT, stream.n - NOT_BODY),
                 DIALECT_RUN_UNKNOWN);
    stream_fini(&stream);
    close_target();
}
