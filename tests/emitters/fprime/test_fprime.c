/* test_fprime.c - F-Prime's events: their form in the table as documented, and the daemon's reading of them. */
#include "fprime/mpt_fprime.h"

#include <criterion/criterion.h>

#include "support/listener.h"
#include "support/random.h"

struct board board = {.now = 1000};

static const struct dialect_range code = {0x400, 0x900};
static const struct dialect_settings settings = {.code = &code, .code_n = 1};

static void enter(uint32_t function)
{
    mpt_fprime_enter((void *)(uintptr_t)function, NULL);
}

static void leave(uint32_t function)
{
    mpt_fprime_exit((void *)(uintptr_t)function, NULL);
}

static void call(uint32_t function)
{
    enter(function);
    leave(function);
}

static void take_all(struct stream *stream, size_t most)
{
    uint8_t bytes[64];
    for (size_t n; (n = mpt_fprime_take(bytes, most)) > 0;)
        stream_bytes(stream, bytes, n);
}

Test(emitter_fprime, an_event_is_two_little_endian_words_and_its_counter_runs_down_from_0xFFFFFF)
{
    static const uint8_t wire[] = {0x71, 0x05, 0, 0,    0xFC, 0xFF, 0xFF, 0,
                                   0x71, 0x05, 0, 0x80, 0xF9, 0xFF, 0xFF, 0};
    uint8_t bytes[64];
    mpt_fprime_enable(true);
    call(0x571);
    cr_assert_eq(mpt_fprime_take(bytes, 7), 0, "no half events");
    cr_assert_eq(mpt_fprime_take(bytes, sizeof bytes), 16);
    cr_assert_arr_eq(bytes, wire, 16);
    cr_assert_eq(mpt_fprime_take(bytes, sizeof bytes), 0);
}

Test(emitter_fprime, nothing_is_recorded_outside_of_a_capture)
{
    uint8_t bytes[64];
    call(0x571);
    mpt_fprime_enable(true);
    mpt_fprime_disable();
    call(0x571);
    cr_assert_not(mpt_fprime_is_on());
    cr_assert_eq(mpt_fprime_take(bytes, sizeof bytes), 0);
    cr_assert_eq(mpt_fprime_dropped(), 0);
}

Test(emitter_fprime, a_dump_lies_in_the_table_and_is_taken_when_it_has_ended)
{
    struct stream stream = {0};
    mpt_fprime_enable(false);
    for (uint32_t i = 0; i < 3; i++)
        call(0x571 + 4 * i);
    take_all(&stream, 64);
    cr_assert_eq(stream.n, 0);
    cr_assert_eq(mpt_fprime_table[2].function, 0x575);
    cr_assert_eq(mpt_fprime_table[6].function, 0, "never written");
    mpt_fprime_disable();
    take_all(&stream, 64);
    cr_assert_eq(stream.n, 7 * 8);
    cr_assert(!memcmp(stream.bytes, mpt_fprime_table, stream.n), "as it lies there");
    static const uint8_t mark[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    cr_assert_arr_eq(stream.bytes + 6 * 8, mark, 8);
    stream_fini(&stream);
}

Test(emitter_fprime, a_dump_that_is_full_holds_the_first_events_whole)
{
    struct stream stream = {0};
    mpt_fprime_enable(false);
    for (uint32_t i = 0; i < MPT_FPRIME_EVENTS; i++)
        call(0x571);
    cr_assert_not(mpt_fprime_is_on());
    mpt_fprime_disable();
    take_all(&stream, 64);
    struct listener listener = listener_of("fprime", &settings, &stream);
    cr_assert_eq(listener.events.n, MPT_FPRIME_EVENTS);
    cr_assert_eq(listener_health(&listener)->malformed, 0);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(emitter_fprime, a_full_stream_drops_and_counts_the_newest_calls)
{
    struct test_random random = test_random_start("full");
    for (int round = 0; round < 200; round++) {
        struct stream stream = {0};
        uint64_t recorded = 0, lost = 0;
        mpt_fprime_enable(true);
        for (int turn = 0; turn < 20; turn++) {
            for (size_t n = test_random_below(&random, 30); n; n--, recorded += 2)
                call(0x571);
            uint8_t bytes[64];
            size_t n = mpt_fprime_take(bytes, 8 * (1 + test_random_below(&random, 8)));
            stream_bytes(&stream, bytes, n);
        }
        mpt_fprime_disable();
        take_all(&stream, 64);
        struct listener listener = listener_of("fprime", &settings, &stream);
        for (size_t i = 0; i < listener.events.n; i++)
            if (listener.events.event[i].kind == EVENT_LOST)
                lost += listener.events.event[i].lost.records;
        size_t events = listener_count(&listener, EVENT_ENTER) + listener_count(&listener, EVENT_EXIT);
        cr_assert_eq(lost, mpt_fprime_dropped());
        cr_assert_eq(events + lost, recorded, "round %d: %zu and %llu", round, events,
                     (unsigned long long)lost);
        cr_assert_eq(listener_health(&listener)->malformed, 0);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

static struct test_random arrivals;
static int nesting;
static uint64_t interrupts;

static void interrupt(void)
{
    if (nesting == 3 || interrupts == 2000 || test_random_below(&arrivals, 16))
        return;
    nesting++;
    interrupts++;
    call(0x601u + 0x10u * (uint32_t)nesting);
    nesting--;
}

Test(emitter_fprime, interrupts_in_hooks_break_no_event)
{
    struct stream stream = {0};
    mpt_fprime_enable(true);
    for (int i = 0; i < 3; i++) /* for a reliable start */
        call(0x571);
    take_all(&stream, 64);
    arrivals = test_random_start("arrivals");
    board.interrupt = interrupt;
    while (interrupts < 2000) {
        call(0x571);
        take_all(&stream, 64);
    }
    board.interrupt = NULL;
    mpt_fprime_disable();
    take_all(&stream, 64);
    struct listener listener = listener_of("fprime", &settings, &stream);
    cr_assert_eq(listener_health(&listener)->malformed + listener_health(&listener)->bytes_skipped, 0);
    uint64_t stack[16], before = 0;
    size_t depth = 0;
    for (size_t i = 0; i < listener.events.n; i++) {
        const struct event *event = &listener.events.event[i];
        if (event->kind == EVENT_LOST) {
            depth = 0;
            continue;
        }
        cr_assert(event->ticks > before && event->ticks < before + 100000, "event %zu", i);
        before = event->ticks;
        if (event->kind == EVENT_ENTER && depth < 16)
            stack[depth++] = event->call.address;
        else if (event->kind == EVENT_EXIT && depth)
            cr_assert_eq(stack[--depth], event->call.address);
    }
    cr_assert_gt(listener.events.n, 500);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(emitter_fprime, text_lines_give_the_same_events)
{
    struct stream text = {0}, bytes = {0};
    uint8_t line[2 * MPT_FPRIME_LINE];
    for (int is_text = 0; is_text < 2; is_text++) {
        board.now = 5000;
        mpt_fprime_enable(true);
        for (uint32_t i = 0; i < MPT_FPRIME_EVENTS; i++)
            call(0x571 + 4 * (i % 3));
        for (size_t n; (n = is_text ? mpt_fprime_take_text(line, sizeof line)
                                    : mpt_fprime_take(line, sizeof line)) > 0;)
            stream_bytes(is_text ? &text : &bytes, line, n);
    }
    cr_assert(!memcmp(text.bytes, "P:570,0,FFFFFC\nP:570,1,FFFFF9\n", 30));
    struct listener told = listener_of("fprime", &settings, &text),
                    meant = listener_of("fprime", &settings, &bytes);
    cr_assert_eq(events_difference(&told.events, &meant.events), SIZE_MAX);
    cr_assert_eq(told.events.n, MPT_FPRIME_EVENTS + 1, "and a loss");
    cr_assert_eq(told.events.event[MPT_FPRIME_EVENTS].lost.records, MPT_FPRIME_EVENTS);
    listener_close(&told);
    listener_close(&meant);
    stream_fini(&text);
    stream_fini(&bytes);
}
