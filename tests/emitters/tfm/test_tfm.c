/* test_tfm.c - checkpoints of the TF-M profiler: in the database, fetched, analysed, and read
 * by the daemon. */
#include "tfm/mpt_tfm.h"

#include <criterion/criterion.h>

#include "support/listener.h"
#include "support/random.h"

struct board board = {.now = 1000};

static const struct dialect_settings settings = {0};

static void take_all(struct stream *stream, size_t most)
{
    uint8_t bytes[256];
    for (size_t n; (n = mpt_tfm_take(bytes, most)) > 0;)
        stream_bytes(stream, bytes, n);
}

Test(emitter_tfm, an_entry_is_a_tag_and_a_count)
{
    static const uint8_t wire[] = {0x01, 0x01, 0x00, 0x02, 0xEB, 0x03, 0, 0};
    uint8_t bytes[64];
    MPT_CHECKPOINT(1, 0x200);
    cr_assert_eq(mpt_tfm_take(bytes, 7), 0, "no half entries");
    cr_assert_eq(mpt_tfm_take(bytes, sizeof bytes), 8);
    cr_assert_arr_eq(bytes, wire, 8);
    cr_assert_eq(MPT_TFM_TAG(MPT_TFM_NON_SECURE, 1, 0x200), 0x020001C1);
}

Test(emitter_tfm, entries_are_fetched_by_topic_and_checkpoint_and_stay)
{
    struct mpt_tfm_item item;
    for (uint32_t i = 0; i < 4; i++) {
        MPT_CHECKPOINT(1, 5);
        MPT_CHECKPOINT(2, i);
    }
    for (int again = 0; again < 2; again++) {
        struct mpt_tfm_fetch all = {0}, topic = mpt_tfm_by_topic(2), one = mpt_tfm_by_checkpoint(2, 3),
                             none = mpt_tfm_by_checkpoint(1, 3);
        uint32_t n = 0;
        while (mpt_tfm_fetch(&all, &item))
            n++;
        cr_assert_eq(n, 8);
        for (n = 0; mpt_tfm_fetch(&topic, &item); n++)
            cr_assert_eq(item.tag, MPT_TFM_TAG(MPT_TFM_SECURE, 2, n), "in their order");
        cr_assert_eq(n, 4);
        cr_assert(mpt_tfm_fetch(&one, &item) && !mpt_tfm_fetch(&one, &item));
        cr_assert_not(mpt_tfm_fetch(&none, &item));
    }
}

Test(emitter_tfm, a_full_database_drops_and_counts_the_newest_entries)
{
    struct test_random random = test_random_start("full");
    for (int round = 0; round < 200; round++) {
        struct stream stream = {0};
        uint64_t recorded = 0, lost = 0;
        mpt_tfm_clear();
        for (int turn = 0; turn < 20; turn++) {
            for (size_t n = 3 + test_random_below(&random, 30); n; n--, recorded++)
                MPT_CHECKPOINT(0, n);
            uint8_t bytes[64];
            size_t n = mpt_tfm_take(bytes, 8 * (1 + test_random_below(&random, 8)));
            stream_bytes(&stream, bytes, n);
        }
        take_all(&stream, 64);
        struct listener listener = listener_of("tfm", &settings, &stream);
        for (size_t i = 0; i < listener.events.n; i++)
            if (listener.events.event[i].kind == EVENT_LOST)
                lost += listener.events.event[i].lost.records;
        cr_assert_eq(lost, mpt_tfm_dropped());
        cr_assert_eq(listener_count(&listener, EVENT_MARK) + lost, recorded);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

static struct test_random arrivals;
static int nesting;
static uint64_t interrupts;

static void interrupt(void)
{
    if (nesting == 3 || interrupts == 1000 || test_random_below(&arrivals, 16))
        return;
    nesting++;
    interrupts++;
    mpt_tfm_log(MPT_TFM_TAG(MPT_TFM_SECURE, 1, nesting));
    nesting--;
}

Test(emitter_tfm, interrupts_in_a_checkpoint_keep_entries_whole_and_ordered)
{
    struct stream stream = {0};
    arrivals = test_random_start("arrivals");
    board.interrupt = interrupt;
    while (interrupts < 1000) {
        MPT_CHECKPOINT(0, 1);
        take_all(&stream, 64);
    }
    board.interrupt = NULL;
    take_all(&stream, 64);
    struct listener listener = listener_of("tfm", &settings, &stream);
    cr_assert_eq(listener_health(&listener)->malformed + listener_health(&listener)->bytes_skipped, 0);
    uint64_t before = 0;
    for (size_t i = 0; i < listener.events.n; i++) {
        if (listener.events.event[i].kind != EVENT_MARK)
            continue;
        cr_assert_gt(listener.events.event[i].mark.count, before);
        before = listener.events.event[i].mark.count;
    }
    cr_assert_gt(listener_count(&listener, EVENT_MARK), 500);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(emitter_tfm, calibration_leaves_no_entry_behind_and_is_taken_off)
{
    const uint32_t a = MPT_TFM_TAG(MPT_TFM_NON_SECURE, 0, 1), b = MPT_TFM_TAG(MPT_TFM_NON_SECURE, 0, 2);
    cr_assert_eq(mpt_tfm_calibrate(MPT_TFM_NON_SECURE, 10), 3, "a look at the counter each");
    cr_assert_eq(mpt_tfm_calibration(MPT_TFM_SECURE), 0);
    cr_assert_eq(mpt_tfm_room(), MPT_TFM_ITEMS);
    cr_assert_eq(mpt_tfm_between(a, b).count, 0);
    static const uint32_t work[] = {50, 20, 90};
    mpt_tfm_log(b);
    for (int i = 0; i < 3; i++) {
        mpt_tfm_log(a);
        board.now += work[i];
        mpt_tfm_log(b);
        mpt_tfm_log(b);
    }
    struct mpt_tfm_times times = mpt_tfm_between(a, b);
    cr_assert(times.count == 3 && times.first == 50 && times.min == 20 && times.max == 90 &&
              times.mean == 53);
    mpt_tfm_calibrate(MPT_TFM_NON_SECURE, 0);
    cr_assert_eq(mpt_tfm_between(a, b).min, 23);
}

Test(emitter_tfm, between_two_topics_and_worlds_the_cost_is_that_of_the_end)
{
    const uint32_t a = MPT_TFM_TAG(MPT_TFM_SECURE, 0, 1), b = MPT_TFM_TAG(MPT_TFM_NON_SECURE, 9, 1);
    mpt_tfm_calibrate(MPT_TFM_NON_SECURE, 10);
    mpt_tfm_log(b);
    mpt_tfm_log(a);
    mpt_tfm_log(MPT_TFM_TAG(MPT_TFM_SECURE, 9, 1));
    mpt_tfm_log(MPT_TFM_TAG(MPT_TFM_NON_SECURE, 0, 1));
    board.now += 40;
    mpt_tfm_log(b);
    struct mpt_tfm_times times = mpt_tfm_between(a, b), back = mpt_tfm_between(b, a);
    cr_assert(times.count == 1 && times.first == 3 * 3 + 40 - 3, "%u", times.first);
    cr_assert(back.count == 1 && back.first == 3, "secure code is not calibrated: %u", back.first);
}

Test(emitter_tfm, no_time_is_measured_across_a_loss)
{
    const uint32_t a = MPT_TFM_TAG(MPT_TFM_SECURE, 0, 1), b = MPT_TFM_TAG(MPT_TFM_SECURE, 0, 2);
    uint8_t bytes[16];
    for (uint32_t i = 0; i < MPT_TFM_ITEMS + 5; i++)
        mpt_tfm_log(a);
    cr_assert_eq(mpt_tfm_take(bytes, sizeof bytes), 16);
    mpt_tfm_log(b);
    cr_assert_eq(mpt_tfm_between(a, b).count, 0);
}

Test(emitter_tfm, text_lines_and_averages_are_read_by_the_daemon)
{
    struct stream text = {0};
    uint8_t line[80];
    MPT_CHECKPOINT(1, 0x200);
    MPT_CHECKPOINT(1, 0x201);
    for (size_t n; (n = mpt_tfm_take_text(line, MPT_TFM_LINE + 3)) > 0;)
        stream_bytes(&text, line, n);
    cr_assert(!memcmp(text.bytes, "02000101,000003EB\r\n", MPT_TFM_LINE));
    cr_assert_eq(mpt_tfm_write_average(line, 20, MPT_TFM_SECURE, "psa_call", 7), 0, "no half lines");
    stream_bytes(&text, line,
                 mpt_tfm_write_average(line, sizeof line, MPT_TFM_NON_SECURE, "psa_call", 4294967295u));
    struct listener listener = listener_of("tfm", &settings, &text);
    cr_assert_eq(listener_count(&listener, EVENT_MARK), 2);
    const struct event *average = listener_event(&listener, EVENT_AVERAGE, 0);
    cr_assert(average->average.mean_ticks == 4294967295u && average->average.calibration == 3);
    listener_close(&listener);
    stream_fini(&text);
}

Test(emitter_tfm, at_the_end_empty_places_follow_that_mean_nothing)
{
    struct listener listener = listener_open("tfm", &settings);
    struct stream stream = {0};
    for (uint32_t i = 0; i < 12; i++)
        MPT_CHECKPOINT(0, i);
    mpt_tfm_end();
    take_all(&stream, 64);
    listener_hear(&listener, stream.bytes, stream.n);
    cr_assert_eq(listener_count(&listener, EVENT_MARK), 12, "without the end of the stream");
    cr_assert_eq(listener_health(&listener)->bytes_skipped, 0);
    listener_close(&listener);
    stream_fini(&stream);
}
