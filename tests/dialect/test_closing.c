/* test_closing.c - the events of closing packets of versions 1, 2 and 3. */
#include "dialect/dialect.h"
#include "protocol/compact_writer.h"
#include "protocol/packet.h"
#include "protocol/tree_writer.h"

#include <criterion/criterion.h>

#include "support/events.h"
#include "support/stream.h"

enum { BODY_AT = 2, NOT_BODY = 5, PAYLOAD = 200, HZ = 25000000 };

static struct target {
    const struct dialect *dialect;
    void *state;
    struct events events; /* of the newest packet */
    struct mp_compact_writer stream;
    uint8_t payload[PAYLOAD + MP_TREE_RECORD_MAX];
} t;

static void open_target(void)
{
    struct error err = {""};
    t = (struct target){.dialect = dialect_find("miniprof")};
    t.state = calloc(1, t.dialect->state_size);
    cr_assert(t.dialect->start(t.state, &(struct dialect_settings){0}, &err), "%s", err.text);
}

static void close_target(void)
{
    events_fini(&t.events);
    free(t.state);
}

static void say(const void *payload, size_t n)
{
    struct stream stream = {0};
    struct event_out out = events_out(&t.events);
    events_fini(&t.events);
    stream_packet(&stream, MP_PROFILE_DATA, payload, n);
    t.dialect->decode(t.state, stream.bytes + BODY_AT, stream.n - NOT_BODY, &out);
    stream_fini(&stream);
}

/* The CLOSED event of the newest packet, its last event; NULL when there is none. */
static const struct event *closed(void)
{
    for (size_t i = 0; i < t.events.n; i++)
        if (t.events.event[i].kind == EVENT_CLOSED) {
            cr_assert_eq(i, t.events.n - 1, "what it sent comes first");
            return &t.events.event[i];
        }
    return NULL;
}

static void assert_closed(enum mode mode, bool is_whole)
{
    cr_assert_not_null(closed());
    cr_assert_eq(closed()->closed.mode, mode);
    cr_assert_eq(closed()->closed.is_whole, is_whole);
}

static void say_stream(uint32_t number, uint32_t time, bool has_call, bool closes)
{
    struct mp_compact_head head = {.run = 1, .number = number, .time = time};
    mp_compact_begin(&t.stream, t.payload, PAYLOAD, 16, 0, &head);
    if (has_call) {
        cr_assert(mp_compact_enter(&t.stream, 0x100, time + 5));
        cr_assert(mp_compact_exit(&t.stream, 0x100, time + 9));
    }
    if (closes)
        mp_compact_close(&t.stream);
    say(t.payload, mp_compact_end(&t.stream, false));
}

static void say_tree(uint32_t number, uint64_t elapsed, uint64_t ticks, bool closes)
{
    struct mp_tree_head head = {.flags = closes ? MP_TREE_IS_STOPPED : 0,
                                .run = 1,
                                .number = number,
                                .time = (uint32_t)elapsed,
                                .elapsed = elapsed,
                                .hz = HZ,
                                .nodes = 1,
                                .room = 16};
    struct mp_tree_writer writer;
    mp_tree_begin(&writer, t.payload, PAYLOAD, 0, &head);
    if (ticks > 0)
        mp_tree_write_row(&writer,
                          &(struct mp_tree_row){
                              .parent = MP_TREE_NO_PARENT, .function = 0x100, .calls = 1, .ticks = ticks});
    if (closes)
        mp_tree_close(&writer);
    say(t.payload, writer.at);
}

static const uint8_t no_records[] = {1, 0, 0};

Test(closing, a_packet_of_no_records_closes_calls)
{
    open_target();
    say(no_records, sizeof no_records);
    assert_closed(MODE_CALLS, true);
    const struct mp_record record = {.address = 0x100, .start = 100, .duration = 10};
    uint8_t payload[MP_PROFILE_DATA_HEAD + MP_RECORD_SIZE] = {1, 1, 0};
    mp_record_encode(&record, payload + MP_PROFILE_DATA_HEAD);
    say(payload, sizeof payload);
    cr_assert_null(closed());
    say(no_records, sizeof no_records);
    assert_closed(MODE_CALLS, true);
    cr_assert_eq(t.dialect->health(t.state)->malformed, 0);
    close_target();
}

Test(closing, the_number_of_the_closing_packet_shows_losses)
{
    open_target();
    say_stream(0, 100, true, false);
    cr_assert_null(closed());
    say_stream(2, 200, false, true);
    assert_closed(MODE_STREAM, true);
    cr_assert_eq(t.events.n, 1, "nothing is missing");
    say_stream(12, 300, false, true);
    assert_closed(MODE_STREAM, true);
    uint64_t lost = 0;
    for (size_t i = 0; i < t.events.n; i++)
        lost += t.events.event[i].kind == EVENT_LOST ? t.events.event[i].lost.records : 0;
    cr_assert_eq(lost, 5, "ten events");
    say_stream(2, 400, false, true);
    cr_assert_null(closed(), "it came late");
    close_target();
}

Test(closing, the_last_packet_with_events_may_close_a_stream_as_well)
{
    open_target();
    say_stream(0, 100, true, true);
    assert_closed(MODE_STREAM, true);
    close_target();
}

Test(closing, a_stream_of_which_all_was_lost_is_closed_with_that_loss)
{
    open_target();
    const struct mp_record record = {.address = 0x100, .start = 100, .duration = 10};
    uint8_t payload[MP_PROFILE_DATA_HEAD + MP_RECORD_SIZE] = {1, 1, 0};
    mp_record_encode(&record, payload + MP_PROFILE_DATA_HEAD);
    say(payload, sizeof payload);
    say_stream(8, 200, false, true);
    assert_closed(MODE_STREAM, true);
    bool is_lost = false;
    for (size_t i = 0; i < t.events.n; i++)
        is_lost |= t.events.event[i].kind == EVENT_LOST && t.events.event[i].lost.records == 4;
    cr_assert(is_lost);
    close_target();
}

Test(closing, a_tree_is_whole_when_its_ticks_equal_the_elapsed_ticks)
{
    open_target();
    say_tree(0, 1000, 900, false);
    cr_assert_null(closed());
    say_tree(2, 2000, 1999, true);
    assert_closed(MODE_TREE, false);
    say_tree(3, 2000, 2000, true);
    assert_closed(MODE_TREE, true);
    say_tree(4, 2000, 0, true);
    assert_closed(MODE_TREE, true);
    say_tree(4, 2000, 0, true);
    cr_assert_null(closed(), "it came twice");
    close_target();
}

Test(closing, an_empty_packet_of_another_version_ends_no_profile)
{
    open_target();
    say_tree(0, 1000, 900, false);
    say(no_records, sizeof no_records);
    assert_closed(MODE_CALLS, true);
    cr_assert_eq(t.events.n, 1, "no other clock");
    say_tree(1, 2000, 2000, true);
    assert_closed(MODE_TREE, true);
    close_target();
}
