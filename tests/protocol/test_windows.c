/* test_windows.c - packets of windows: the vector of SPEC.md section 13, malformed ones, and following them apart from
 * other packets. */
#include "protocol/compact_writer.h"
#include "protocol/stack_follower.h"

#include "compact_read.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 100, STEPS = 40 };

static uint8_t out[ROOM + MP_COMPACT_TOKEN_MAX];
static struct mp_compact_writer writer;

static void begin_at(uint16_t room, uint8_t run, uint32_t number, uint32_t time, bool is_window)
{
    struct mp_compact_head head = {run, number, time, 0, 1, is_window};

    mp_compact_begin(&writer, out, room, 64, 1, &head);
}

static void begin(uint32_t number, uint32_t time)
{
    begin_at(ROOM, 3, number, time, true);
}

static void write_vector_7(void)
{
    begin(0, 1000);
    cr_assert(mp_compact_clock(&writer, 25000000));
    cr_assert(mp_compact_window(&writer, MP_WINDOW_SLOW_CALL, 0x500, 300, 320, 2));
    cr_assert(mp_compact_open(&writer, 0, 0x400, 0));
    cr_assert(mp_compact_enter(&writer, 0x500, 1020));
    cr_assert(mp_compact_exit(&writer, 0x500, 1320));
    cr_assert(mp_compact_window_end(&writer));
}

Test(windows, vector_7_a_window_has_a_reason_and_an_end)
{
    static const uint8_t bytes[] = {
        0x02, 0x17, 0x00, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x00, 0x01, /* head: bit 2 */
        0xC6, 0xC0, 0xF0, 0xF5, 0x0B,                                           /* 25 MHz */
        0xCA, 0x01, 0x80, 0x0A, 0xAC, 0x02, 0xC0, 0x02, 0x02, /* a call of 500 took 300, until 1320; 2 missed
                                                               */
        0xC7, 0x00, 0xFF, 0x01, 0x00,                         /* at depth 0 runs 400, since when is unknown */
        0xC0, 0x80, 0x02, 0x14,                               /* enter 500 at 1020 */
        0x78, 0xB4,                                           /* exit at 1320 */
        0xCB,                                                 /* the end */
    };

    write_vector_7();
    cr_assert_eq(mp_compact_end(&writer, false), sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        cr_assert_eq(out[i], bytes[i], "byte %zu is %02X, not %02X", i, out[i], bytes[i]);
}

Test(windows, a_record_that_does_not_fit_leaves_the_packet_unchanged)
{
    /* The head and nine bytes of CA fit exactly, then nothing does. */
    begin_at(MP_COMPACT_HEAD + 9, 3, 0, 1000, true);
    cr_assert(mp_compact_window(&writer, MP_WINDOW_SLOW_CALL, 0x500, 300, 320, 2));
    cr_assert_not(mp_compact_window_end(&writer));
    cr_assert_eq(mp_compact_end(&writer, false), MP_COMPACT_HEAD + 9);
    begin_at(MP_COMPACT_HEAD_MAX, 3, 0, 1000, true);
    cr_assert_not(mp_compact_window(&writer, MP_WINDOW_SLOW_CALL, 0x500, 300, 320, 2));
    cr_assert(mp_compact_enter(&writer, 0x500, 1001));
    cr_assert_eq(out[MP_COMPACT_HEAD + 1], 0x80, "the function sent last is one that was not sent");
}

/* ---- reading ---- */

Test(windows, window_tokens_are_malformed_in_a_stream_or_truncated)
{
    static const uint8_t reason[] = {0xCA, 0x01, 0x80, 0x02, 0xAC, 0x02, 0xC0, 0x02, 0x02}, end[] = {0xCB};

    for (size_t n = 1; n <= sizeof reason; n++) {
        uint8_t payload[MP_COMPACT_HEAD + sizeof reason] = {2, 7};

        memcpy(payload + MP_COMPACT_HEAD, reason, n);
        cr_assert_eq(compact_read_all(payload, MP_COMPACT_HEAD + n),
                     n == sizeof reason ? MP_COMPACT_END : MP_COMPACT_MALFORMED, "%zu bytes", n);
        payload[1] = 3;
        cr_assert_eq(compact_read_all(payload, MP_COMPACT_HEAD + n), MP_COMPACT_MALFORMED, "in no window");
    }
    uint8_t payload[MP_COMPACT_HEAD + 1] = {2, 7};

    payload[MP_COMPACT_HEAD] = end[0];
    cr_assert_eq(compact_read_all(payload, sizeof payload), MP_COMPACT_END);
    payload[1] = 3;
    cr_assert_eq(compact_read_all(payload, sizeof payload), MP_COMPACT_MALFORMED, "in no window");
}

Test(windows, a_payload_of_a_window_is_recognised)
{
    static const uint8_t heads[][2] = {{2, 3}, {2, 7}, {2, 0x37}, {3, 7}, {1, 7}};
    static const bool is_window[] = {false, true, true, false, false};

    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(mp_compact_is_window(heads[i], 2), is_window[i], "head %zu", i);
    cr_assert_not(mp_compact_is_window(heads[1], 1));
    cr_assert_not(mp_compact_is_window(heads[1], 0));
}

/* ---- following ---- */

static struct {
    struct mp_step step[STEPS];
    uint32_t n;
} told;

static void hear(void *user, const struct mp_step *step)
{
    cr_assert_lt(told.n, STEPS);
    told.step[told.n++] = *step;
}

static struct mp_follower follower;

static void open_follower(void)
{
    static uint32_t functions[2][8];
    static struct mp_followed followed[2];

    for (uint32_t i = 0; i < 2; i++)
        followed[i] = (struct mp_followed){.stack = {.function = functions[i], .room = 8}};
    follower = (struct mp_follower){.step = hear};
    mp_follower_init(&follower, followed, 2);
    told.n = 0;
}

static void send_packet(void)
{
    mp_follower_packet(&follower, out, mp_compact_end(&writer, false));
}

static const struct mp_step *heard(enum mp_step_kind kind)
{
    for (uint32_t i = 0; i < told.n; i++) {
        if (told.step[i].kind == kind)
            return &told.step[i];
    }
    return NULL;
}

Test(windows, the_follower_reports_reason_trigger_and_end)
{
    open_follower();
    write_vector_7();
    send_packet();
    const struct mp_step *why = heard(MP_STEP_WINDOW), *exit = heard(MP_STEP_EXIT);

    cr_assert(why && exit && heard(MP_STEP_OPEN) && heard(MP_STEP_ENTER));
    cr_assert_eq(why->why, MP_WINDOW_SLOW_CALL);
    cr_assert_eq(why->function, 0x500);
    cr_assert_eq(why->ticks, 300);
    cr_assert_eq(why->missed, 2);
    cr_assert_eq(why->time + why->since, exit->time);
    cr_assert_eq(exit->time, 1320);
    cr_assert_eq(told.step[told.n - 1].kind, MP_STEP_WINDOW_END);
    cr_assert_eq(follower.counters.malformed, 0);
}

Test(windows, each_window_is_a_run_of_its_own)
{
    open_follower();
    for (uint32_t i = 0; i < 3; i++) { /* a window, another, and a stream of the same run */
        told.n = 0;
        begin_at(ROOM, i == 0 ? 3 : 4, 0, 5000 - 1000 * i, i < 2);
        cr_assert_eq(mp_follower_continues(&follower, out, MP_COMPACT_HEAD), false);
        cr_assert(mp_compact_enter(&writer, 0x500, 5010 - 1000 * i));
        send_packet();
        cr_assert(heard(MP_STEP_ENTER));
        cr_assert_eq(heard(MP_STEP_STACK) != NULL, true, "packet %u: what ran is not forgotten", i);
        cr_assert(i == 0 || heard(MP_STEP_LOSS)->lost == 0);
        cr_assert(mp_follower_continues(&follower, out, MP_COMPACT_HEAD) == false, "it would be read twice");
    }
    cr_assert_eq(follower.counters.runs, 3);
    cr_assert_eq(follower.counters.late + follower.counters.lost_in_packets + follower.counters.time_jumps,
                 0);
}

Test(windows, a_lost_packet_of_a_window_is_sized)
{
    open_follower();
    write_vector_7();
    send_packet();
    begin(7, 2000);
    cr_assert(mp_compact_enter(&writer, 0x500, 2000));
    send_packet();
    cr_assert_eq(follower.counters.lost_in_packets, 5);
    cr_assert_eq(follower.counters.runs, 1);
}

Test(windows, after_a_restart_the_events_before_the_first_packet_are_lost_ones)
{
    open_follower();
    mp_follower_restart(&follower);
    begin_at(ROOM, 3, 5, 1000, false);
    cr_assert(mp_compact_enter(&writer, 0x500, 1010));
    send_packet();
    const struct mp_step *loss = heard(MP_STEP_LOSS);
    cr_assert(loss);
    cr_assert(loss && loss->lost == 5 && !loss->is_gap);
    cr_assert_eq(follower.counters.lost_in_packets, 5);
    cr_assert_eq(follower.counters.lost_in_gaps, 0);
}

/* ---- closing packets ---- */

Test(windows, bit_3_closes_a_run_and_is_malformed_in_a_window)
{
    struct mp_compact_reader reader;

    for (unsigned form = 0; form < 256; form++) {
        const uint8_t payload[MP_COMPACT_HEAD] = {2, (uint8_t)form};
        bool is_right = !(form & 0xC0) && (form & 12) != 12;
        cr_assert_eq(mp_compact_open_packet(&reader, payload, sizeof payload), is_right, "byte 1 is %02X",
                     form);
        if (is_right)
            cr_assert_eq(reader.is_closing, form >> 3 & 1);
    }
    begin_at(ROOM, 3, 7, 1000, false);
    mp_compact_close(&writer);
    cr_assert(mp_compact_open_packet(&reader, out, mp_compact_end(&writer, false)));
    cr_assert(reader.is_closing && reader.number == 7);
    cr_assert_eq(compact_read_all(out, writer.at), MP_COMPACT_END);
}
