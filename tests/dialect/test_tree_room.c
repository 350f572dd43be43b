/* test_tree_room.c - the event with the number of nodes that a target's call tree needs. */
#include "dialect/dialect.h"
#include "protocol/packet.h"
#include "protocol/tree_writer.h"

#include <criterion/criterion.h>

#include "support/events.h"
#include "support/stream.h"

enum { BODY_AT = 2, NOT_BODY = 5, PAYLOAD = 200, HZ = 25000000 };

static const struct dialect *dialect;
static void *state;
static struct events events; /* of the newest packet */

static void begin(void)
{
    struct error err = {""};
    dialect = dialect_find("miniprof");
    state = calloc(1, dialect->state_size);
    cr_assert(dialect->start(state, &(struct dialect_settings){0}, &err), "%s", err.text);
}

static void end(void)
{
    events_fini(&events);
    free(state);
}

/* The event of a packet with these figures; NULL for none. */
static const struct event *room_of(uint8_t run, uint32_t number, const struct mp_tree_chains *chains)
{
    struct mp_tree_head head = {
        .run = run, .number = number, .time = 10, .elapsed = 10, .hz = HZ, .room = 64};
    uint8_t payload[PAYLOAD + MP_TREE_RECORD_MAX];
    struct mp_tree_writer writer;
    struct stream stream = {0};
    struct event_out out = events_out(&events);
    events_fini(&events);
    mp_tree_begin(&writer, payload, PAYLOAD, 0, &head);
    if (chains)
        cr_assert(mp_tree_write_chains(&writer, chains));
    stream_packet(&stream, MP_PROFILE_DATA, payload, writer.at);
    dialect->decode(state, stream.bytes + BODY_AT, stream.n - NOT_BODY, &out);
    stream_fini(&stream);
    const struct event *found = NULL;
    for (size_t i = 0; i < events.n; i++)
        if (events.event[i].kind == EVENT_ROOM)
            found = &events.event[i];
    return found;
}

static void assert_needed(const struct event *event, uint32_t needed, bool is_least)
{
    cr_assert_not_null(event);
    cr_assert_eq(event->room.nodes, 64);
    cr_assert_eq(event->room.needed, needed, "%u", event->room.needed);
    cr_assert_eq(event->room.is_least, is_least);
    cr_assert_eq(event->room.node_bytes, 27);
}

Test(tree_room, the_number_of_chains_is_estimated_from_empty_bits)
{
    static const struct {
        uint32_t empty, needed;
        bool is_least;
    } cases[] = {{1023, 1, false}, {979, 46, false}, {240, 1486, false}, {1, 7098, false}, {0, 7098, true}};
    begin();
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_needed(room_of((uint8_t)i, 0, &(struct mp_tree_chains){1024, cases[i].empty, 27}),
                      cases[i].needed, cases[i].is_least);
    end();
}

Test(tree_room, the_estimate_is_reported_when_it_changes_and_once_per_run)
{
    const struct mp_tree_chains chains = {1024, 500, 27}, none = {1024, 1024, 27};
    begin();
    cr_assert_null(room_of(1, 0, NULL), "a target that does not report it");
    cr_assert_null(room_of(1, 1, &none));
    assert_needed(room_of(1, 2, &chains), 734, false);
    cr_assert_null(room_of(1, 3, &chains));
    cr_assert_null(room_of(1, 4, NULL));
    assert_needed(room_of(2, 0, &chains), 734, false);
    end();
}
