/* test_ring.c - messages wait whole: in their order, whatever interrupts what, and with what is lost counted
 * and reported. */
#include "said.h"

#include "mpt_syst_ring.h"
#include "syst_talk.h"

static const struct mpt_syst_origin origin = {.module = 9, .with = MPT_SYST_CHECKED};

static struct talk hear_all(struct stream *line)
{
    struct talk talk = talk_open("hex");

    said_take(line, 200);
    talk_hear(&talk, line->bytes, line->n);
    talk_end(&talk);
    return talk;
}

static const struct event *text_at(const struct talk *talk, size_t nth)
{
    for (size_t i = 0; i < talk->events.n; i++)
        if (talk->events.event[i].kind == EVENT_TEXT && nth-- == 0)
            return &talk->events.event[i];
    cr_assert_fail("no such message");
    return NULL;
}

Test(ring, a_full_ring_drops_and_counts_the_newest_message)
{
    struct stream line = {0};
    uint32_t before = mpt_syst_lost(), fit = 0;

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    for (uint32_t i = 0; i < 100; i++) {
        mpt_syst_printf(&origin, MPT_SYST_INFO, "number %u of a hundred", i);
        fit += mpt_syst_lost() == before;
    }
    uint32_t lost = mpt_syst_lost() - before;
    cr_assert_eq(lost + fit, 100);
    cr_assert_gt(fit, 10);
    struct talk talk = hear_all(&line);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), fit + 1);
    for (uint32_t i = 0; i <= fit; i++) {
        char expected[60];
        const struct event *event = text_at(&talk, i);
        snprintf(expected, sizeof expected, i < fit ? "number %u of a hundred" : "%u messages lost",
                 i < fit ? i : lost);
        cr_assert(event_says(event, expected), "%.*s", (int)event->text.n, event->text.text);
        cr_assert_str_eq(event->text.message->status, "OK");
        cr_assert_eq(event->text.severity, i < fit ? SEVERITY_INFO : SEVERITY_WARNING);
    }
    stream_fini(&line);
    talk_close(&talk);
}

Test(ring, a_loss_is_reported_in_its_place_once)
{
    struct stream line = {0};
    uint8_t some[256];
    static char big[900];
    uint32_t before = mpt_syst_lost();

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    memset(big, 'b', sizeof big - 1);
    mpt_syst_string(&origin, MPT_SYST_INFO, big);
    for (int i = 0; i < 3; i++)
        mpt_syst_string(&origin, MPT_SYST_INFO, big);
    cr_assert_eq(mpt_syst_lost() - before, 3);
    for (size_t n; (n = mpt_syst_take(some, sizeof some)) > 0 && mpt_syst_oldest();) /* until it has gone */
        stream_bytes(&line, some, n);
    line.n = 0;
    while (mpt_syst_take(some, 1) > 0) /* with the loss reported behind it */
        ;
    mpt_syst_string(&origin, MPT_SYST_INFO, "after");
    struct talk talk = hear_all(&line);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 1, "it was reported before");
    EXPECT_TEXT(&talk, "after");
    stream_fini(&line);
    talk_close(&talk);
}

Test(ring, a_loss_is_reported_before_the_next_message)
{
    struct stream line = {0};
    static char big[960];

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    memset(big, 'b', sizeof big - 1);
    mpt_syst_text(&origin, MPT_SYST_INFO, big, 800);
    mpt_syst_text(&origin, MPT_SYST_INFO, big, 500);
    mpt_syst_string(&origin, MPT_SYST_INFO, "next");
    struct talk talk = hear_all(&line);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 3);
    cr_assert(event_says(text_at(&talk, 1), "1 messages lost"));
    cr_assert(event_says(text_at(&talk, 2), "next"));
    stream_fini(&line);
    talk_close(&talk);
}

Test(ring, a_message_longer_than_the_ring_is_a_loss)
{
    static char huge[70000];
    struct stream line = {0};
    uint32_t before = mpt_syst_lost();

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    memset(huge, 'h', sizeof huge - 1);
    mpt_syst_string(&origin, MPT_SYST_INFO, huge);
    mpt_syst_text(&origin, MPT_SYST_INFO, huge, 33000);
    cr_assert_eq(mpt_syst_lost() - before, 2);
    struct talk talk = hear_all(&line);
    EXPECT_TEXT(&talk, "2 messages lost");
    stream_fini(&line);
    talk_close(&talk);
}

static uint32_t interrupts;

static void say_in_interrupt(void)
{
    mpt_syst_printf(&origin, MPT_SYST_DEBUG, "interrupt %u", interrupts++);
}

Test(ring, interrupts_anywhere_break_no_message)
{
    struct stream line = {0};
    enum { ROUNDS = 200 };

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    interrupts = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        board.interrupt = say_in_interrupt;
        mpt_syst_printf(&origin, MPT_SYST_INFO, "main %u", i);
        board.interrupt = NULL;
        said_take(&line, 300);
    }
    struct talk talk = hear_all(&line);
    cr_assert_eq(interrupts, 2 * ROUNDS);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 3 * ROUNDS);
    for (uint32_t i = 0, in_main = 0, in_interrupt = 0; i < 3 * ROUNDS; i++) {
        const struct event *event = text_at(&talk, i);
        char expected[40];
        bool is_main = event->text.n && event->text.text[0] == 'm';
        snprintf(expected, sizeof expected, is_main ? "main %u" : "interrupt %u",
                 is_main ? in_main++ : in_interrupt++);
        cr_assert(event_says(event, expected), "%.*s is not %s", (int)event->text.n, event->text.text,
                  expected);
    }
    stream_fini(&line);
    talk_close(&talk);
}

Test(ring, a_message_of_an_interrupt_follows_the_interrupted_one)
{
    struct mpt_syst_writer writer;
    struct stream line = {0};
    uint8_t byte;

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    cr_assert(mpt_syst_begin(&writer, &origin, MPT_SYST_STRING_GENERIC, MPT_SYST_INFO, 11, NULL));
    mpt_syst_put(&writer, "inter", 5);
    mpt_syst_string(&origin, MPT_SYST_INFO, "the interrupt's");
    cr_assert_eq(mpt_syst_take(&byte, 1), 0, "not before the one that was begun first");
    mpt_syst_put(&writer, "rupted and more", 15);
    cr_assert_eq(mpt_syst_take(&byte, 1), 0);
    mpt_syst_end(&writer);
    struct talk talk = hear_all(&line);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 2);
    cr_assert(event_says(text_at(&talk, 0), "interrupted"), "no more than it has room for");
    cr_assert(event_says(text_at(&talk, 1), "the interrupt's"));
    cr_assert_str_eq(text_at(&talk, 0)->text.message->status, "OK");
    stream_fini(&line);
    talk_close(&talk);
}

Test(ring, a_string_that_shrank_is_padded_with_zeros)
{
    struct mpt_syst_writer writer;
    struct stream line = {0};

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    cr_assert(mpt_syst_begin(&writer, &origin, MPT_SYST_STRING_GENERIC, MPT_SYST_INFO, 8, NULL));
    mpt_syst_put(&writer, "abc", 3);
    mpt_syst_end(&writer);
    struct talk talk = hear_all(&line);
    EXPECT_TEXT(&talk, "abc");
    EXPECT_WORD(&talk, status, "OK");
    stream_fini(&line);
    talk_close(&talk);
}
