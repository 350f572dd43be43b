/* test_compact.c - the compact stream, token by token: the vectors of SPEC.md section 10, and malformed bytes. */
#include "protocol/call_stack.h"
#include "protocol/compact_reader.h"
#include "protocol/compact_writer.h"

#include "compact_read.h"

#include <criterion/criterion.h>

#include "support/random.h"

enum { ROOM = 200 };

static uint8_t out[ROOM + MP_COMPACT_TOKEN_MAX];
static struct mp_compact_writer writer;

static void begin(uint32_t number, uint32_t time, uint32_t context, uint32_t depth)
{
    struct mp_compact_head head = {3, number, time, context, depth};

    mp_compact_begin(&writer, out, ROOM, 64, 1, &head);
}

static void is(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(out[i], bytes[i], "byte %zu is %02X, not %02X", i, out[i], bytes[i]);
    cr_assert_eq(mp_compact_end(&writer, false), n);
}

#define IS(...) is((const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__})

Test(compact, vector_1_calls_that_repeat_are_predicted)
{
    begin(7, 1000, 0, 1);
    for (uint32_t i = 0; i < 3; i++) {
        mp_compact_enter(&writer, 0x08000100, 1010 + 50 * i);
        mp_compact_enter(&writer, 0x08000080, 1020 + 50 * i);
        mp_compact_exit(&writer, 0x08000080, 1040 + 50 * i);
        mp_compact_exit(&writer, 0x08000100, 1050 + 50 * i);
    }
    IS(0x02, 0x13, 0x07, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x00, 0x01, /* head */
       0xC0, 0x80, 0x82, 0x80, 0x40, 0x0A, /* enter 08000100 at 1010: slot 0 */
       0xC0, 0x7F, 0x0A,                   /* enter 08000080 at 1020: slot 1 */
       0x14,                               /* exit at 1040: predicted, since nothing else was sent */
       0x0A,                               /* exit at 1050 */
       0x80, 0x0A,                         /* enter slot 0 at 1060 */
       0x0A, 0x14, 0x0A,                   /* and so on, as it went before */
       0x0A, 0x0A, 0x14, 0x0A);
}

Test(compact, vector_2_exits_of_calls_that_began_elsewhere_and_long_times)
{
    begin(0, 0, 0, 2);
    mp_compact_exit(&writer, 0x200, 119);
    mp_compact_enter(&writer, 0x300, 119 + 224);
    mp_compact_exit(&writer, 0x300, 343 + 120);
    mp_compact_enter(&writer, 0x300, 463 + 8160);
    mp_compact_enter(&writer, 0x200, 8623 + 1);
    mp_compact_exit(&writer, 0x300, 8624 + 2000000);
    IS(0x02, 0x13, 0x00, 0x00, 0x00, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, /* head */
       0xC3, 0x80, 0x04, 0x77,            /* exit of 200 at 119: slot 0 */
       0xC0, 0x80, 0x02, 0xE0, 0x00,      /* enter 300 at 343: slot 1 */
       0x78, 0x00,                        /* exit at 463 */
       0x81, 0xFF, 0xE0, 0x3F,            /* enter slot 1 at 8623 */
       0x80, 0x01,                        /* enter slot 0 at 8624 */
       0xC2, 0x01, 0xFF, 0x80, 0x89, 0x7A /* exit of slot 1 at 2008624: a longjmp ended slot 0 */
    );
}

Test(compact, vector_3_contexts_gaps_clock_and_open_calls)
{
    begin(0, 100, 0, 1);
    mp_compact_clock(&writer, 25000000);
    mp_compact_open(&writer, 0, 0x400, 90);
    mp_compact_enter(&writer, 0x500, 110);
    mp_compact_context(&writer, MP_CONTEXT_INTERRUPT(15), 0, 115);
    mp_compact_enter(&writer, 0x600, 115);
    mp_compact_exit(&writer, 0x600, 120);
    mp_compact_context(&writer, MP_CONTEXT_TASK(0), 2, 125);
    mp_compact_exit(&writer, 0x500, 125);
    mp_compact_gap(&writer, 5, -1, -1, 0u - 0x400u * MP_CALL_LESS_WEIGHT, 1125);
    IS(0x02, 0x13, 0x00, 0x00, 0x00, 0x30, 0x64, 0x00, 0x00, 0x00, 0x00, 0x01, /* head */
       0xC6, 0xC0, 0xF0, 0xF5, 0x0B,                                           /* 25 MHz */
       0xC7, 0x00, 0x80, 0x08, 0x5A, /* at depth 0 runs 400, for 90 ticks */
       0xC0, 0x80, 0x02, 0x0A,       /* enter 500 at 110 */
       0xC4, 0x1F, 0x00, 0x05,       /* interrupt 15 at 115, depth 0 */
       0xC0, 0x80, 0x02, 0x00,       /* enter 600 at 115 */
       0x05,                         /* exit at 120 */
       0xC4, 0x00, 0x02, 0x05,       /* task 0 at 125, depth 2 */
       0x00,                         /* exit of 500 at 125: the task goes on where it was */
       0xC5, 0x05, 0x01, 0x01, 0x00, 0xBC, 0x42, 0xD3, 0xE3, 0x08 /* a gap up to 1125 */
    );
}

Test(compact, vector_4_tasks_names_and_blocked_tasks)
{
    begin(0, 1000, MP_CONTEXT_TASK(1), 0);
    mp_compact_name(&writer, MP_CONTEXT_TASK(1), false, "sensor", 6);
    mp_compact_name(&writer, MP_CONTEXT_TASK(0), true, "idle", 4);
    mp_compact_name(&writer, MP_CONTEXT_INTERRUPT(15), false, "", 0);
    mp_compact_enter(&writer, 0x100, 1010);
    mp_compact_context_blocked(&writer, MP_CONTEXT_TASK(2), 1, 1020);
    mp_compact_context(&writer, MP_CONTEXT_TASK(1), 1, 1030);
    mp_compact_exit(&writer, 0x100, 1050);
    IS(0x02, 0x13, 0x00, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x02, 0x00, /* head */
       0xC9, 0x02, 0x00, 0x06, 's', 'e', 'n', 's', 'o', 'r', 0xC9, 0x00, 0x01, 0x04, 'i', 'd', 'l', 'e', /**/
       0xC9, 0x1F, 0x00, 0x00,      /* a name of no bytes */
       0xC0, 0x80, 0x02, 0x0A,      /* enter 100 at 1010: names have not moved the function sent last */
       0xC8, 0x04, 0x01, 0x0A,      /* task 2 at 1020, depth 1; task 1 waits */
       0xC4, 0x02, 0x01, 0x0A, 0x14 /* task 1 at 1030, where it was; exit at 1050 */
    );
}

Test(compact, a_name_is_cut_between_characters_and_must_fit_whole)
{
    static const char longest[] = "a name of 23 bytes is it\xC3\xA4";

    begin(0, 0, 0, 0);
    cr_assert(mp_compact_name(&writer, 300, false, longest, sizeof longest - 1));
    IS(0x02, 0x13, 0x00, 0x00, 0x00, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xC9, 0xAC, 0x02, 0x00, 24,
       'a', ' ', 'n', 'a', 'm', 'e', ' ', 'o', 'f', ' ', '2', '3', ' ', 'b', 'y', 't', 'e', 's', ' ', 'i',
       's', ' ', 'i', 't');
    begin(0, 0, 0, 0);
    cr_assert(mp_compact_name(&writer, 3, false, longest + 1, sizeof longest - 2));
    cr_assert_eq(out[MP_COMPACT_HEAD + 3], 23, "half a character was sent");
    size_t told = 1;

    while (mp_compact_name(&writer, 3, false, longest, 24))
        told++;
    cr_assert_leq(mp_compact_end(&writer, false), ROOM);
    cr_assert_geq(told, (ROOM - MP_COMPACT_HEAD) / (MP_COMPACT_NAME_MAX + 8));
    cr_assert(mp_compact_enter(&writer, 0x100, 1), "a name that does not fit has ended the packet");
}

Test(compact, names_and_blocked_tasks_are_read)
{
    static const char any[] = "\x00\xFF/";
    struct mp_compact_reader reader;
    struct mp_compact_event event;

    begin(0, 0, MP_CONTEXT_TASK(1), 0);
    mp_compact_enter(&writer, 0x100, 10);
    mp_compact_name(&writer, MP_CONTEXT_TASK(9), true, any, 3);
    mp_compact_context_blocked(&writer, MP_CONTEXT_TASK(2), 0, 20);
    mp_compact_context(&writer, MP_CONTEXT_TASK(1), 1, 30);
    mp_compact_exit(&writer, 0x100, 40);
    cr_assert(mp_compact_open_packet(&reader, out, mp_compact_end(&writer, false)));
    cr_assert_eq(mp_compact_next(&reader, &event), MP_COMPACT_ENTER);
    cr_assert_null(event.name);
    cr_assert_eq(mp_compact_next(&reader, &event), MP_COMPACT_NAME);
    cr_assert_eq(event.context, MP_CONTEXT_TASK(9));
    cr_assert_eq(event.time, 10);
    cr_assert(event.is_idle);
    cr_assert_eq(event.name_length, 3);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(event.name[i], (uint8_t)any[i]);
    cr_assert_eq(reader.number, 1, "a name has no number");
    cr_assert_eq(mp_compact_next(&reader, &event), MP_COMPACT_CONTEXT);
    cr_assert(event.is_blocked);
    cr_assert_eq(event.context, MP_CONTEXT_TASK(2));
    cr_assert_eq(mp_compact_next(&reader, &event), MP_COMPACT_CONTEXT);
    cr_assert_not(event.is_blocked);
    cr_assert_eq(mp_compact_next(&reader, &event), MP_COMPACT_EXIT);
    cr_assert_eq(event.function, 0x100, "a task that blocked goes on where it was");
    cr_assert_eq(mp_compact_next(&reader, &event), MP_COMPACT_END);
}

Test(compact, truncated_and_impossible_packets_are_malformed)
{
    static const uint8_t head[MP_COMPACT_HEAD] = {2, 3};

    cr_assert_eq(compact_read_all(head, MP_COMPACT_HEAD), MP_COMPACT_END);
    for (size_t n = 0; n < MP_COMPACT_HEAD; n++)
        cr_assert_eq(compact_read_all(head, n), MP_COMPACT_MALFORMED);
    static const struct {
        const char *what;
        uint8_t n, bytes[10];
    } cases[] = {
        {"nothing to predict from", 1, {0x05}},
        {"an empty slot", 2, {0x80, 1}},
        {"no function", 1, {0xC0}},
        {"no time", 2, {0xC0, 2}},
        {"an exit of nothing", 2, {0xC1, 1}},
        {"an exit of an empty slot", 3, {0xC2, 0, 1}},
        {"an unknown token", 1, {0xCC}},
        {"a switch without a time", 3, {0xC8, 2, 0}},
        {"a name without a length", 3, {0xC9, 2, 0}},
        {"a name past the end", 6, {0xC9, 2, 0, 3, 'a', 'b'}},
        {"a number of six bytes", 7, {0xC6, 0x80, 0x80, 0x80, 0x80, 0x80, 1}},
        {"a number that does not end", 6, {0xC6, 0x80, 0x80, 0x80, 0x80, 0x80}},
        {"a gap above its lowest", 9, {0xC5, 1, 3, 1, 0, 0, 0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t payload[MP_COMPACT_HEAD + 10] = {2, 3};
        for (size_t k = 0; k < cases[i].n; k++)
            payload[MP_COMPACT_HEAD + k] = cases[i].bytes[k];
        cr_assert_eq(compact_read_all(payload, MP_COMPACT_HEAD + cases[i].n), MP_COMPACT_MALFORMED, "%s",
                     cases[i].what);
    }
    uint8_t named[MP_COMPACT_HEAD + 4 + MP_COMPACT_NAME_MAX + 1] = {2, 3};

    for (uint8_t n = 0; n <= MP_COMPACT_NAME_MAX + 1; n++) {
        named[MP_COMPACT_HEAD] = MP_TOKEN_NAME;
        named[MP_COMPACT_HEAD + 3] = n;
        cr_assert_eq(compact_read_all(named, MP_COMPACT_HEAD + 4u + n),
                     n <= MP_COMPACT_NAME_MAX ? MP_COMPACT_END : MP_COMPACT_MALFORMED, "%d bytes of name", n);
    }
    static const uint8_t other[][MP_COMPACT_HEAD] = {{1, 3}, {3, 3}, {2, 0x0F}, {2, 0x43}};
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(compact_read_all(other[i], MP_COMPACT_HEAD), MP_COMPACT_MALFORMED, "head %zu", i);
}

Test(compact, any_bytes_can_be_read_safely)
{
    struct test_random random = test_random_start("any_bytes");

    for (int i = 0; i < 20000; i++) {
        uint8_t payload[120] = {2, (uint8_t)test_random_below(&random, 64)};
        size_t n = test_random_below(&random, sizeof payload);
        for (size_t k = 2; k < n; k++)
            payload[k] = (uint8_t)(test_random_below(&random, 3) ? 0x78 + test_random_below(&random, 0x58)
                                                                 : test_random_next(&random));
        (void)compact_read_all(payload, n);
    }
}

Test(compact, a_packet_may_be_announced_before_it_is_written)
{
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    uint32_t read = 0, written = 0;

    begin(0, 0, 0, 0);
    while (mp_compact_enter(&writer, 0x1000 + 8 * written, written * 300))
        written++;
    cr_assert_eq(mp_compact_end(&writer, true), ROOM);
    cr_assert(mp_compact_open_packet(&reader, out, ROOM));
    while (mp_compact_next(&reader, &event) > MP_COMPACT_END) {
        cr_assert_eq(event.function, 0x1000 + 8 * read);
        cr_assert_eq(event.time, read++ * 300);
    }
    cr_assert_eq(read, written);
}
