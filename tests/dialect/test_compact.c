/* test_compact.c - the events of packets of the compact stream, version 2. */
#include "dialect/dialect.h"
#include "protocol/compact_writer.h"
#include "protocol/description.h"
#include "protocol/packet.h"

#include <criterion/criterion.h>

#include "support/events.h"
#include "support/stream.h"

enum {
    BODY_AT = 2,
    NOT_BODY = 5,
    PAYLOAD = 200,
    MAIN = 0,
    TASK = MP_CONTEXT_TASK(3),
    TICK = MP_CONTEXT_INTERRUPT(15)
};

/* A target, and the dialect that reads its packets. */
struct talk {
    const struct dialect *dialect;
    void *state;
    struct events events;
    struct mp_compact_writer writer;
    uint8_t payload[PAYLOAD];
    struct mp_compact_head head; /* of the next packet */
};

static void talk_open(struct talk *talk)
{
    struct error err = {""};
    *talk = (struct talk){.dialect = dialect_find("miniprof"), .head = {.run = 1}};
    talk->state = calloc(1, talk->dialect->state_size);
    cr_assert(talk->dialect->start(talk->state, &(struct dialect_settings){0}, &err), "%s", err.text);
}

static void talk_close(struct talk *talk)
{
    events_fini(&talk->events);
    free(talk->state);
}

static void say(struct talk *talk, uint8_t type, const void *payload, size_t n)
{
    struct stream stream = {0};
    struct event_out out = events_out(&talk->events);
    events_fini(&talk->events);
    stream_packet(&stream, type, payload, n);
    talk->dialect->decode(talk->state, stream.bytes + BODY_AT, stream.n - NOT_BODY, &out);
    stream_fini(&stream);
}

static void begin(struct talk *talk)
{
    mp_compact_begin(&talk->writer, talk->payload, PAYLOAD, 16, 0, &talk->head);
}

/* Sends what was written. */
static void send(struct talk *talk)
{
    uint16_t n = mp_compact_end(&talk->writer, false);
    say(talk, MP_PROFILE_DATA, talk->payload, n);
}

/* Opens a talk in which a call of 0x100 has begun at tick 5010. */
static void talk_open_in_call(struct talk *talk)
{
    talk_open(talk);
    talk->head.time = 5000;
    begin(talk);
    mp_compact_enter(&talk->writer, 0x100, 5010);
    send(talk);
}

static const struct event *nth(const struct talk *talk, size_t i, enum event_kind kind)
{
    cr_assert_lt(i, talk->events.n, "there are only %zu events", talk->events.n);
    cr_assert_eq(talk->events.event[i].kind, kind, "event %zu is of kind %u", i, talk->events.event[i].kind);
    return &talk->events.event[i];
}

Test(compact, entries_and_exits_come_with_their_context_and_time)
{
    struct talk talk;
    talk_open(&talk);
    talk.head.time = 1000;
    begin(&talk);
    mp_compact_clock(&talk.writer, 25000000);
    mp_compact_enter(&talk.writer, 0x100, 1010);
    mp_compact_context(&talk.writer, TICK, 0, 1020);
    mp_compact_enter(&talk.writer, 0x200, 1020);
    mp_compact_exit(&talk.writer, 0x200, 1030);
    send(&talk);
    nth(&talk, 0, EVENT_RUN);
    const struct event *is = nth(&talk, 1, EVENT_CONTEXT);
    cr_assert(is->context == MAIN && !is->context_is.name && is->context_is.kind == CONTEXT_THREAD);
    cr_assert_eq(nth(&talk, 2, EVENT_SWITCH)->context, MAIN);
    cr_assert_eq(nth(&talk, 3, EVENT_CLOCK)->clock.ticks_per_second, 25000000);
    const struct event *enter = nth(&talk, 4, EVENT_ENTER);
    cr_assert(enter->context == MAIN && enter->ticks == 1010 && enter->call.address == 0x100);
    is = nth(&talk, 5, EVENT_CONTEXT);
    cr_assert(is->context == TICK && is->context_is.kind == CONTEXT_INTERRUPT);
    cr_assert(!strncmp(is->context_is.name, "interrupt 15", is->context_is.n));
    const struct event *turn = nth(&talk, 6, EVENT_SWITCH);
    cr_assert(turn->context == TICK && turn->flags == EVENT_INTERRUPT && turn->ticks == 1020);
    cr_assert_eq(nth(&talk, 7, EVENT_ENTER)->context, TICK);
    const struct event *leave = nth(&talk, 8, EVENT_EXIT);
    cr_assert(leave->flags == EVENT_ENDS_INNER && leave->ticks == 1030);
    cr_assert_eq(talk.dialect->health(talk.state)->records, 1, "a finished call");
    cr_assert_str_eq(talk.dialect->health(talk.state)->form, "version 2, entries and exits");
    talk_close(&talk);
}

static void take_batch(void *user, const struct event *events, size_t n)
{
    size_t *clocks = user;
    for (size_t i = 0; i < n; i++)
        if (events[i].kind == EVENT_CLOCK) {
            cr_assert(events[0].kind != EVENT_ENTER && events[0].kind != EVENT_EXIT);
            ++*clocks;
        }
}

Test(compact, a_clock_that_changes_between_calls_begins_a_batch)
{
    struct talk talk;
    struct stream stream = {0};
    size_t clocks = 0;
    struct event_out out = {take_batch, &clocks};
    talk_open(&talk);
    begin(&talk);
    mp_compact_clock(&talk.writer, 25000000);
    mp_compact_enter(&talk.writer, 0x100, 10);
    send(&talk);
    talk.head.number = talk.head.depth = 1;
    talk.head.time = 15;
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x200, 20);
    mp_compact_clock(&talk.writer, 48000000);
    mp_compact_exit(&talk.writer, 0x200, 30);
    stream_packet(&stream, MP_PROFILE_DATA, talk.payload, mp_compact_end(&talk.writer, false));
    talk.dialect->decode(talk.state, stream.bytes + BODY_AT, stream.n - NOT_BODY, &out);
    cr_assert_eq(clocks, 1);
    stream_fini(&stream);
    talk_close(&talk);
}

Test(compact, a_lost_packet_is_counted_in_calls_and_empties_stacks)
{
    struct talk talk;
    talk_open(&talk);
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 10);
    send(&talk);
    talk.head.number = 1 + 5; /* five events are lost */
    talk.head.time = 100;
    talk.head.depth = 2;
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x200, 110);
    send(&talk);
    const struct event *stack = nth(&talk, 0, EVENT_STACK);
    cr_assert(stack->stack.low + stack->stack.unknown + stack->stack.high == 0);
    const struct event *lost = nth(&talk, 1, EVENT_LOST);
    cr_assert(lost->lost.records == 3 && lost->lost.stacks_told && lost->ticks == 10);
    cr_assert_eq(nth(&talk, 2, EVENT_SWITCH)->ticks, 100);
    cr_assert_eq(nth(&talk, 3, EVENT_STACK)->stack.unknown, 2);
    cr_assert_eq(nth(&talk, 4, EVENT_ENTER)->call.address, 0x200);
    cr_assert(talk.dialect->tells_losses(talk.state));
    talk_close(&talk);
}

Test(compact, after_a_switch_and_a_gap_the_end_of_the_old_turn_is_unknown)
{
    struct talk talk;
    talk_open(&talk);
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 10);
    mp_compact_context(&talk.writer, TASK, 0, 70); /* its events were lost, until the same time */
    mp_compact_gap(&talk.writer, 2, 0, 0, 0, 70);
    mp_compact_context(&talk.writer, MAIN, 1, 90);
    send(&talk);
    const struct event *lost = NULL;
    for (size_t i = 0; i < talk.events.n && !lost; i++)
        if (talk.events.event[i].kind == EVENT_LOST)
            lost = &talk.events.event[i];
        else
            cr_assert(talk.events.event[i].kind != EVENT_SWITCH || talk.events.event[i].context == MAIN);
    cr_assert(lost && lost->ticks == 10 && lost->lost.to_ticks == 70);
    talk_close(&talk);
}

Test(compact, a_task_that_ended_in_its_calls_ran_when_its_switch_says)
{
    struct talk talk;
    talk_open(&talk);
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 10);
    mp_compact_context(&talk.writer, TASK, 1, 70);
    mp_compact_gap(&talk.writer, 0, -1, -1, 0x100, 70); /* nothing was lost: another task has its number */
    send(&talk);
    bool is_told = false;
    for (size_t i = 0; i < talk.events.n; i++)
        is_told |= talk.events.event[i].kind == EVENT_SWITCH && talk.events.event[i].context == TASK &&
                   talk.events.event[i].ticks == 70;
    cr_assert(is_told);
    talk_close(&talk);
}

Test(compact, a_duplicate_packet_gives_no_events)
{
    struct talk talk;
    talk_open(&talk);
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 10);
    send(&talk);
    say(&talk, MP_PROFILE_DATA, talk.payload, talk.writer.at);
    cr_assert_eq(talk.events.n, 0);
    cr_assert_eq(talk.dialect->health(talk.state)->duplicates, 1);
    talk_close(&talk);
}

Test(compact, after_a_restart_ticks_go_on)
{
    struct talk talk;
    talk_open_in_call(&talk);
    talk.dialect->reset(talk.state);
    talk.head = (struct mp_compact_head){.run = 1, .time = 40};
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 47);
    send(&talk);
    cr_assert_eq(talk.events.event[talk.events.n - 1].ticks, 5010 + 7);
    talk_close(&talk);
}

/* A call runs during a silence of several wraps of the target's time. */
Test(compact, a_silence_ends_no_call_where_the_host_knows_about_how_long_it_was)
{
    static const double wraps[] = {0.1, 0.4, 0.6, 0.99, 1.01, 1.5, 7.3, 1000};
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        struct talk talk;
        uint64_t silence = (uint64_t)(wraps[i] * 0x1p32);
        talk_open_in_call(&talk);
        talk.dialect->pass(talk.state,
                           silence + (UINT64_C(1) << 29)); /* an error of an eighth of a wrap is harmless */
        talk.head =
            (struct mp_compact_head){.run = 1, .number = 1, .time = (uint32_t)(5020 + silence), .depth = 1};
        begin(&talk);
        mp_compact_exit(&talk.writer, 0x100, (uint32_t)(5030 + silence));
        send(&talk);
        cr_assert_eq(talk.events.n, 1, "%g: %zu events", wraps[i], talk.events.n);
        cr_assert_eq(nth(&talk, 0, EVENT_EXIT)->ticks, 5030 + silence, "%g", wraps[i]);
        talk.head = (struct mp_compact_head){.run = 2, .time = 7};
        begin(&talk);
        mp_compact_enter(&talk.writer, 0x100, 17);
        send(&talk);
        talk.head = (struct mp_compact_head){.run = 2, .number = 1, .time = 27, .depth = 1};
        begin(&talk);
        mp_compact_exit(&talk.writer, 0x100, 37);
        uint64_t before = talk.events.event[talk.events.n - 1].ticks;
        send(&talk);
        cr_assert_eq(nth(&talk, 0, EVENT_EXIT)->ticks, before + 20,
                     "another run has nothing to do with that");
        talk_close(&talk);
    }
}

/* Half a wrap, of which the host knows nothing, could be a step back as well: to before the time line's start. */
Test(compact, time_does_not_go_back_before_its_start)
{
    struct talk talk;
    talk_open_in_call(&talk);
    talk.head = (struct mp_compact_head){.run = 1, .number = 1, .time = 3000000000, .depth = 1};
    begin(&talk);
    mp_compact_exit(&talk.writer, 0x100, 3000000010);
    send(&talk);
    cr_assert_eq(talk.events.event[talk.events.n - 1].ticks, 3000000010);
    talk_close(&talk);
}

Test(compact, metadata_does_not_change_the_clock_of_the_stream)
{
    struct talk talk;
    uint8_t metadata[MP_METADATA_SIZE];
    talk_open(&talk);
    mp_metadata_encode(&(struct mp_metadata){.mcu_clock_hz = 25000000, .timer_hz = 1000000}, metadata);
    say(&talk, MP_METADATA, metadata, sizeof metadata);
    cr_assert_eq(nth(&talk, 1, EVENT_CLOCK)->clock.ticks_per_second, 1000000);
    begin(&talk);
    mp_compact_clock(&talk.writer, 25000000);
    send(&talk);
    say(&talk, MP_METADATA, metadata, sizeof metadata);
    cr_assert_eq(talk.events.n, 1);
    nth(&talk, 0, EVENT_TARGET);
    talk_close(&talk);
}

Test(compact, another_version_means_another_clock)
{
    struct talk talk;
    struct stream stream = {0};
    talk_open(&talk);
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 10);
    send(&talk);
    stream_records(&stream, &(struct mp_record){0x101, 20, 5, 0}, 1);
    struct event_out out = events_out(&talk.events);
    events_fini(&talk.events);
    talk.dialect->decode(talk.state, stream.bytes + BODY_AT, stream.n - NOT_BODY, &out);
    stream_fini(&stream);
    cr_assert(nth(&talk, 0, EVENT_CLOCK)->clock.other_unit);
    cr_assert_gt(nth(&talk, 1, EVENT_CALL)->ticks, 10);
    cr_assert_not(talk.dialect->tells_losses(talk.state));
    talk_close(&talk);
}

/* The packet that carries the clock may be lost. */
Test(compact, the_clock_of_the_description_holds_until_a_packet_has_one)
{
    static const struct mp_description description = {.versions = 6, .tick_hz = 48000000};
    uint8_t payload[MP_DESCRIPTION_HEAD];
    struct talk talk;
    talk_open(&talk);
    mp_description_encode(&description, payload);
    say(&talk, MP_DESCRIPTION, payload, sizeof payload);
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 10);
    send(&talk);
    cr_assert_eq(nth(&talk, 0, EVENT_CLOCK)->clock.ticks_per_second, 48000000);
    cr_assert_not(nth(&talk, 0, EVENT_CLOCK)->clock.other_unit, "nothing came before");
    talk_close(&talk);
}

Test(compact, running_calls_can_be_reported_again)
{
    struct talk talk;
    talk_open(&talk);
    talk.head.depth = 1;
    begin(&talk);
    mp_compact_enter(&talk.writer, 0x100, 10);
    mp_compact_context(&talk.writer, TASK, 0, 20);
    mp_compact_enter(&talk.writer, 0x200, 30);
    send(&talk);
    struct event_out out = events_out(&talk.events);
    events_fini(&talk.events);
    talk.dialect->retell(talk.state, &out);
    cr_assert_eq(nth(&talk, 0, EVENT_STACK)->stack.unknown, 2);
    const struct event *open = nth(&talk, 1, EVENT_OPEN);
    cr_assert(open->context == MAIN && open->depth == 1 && open->call.address == 0x100);
    cr_assert_eq(nth(&talk, 2, EVENT_STACK)->context, TASK);
    cr_assert_eq(nth(&talk, 3, EVENT_OPEN)->call.address, 0x200);
    cr_assert_eq(nth(&talk, 4, EVENT_SWITCH)->context, TASK);
    talk_close(&talk);
}

Test(compact, contexts_are_called_as_the_target_says)
{
    struct talk talk;
    talk_open(&talk);
    begin(&talk);
    mp_compact_name(&talk.writer, TASK, false, "sensor", 6);
    mp_compact_name(&talk.writer, MAIN, true, "", 0);
    mp_compact_context_blocked(&talk.writer, TASK, 0, 10);
    send(&talk);
    const struct event *is = nth(&talk, 3, EVENT_CONTEXT);
    cr_assert(is->context == TASK && is->context_is.kind == CONTEXT_THREAD);
    cr_assert(is->context_is.n == 6 && !strncmp(is->context_is.name, "sensor", 6));
    is = nth(&talk, 4, EVENT_CONTEXT);
    cr_assert(is->context == MAIN && is->context_is.kind == CONTEXT_IDLE && !is->context_is.name);
    cr_assert_eq(talk.events.event[talk.events.n - 1].flags, EVENT_WAITS);
    talk_close(&talk);
}
