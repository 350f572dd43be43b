/* test_tfm.c - dumps and printed output of the TF-M profiler. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/events.h"
#include "support/random.h"
#include "support/syst.h"

struct talk {
    const struct dialect *dialect;
    void *state;
    struct events events;
};

static struct talk talk_open(const struct dialect_setting *settings, size_t n)
{
    struct talk talk = {.dialect = dialect_find("tfm")};
    struct error err = {""};
    talk.state = calloc(1, talk.dialect->state_size);
    cr_assert(talk.dialect->start(talk.state, &(struct dialect_settings){.settings = settings, .n = n}, &err),
              "%s", err.text);
    return talk;
}

static void talk_hear(struct talk *talk, const void *bytes, size_t n)
{
    struct event_out out = events_out(&talk->events);
    talk->dialect->decode(talk->state, bytes, n, &out);
}

static void talk_end(struct talk *talk)
{
    struct event_out out = events_out(&talk->events);
    talk->dialect->finish(talk->state, &out);
}

static void talk_close(struct talk *talk)
{
    events_fini(&talk->events);
    free(talk->state);
}

static struct events told(const void *bytes, size_t n)
{
    struct talk talk = talk_open(NULL, 0);
    talk_hear(&talk, bytes, n);
    talk_end(&talk);
    struct events events = talk.events;
    talk.events = (struct events){0};
    talk_close(&talk);
    return events;
}

static void write_pair(struct stream *stream, uint32_t topic, uint32_t checkpoint, uint32_t calibration,
                       uint32_t count)
{
    syst_number(stream, 1 | calibration << 6 | topic << 8 | checkpoint << 16, 4);
    syst_number(stream, count, 4);
}

static bool is_mark(const struct event *event, uint32_t topic, uint32_t checkpoint, uint32_t calibration,
                    uint32_t count)
{
    return event->kind == EVENT_MARK && event->mark.topic == topic && event->mark.checkpoint == checkpoint &&
           event->mark.calibration == calibration && event->mark.count == count;
}

Test(tfm, a_dump_of_any_length_is_read_whole)
{
    for (uint32_t length = 1; length < 12; length++) {
        struct stream stream = {0};
        for (uint32_t i = 0; i < length; i++)
            write_pair(&stream, 1, 0x200 + i, i % 2 ? 3 : 0, 1000 * i);
        struct events events = told(stream.bytes, stream.n);
        cr_assert_eq(events.n, length);
        for (uint32_t i = 0; i < length; i++) {
            cr_assert(is_mark(&events.event[i], 1, 0x200 + i, i % 2 ? 3 : 0, 1000 * i));
            cr_assert_eq(events.event[i].ticks - events.event[0].ticks, 1000 * i);
        }
        events_fini(&events);
        stream_fini(&stream);
    }
}

Test(tfm, empty_entries_are_neither_marks_nor_damage)
{
    struct stream stream = {0};
    for (uint32_t i = 0; i < 10; i++)
        write_pair(&stream, 0, i, 0, i);
    for (uint32_t i = 0; i < 400; i++)
        stream_byte(&stream, i < 200 ? 0 : 0xFF);
    struct talk talk = talk_open(NULL, 0);
    talk_hear(&talk, stream.bytes, stream.n);
    talk_end(&talk);
    cr_assert_eq(talk.events.n, 10);
    cr_assert_eq(talk.dialect->health(talk.state)->bytes_skipped, 0);
    talk_close(&talk);
    stream_fini(&stream);
}

Test(tfm, counts_wrap_and_the_time_line_goes_on)
{
    struct stream stream = {0};
    for (uint32_t i = 0; i < 6; i++)
        write_pair(&stream, 0, i, 0, 0xFFFFFF00 + 0x80 * i);
    struct events events = told(stream.bytes, stream.n);
    cr_assert_eq(events.n, 6);
    for (uint32_t i = 0; i < 6; i++)
        cr_assert_eq(events.event[i].ticks - events.event[0].ticks, 0x80 * i);
    events_fini(&events);
    struct talk talk = talk_open(&(struct dialect_setting){"counter", "down"}, 1);
    talk_hear(&talk, stream.bytes, stream.n);
    talk_end(&talk);
    const struct event *first = &talk.events.event[talk.events.n - 6];
    cr_assert_eq(first[0].ticks - first[1].ticks, 0x80, "of a down-counter that was read backwards");
    talk_close(&talk);
    stream_fini(&stream);
}

Test(tfm, the_loss_entry_gives_the_number_of_lost_entries)
{
    struct stream stream = {0};
    for (uint32_t i = 0; i < 8; i++)
        write_pair(&stream, 0, i % 2, 0, 1000 * i);
    write_pair(&stream, 0xFF, 0xFFFF, 0, 35);
    for (uint32_t i = 8; i < 16; i++)
        write_pair(&stream, 0, i % 2, 0, 1000 * i);
    struct events events = told(stream.bytes, stream.n);
    cr_assert_eq(events.n, 17);
    cr_assert_eq(events.event[8].kind, EVENT_LOST);
    cr_assert_eq(events.event[8].lost.records, 35);
    cr_assert_eq(events.event[9].ticks - events.event[7].ticks, 1000);
    events_fini(&events);
    stream_fini(&stream);
}

/* Some entries wait for matching later ones; the first of these stands for the end of the stream. */
Test(tfm, a_trailing_loss_is_reported_when_the_line_is_quiet)
{
    enum { ENTRIES = 128 };
    struct stream stream = {0};
    struct talk talk = talk_open(NULL, 0);
    for (uint32_t i = 0; i < ENTRIES; i++)
        write_pair(&stream, 0, i % 2, 0, 1000 * i);
    write_pair(&stream, 0xFF, 0xFFFF, 0, 35);
    talk_hear(&talk, stream.bytes, stream.n);
    for (uint32_t i = ENTRIES; talk.events.n < ENTRIES; i++) {
        stream.n = 0;
        write_pair(&stream, 0, i % 2, 0, 1000 * i);
        talk_hear(&talk, stream.bytes, stream.n);
    }
    stream.n = 0;
    write_pair(&stream, 0, 0, 0, 1000 * 2 * ENTRIES);
    talk_hear(&talk, stream.bytes, stream.n);
    cr_assert_eq(talk.events.n, ENTRIES, "the next entry may show that it is one");
    for (int rest = 0; rest < 2; rest++) {
        struct event_out out = events_out(&talk.events);
        talk.dialect->idle(talk.state, &out);
        cr_assert_eq(talk.events.n, ENTRIES + 1);
        cr_assert_eq(talk.events.event[ENTRIES].kind, EVENT_LOST);
    }
    talk_close(&talk);
    stream_fini(&stream);
}

Test(tfm, the_last_topic_and_checkpoint_are_an_entry_where_the_topic_is_in_use)
{
    static const struct {
        uint32_t checkpoint[2];
        const char *losses;
        size_t marks, lost;
    } cases[] = {
        {{0xFFFF, 0xFFFF}, "auto", 12, 0}, {{0xFFFE, 0xFFFF}, "auto", 12, 0},
        {{0xFFFF, 0xFFFE}, "auto", 12, 0}, {{0xFFFF, 0}, "no", 12, 0},
        {{0xFFFF, 0}, "auto", 11, 1},      {{0xFFFE, 0xFFFF}, "yes", 11, 1},
    };
    enum { CASES = sizeof cases / sizeof *cases, PIECES = 9, FURTHER = 12 };
    for (size_t round = 0; round < CASES * PIECES; round++) { /* with pieces of any size */
        const size_t c = round / PIECES, piece = round % PIECES ? round % PIECES : 1000;
        struct stream stream = {0};
        struct talk talk = talk_open(&(struct dialect_setting){"losses", cases[c].losses}, 1);
        for (uint32_t i = 0; i < 10; i++)
            write_pair(&stream, 0, i % 2, 0, 1000 * i);
        for (uint32_t i = 0; i < 2; i++)
            write_pair(&stream, cases[c].checkpoint[i] ? 0xFF : 0, cases[c].checkpoint[i], 0, 11000 + 10 * i);
        for (uint32_t i = 0; i < FURTHER; i++) /* enough for the others to be settled before the end */
            write_pair(&stream, 0, i % 2, 0, 12000 + 1000 * i);
        for (size_t at = 0; at < stream.n; at += piece)
            talk_hear(&talk, stream.bytes + at, stream.n - at < piece ? stream.n - at : piece);
        talk_end(&talk);
        size_t marks = 0, lost = 0;
        for (size_t i = 0; i < talk.events.n; i++) {
            marks += talk.events.event[i].kind == EVENT_MARK;
            lost += talk.events.event[i].kind == EVENT_LOST;
        }
        cr_expect(marks == cases[c].marks + FURTHER && lost == cases[c].lost,
                  "case %zu, pieces of %zu: %zu, %zu", c, piece, marks, lost);
        talk_close(&talk);
        stream_fini(&stream);
    }
}

/* Reads a dump of a counter that passes `step` ticks from one checkpoint to the next, downwards if negative. */
static struct talk talk_of_counter(uint32_t first, int32_t step, uint32_t n)
{
    struct stream stream = {0};
    struct talk talk = talk_open(NULL, 0);
    for (uint32_t i = 0; i < n; i++)
        write_pair(&stream, 0, i % 2, 0, first + i * (uint32_t)step);
    talk_hear(&talk, stream.bytes, stream.n);
    talk_end(&talk);
    cr_assert_eq(talk.events.n, n);
    stream_fini(&stream);
    return talk;
}

/* By more than a quarter of its period, so that its direction is not learnt. */
Test(tfm, a_counter_that_goes_back_again_and_again_stays_on_the_line_of_time)
{
    struct talk talk = talk_of_counter(UINT32_C(3) << 30, -(INT32_C(5) << 28), 40);
    cr_assert_eq(talk.events.n, 40);
    for (size_t i = 0; i < talk.events.n; i++) {
        const struct event *event = &talk.events.event[i];
        cr_assert_eq(event->mark.counter, COUNTER_EITHER);
        cr_assert(event->ticks > 0 && event->ticks < UINT64_C(1) << 34, "entry %zu is at %llu", i,
                  (unsigned long long)event->ticks);
        cr_assert_eq((uint32_t)event->ticks, event->mark.count);
    }
    talk_close(&talk);
}

Test(tfm, which_way_the_counter_runs_is_learnt_from_other_entries)
{
    for (int down = 0; down < 2; down++)
        for (uint32_t wraps_at = 1; wraps_at < 40; wraps_at++) {
            int32_t step = down ? -1021 : 1021;
            struct talk talk =
                talk_of_counter((down ? 500 : 0u - 500u) - (wraps_at - 1) * (uint32_t)step, step, 40);
            for (uint32_t i = 0; i < 40; i++) {
                const struct event *event = &talk.events.event[i];
                enum event_counter known = i < 3 ? COUNTER_EITHER : down ? COUNTER_DOWN : COUNTER_UP;
                cr_assert_eq(event->mark.counter, known, "entry %u", i);
                if (i > 3)
                    cr_assert_eq(event->ticks - event[-1].ticks, 1021, "time goes on, entry %u", i);
            }
            cr_assert_null(talk.dialect->health(talk.state)->doubt);
            talk_close(&talk);
        }
}

Test(tfm, an_unknown_direction_is_reported_if_it_matters)
{
    struct talk talk = talk_of_counter(500, -1021, 2);
    const char *doubt = talk.dialect->health(talk.state)->doubt;
    cr_assert(doubt && strstr(doubt, "counter=") && strlen(doubt) < 160, "%s", doubt);
    talk_close(&talk);
    talk = talk_of_counter(5000, -1021, 2);
    cr_assert_null(talk.dialect->health(talk.state)->doubt, "no wrap, so either way is the same");
    talk_close(&talk);
}

Test(tfm, entries_against_the_direction_are_reported)
{
    for (int said = 0; said < 2; said++) {
        struct talk talk = talk_open(&(struct dialect_setting){"counter", "up"}, (size_t)said);
        struct stream stream = {0};
        for (uint32_t i = 0; i < 60; i++)
            write_pair(&stream, 0, i % 2, 0, 1000 * (i < 50 ? i : i - 50)); /* reset with the board */
        talk_hear(&talk, stream.bytes, stream.n);
        talk_end(&talk);
        cr_assert_eq(talk.dialect->health(talk.state)->doubt == NULL, said);
        talk_close(&talk);
        stream_fini(&stream);
    }
}

static void damage_everywhere(uint32_t topic, uint32_t checkpoint)
{
    enum { PAIRS = 30 };
    struct stream stream = {0}, spoilt = {0};
    struct test_random random = test_random_start("tfm");
    for (uint32_t i = 0; i < PAIRS; i++)
        write_pair(&stream, topic, checkpoint + i, 0, 0x12345678 + 1003 * i);
    for (size_t at = 0; at < stream.n; at++)
        for (int how = 0; how < 4; how++) {
            spoilt.n = 0;
            stream_bytes(&spoilt, stream.bytes, at);
            if (how < 2)
                stream_byte(&spoilt, stream.bytes[at] ^ (uint8_t)(1 + test_random_below(&random, 255)));
            else if (how == 2)
                stream_byte(&spoilt, (uint8_t)test_random_next(&random));
            stream_bytes(&spoilt, stream.bytes + at + (how != 2), stream.n - at - (how != 2));
            struct events events = told(spoilt.bytes, spoilt.n);
            size_t good = 0, from = 0;
            for (uint32_t i = 0; i < PAIRS; i++)
                for (size_t k = from; k < events.n; k++)
                    if (is_mark(&events.event[k], topic, checkpoint + i, 0, 0x12345678 + 1003 * i)) {
                        good++;
                        from = k + 1;
                        break;
                    }
            cr_assert_geq(good + 8, PAIRS, "byte %zu, damage %d: %zu", at, how, good);
            events_fini(&events);
        }
    stream_fini(&stream);
    stream_fini(&spoilt);
}

Test(tfm, one_byte_flipped_lost_or_inserted_costs_eight_entries_at_most)
{
    damage_everywhere(2, 0x200);
    damage_everywhere(1, 0x200); /* a topic that looks like the beginning of a tag */
    damage_everywhere(2, 0x100); /* checkpoints that do */
    damage_everywhere(1, 0x100);
    damage_everywhere(0, 0);
}

Test(tfm, a_sound_dump_is_read_whole_whatever_is_in_it)
{
    struct test_random random = test_random_start("sound");
    for (int round = 0; round < 200; round++) {
        struct stream stream = {0};
        uint32_t topics = 1 + (uint32_t)test_random_below(&random, 4),
                 checkpoints = 1 + (uint32_t)test_random_below(&random, 5);
        uint32_t n = 1 + (uint32_t)test_random_below(&random, 400),
                 count = (uint32_t)test_random_next(&random);
        for (uint32_t i = 0; i < n; i++) {
            count += (uint32_t)test_random_below(&random, 1 + ((size_t)1 << test_random_below(&random, 30)));
            write_pair(&stream, (uint32_t)test_random_below(&random, topics),
                       (uint32_t)test_random_below(&random, checkpoints) + 0x100 * (round % 3),
                       test_random_below(&random, 2) ? 3 : 0, count);
        }
        struct events events = told(stream.bytes, stream.n);
        cr_assert_eq(events.n, n, "round %d: %zu events of %u", round, events.n, n);
        events_fini(&events);
        stream_fini(&stream);
    }
}

/* ---- what is printed ---- */

Test(tfm, entries_are_lines_of_hex)
{
    static const char log[] =
        "[boot] started\r\n02000101,00000011\r\n0x020001C1, 0x22\n  3c1,5\r\n"
        "<inf> 0x00050101,FFFFFFFF\nlist: 1,2\n1,2,3\n0x02000102,1\n0x102030405,1\n41,zz\n1,7";
    struct events events = told(log, sizeof log - 1);
    cr_assert_eq(events.n, 5);
    cr_assert(is_mark(&events.event[0], 1, 0x200, 0, 0x11));
    cr_assert(is_mark(&events.event[1], 1, 0x200, 3, 0x22));
    cr_assert(is_mark(&events.event[2], 3, 0, 3, 5));
    cr_assert(is_mark(&events.event[3], 1, 5, 0, 0xFFFFFFFF));
    cr_assert(is_mark(&events.event[4], 0, 0, 0, 7), "a last line without its end");
    events_fini(&events);
}

Test(tfm, the_self_test_prints_tags_and_counts)
{
    static const char log[] =
        "------Verify------\ntag: 0x3010141, type: 0x1, cali_idx: 0x1\r\n"
        "topic_id: 0x1, checkpoint_id: 0x301\nTest data correct @ 0, expect: 17, actual: 17\n"
        "Test data correct @ 1, expect: 3, actual: 3\n";
    struct events events = told(log, sizeof log - 1);
    cr_assert_eq(events.n, 1, "no count without its tag");
    cr_assert(is_mark(&events.event[0], 1, 0x301, 1, 17));
    events_fini(&events);
}

Test(tfm, entries_printed_twice_by_the_self_test_count_once)
{
#define VERIFIED(by, count)                                                                                  \
    "------Verify Data By " by "------\r\ntag: 0x2000101, type: 0x1, cali_idx: 0x0\r\n"                      \
    "Test data correct @ 0, expect: " count ", actual: " count "\r\n"
#define END "------End: Timing Log Test------\r\n"
    static const char log[] = VERIFIED("TOPIC", "17") VERIFIED("Checkpoint", "17") END VERIFIED("TOPIC", "18")
        VERIFIED("Checkpoint", "18") END VERIFIED("Checkpoint", "19");
    struct events events = told(log, sizeof log - 1);
    cr_assert_eq(events.n, 3, "of two tests, and of one whose begin is missing");
    for (uint32_t i = 0; i < 3; i++)
        cr_assert(is_mark(&events.event[i], 1, 0x200, 0, 17 + i));
    events_fini(&events);
}

Test(tfm, negative_numbers_are_read_as_unsigned)
{
    static const char log[] =
        "tag: 0x10001, type: 0x1, cali_idx: 0x0\r\nTest data correct @ 0, expect: -256, actual: -256\r\n"
        "tag: 0x20001, type: 0x1, cali_idx: 0x0\r\nTest data correct @ 1, expect: -1, actual: -2147483648\r\n"
        "tag: 0x30001, type: 0x1, cali_idx: 0x0\r\nTest data correct @ 2, expect: -1, actual: -2147483649\r\n"
        "tag: 0x40001, type: 0x1, cali_idx: 0x0\r\nTest data correct @ 3, expect: -1, actual: 4294967040\r\n"
        "tag: 0x50001, type: 0x1, cali_idx: 0x0\r\nTest data correct @ 4, expect: -1, actual: -\r\n"
        "secure psa_call average is -256 CPU cycles\r\nsecure psa_close average is -2147483649 CPU "
        "cycles\r\n";
    struct events events = told(log, sizeof log - 1);
    cr_assert_eq(events.n, 4);
    cr_assert(is_mark(&events.event[0], 0, 1, 0, 0xFFFFFF00));
    cr_assert(is_mark(&events.event[1], 0, 2, 0, 0x80000000));
    cr_assert(is_mark(&events.event[2], 0, 4, 0, 0xFFFFFF00), "of a %%u");
    cr_assert_eq(events.event[3].kind, EVENT_AVERAGE);
    cr_assert_eq(events.event[3].average.mean_ticks, 0xFFFFFF00);
    events_fini(&events);
}

Test(tfm, psa_averages_have_their_world)
{
    static const char log[] =
        "[INF] secure psa_connect average is 812 CPU cycles\r\n"
        "non-secure psa_call stateless average is 18446744073 CPU cycles\n"
        "insecure thing average is 5 CPU cycles\n"
        "secure psa_close average is many CPU cycles\nsecure psa_close average is 7 apples\n";
    struct events events = told(log, sizeof log - 1);
    cr_assert_eq(events.n, 2);
    const struct event *one = &events.event[0], *other = &events.event[1];
    cr_assert(one->kind == EVENT_AVERAGE && one->average.calibration == 0 && one->average.mean_ticks == 812);
    cr_assert(one->average.n == 11 && !memcmp(one->average.name, "psa_connect", 11));
    cr_assert(other->average.calibration == 3 && other->average.mean_ticks == 18446744073);
    cr_assert(other->average.n == 18 && !memcmp(other->average.name, "psa_call stateless", 18));
    events_fini(&events);
}

Test(tfm, impossible_options_give_an_error)
{
    static const struct dialect_setting bad[] = {
        {"clock_hz", "fast"}, {"clock_hz", "-5"}, {"counter", "sideways"}};
    const struct dialect *dialect = dialect_find("tfm");
    for (size_t i = 0; i < 3; i++) {
        void *state = calloc(1, dialect->state_size);
        struct error err = {""};
        cr_assert_not(dialect->start(state, &(struct dialect_settings){.settings = &bad[i], .n = 1}, &err));
        cr_assert(strstr(err.text, bad[i].key) && strstr(err.text, bad[i].value), "%s", err.text);
        free(state);
    }
}

/* Uses everything that the document allows: any topic, checkpoint and calibration, and a counter that runs up or down
 * and wraps. */
Test(tfm, undamaged_databases_are_never_damage)
{
    struct test_random random = test_random_start("undamaged databases");
    for (int seed = 0; seed < 500; seed++) {
        struct stream stream = {0};
        uint32_t length = 1 + test_random_below(&random, 40), count = test_random_below(&random, UINT32_MAX);
        uint32_t topics = 1 + test_random_below(&random, 3), first = test_random_below(&random, 253);
        uint32_t checkpoints = 1u << (1 + test_random_below(&random, 10)),
                 base = test_random_below(&random, 64000);
        uint32_t step = 1u << (4 + test_random_below(&random, 16));
        bool is_down = test_random_below(&random, 2);
        for (uint32_t i = 0; i < length; i++) {
            count += (is_down ? UINT32_MAX : 1) * (1 + test_random_below(&random, step));
            write_pair(&stream, first + test_random_below(&random, topics),
                       base + test_random_below(&random, checkpoints), test_random_below(&random, 2) ? 3 : 0,
                       count);
        }
        struct talk talk = talk_open(NULL, 0);
        talk_hear(&talk, stream.bytes, stream.n);
        talk_end(&talk);
        const struct dialect_health *health = talk.dialect->health(talk.state);
        cr_expect_eq(health->records, length, "seed %d", seed);
        cr_expect(!health->malformed && !health->framing_errors && !health->bytes_skipped, "seed %d", seed);
        talk_close(&talk);
        stream_fini(&stream);
    }
}
