/* test_syst_stp.c - STP as hardware sends it and MIPI's simulator does not. (test_property_syst.c tests all of STP at
 * random.) */
#include "syst_talk.h"

#include "dialect/syst/collateral.h"

static void put_sender(struct syst_nibbles *nibbles, uint16_t master, uint16_t channel)
{
    syst_nibble_code(nibbles, 0xF1);
    syst_nibble_value(nibbles, master, 4);
    syst_nibble_code(nibbles, 0xF3);
    syst_nibble_value(nibbles, channel, 4);
}

/* Writes the message's first packet, or one of four bytes, with a stamp of two nibbles. */
static void put_four(struct syst_nibbles *nibbles, const uint8_t *message, size_t at, uint64_t time)
{
    syst_nibble_code(nibbles, at ? 0x6 : 0xF6);
    syst_nibble_value(nibbles, syst_load(message + at, 4), 8);
    if (at)
        return;
    syst_nibble(nibbles, 2);
    syst_nibble_value(nibbles, time, 2);
}

static struct stream said(const char *text, bool open)
{
    struct stream message = {0};
    syst_say(&message, &(struct syst_say){.type = 2,
                                          .subtype = 1,
                                          .origin = 3,
                                          .unit = 1,
                                          .open = open,
                                          .payload = text,
                                          .n = strlen(text)});
    return message;
}

Test(syst_stp, messages_of_channels_that_take_turns_stay_apart_in_either_order)
{
    for (int most_first = 0; most_first < 2; most_first++) {
        struct stream stp = {0}, one = said("ten chars.", false), two = said("other text", false);
        struct syst_nibbles nibbles = {&stp, false, most_first};
        struct talk talk = talk_open("auto");
        syst_stp_begin(&nibbles, 1000);
        for (size_t at = 0; at < one.n; at += 4) {
            put_sender(&nibbles, 128, 0x102);
            put_four(&nibbles, one.bytes, at, 0x10);
            syst_nibble_code(&nibbles, 0x3); /* C8 keeps the upper byte */
            syst_nibble_value(&nibbles, 0x03, 2);
            put_four(&nibbles, two.bytes, at, 0x20);
        }
        syst_nibble_code(&nibbles, 0xFE);
        put_sender(&nibbles, 128, 0x102);
        syst_nibble_code(&nibbles, 0xFE);
        talk_hear(&talk, stp.bytes, stp.n);
        talk_end(&talk);
        cr_assert_eq(talk_count(&talk, EVENT_TEXT), 2);
        cr_assert_eq(talk_count(&talk, EVENT_LOST), 0);
        for (size_t i = 0, nth = 0; i < talk.events.n; i++) {
            const struct event *event = &talk.events.event[i];
            if (event->kind != EVENT_TEXT)
                continue;
            bool is_one = event->text.message->channel == 0x102;
            cr_assert(event_says(event, is_one ? "ten chars." : "other text"));
            cr_assert(event->text.message->has_channel && event->text.message->master == 128);
            cr_assert_eq(event->ticks, is_one ? 0x10 : 0x20);
            cr_assert(is_one || event->text.message->channel == 0x103);
            cr_assert(nth++ == 0 || event->context != talk_last(&talk, EVENT_TEXT)->context ||
                      event == talk_last(&talk, EVENT_TEXT));
        }
        stream_fini(&stp);
        stream_fini(&one);
        stream_fini(&two);
        talk_close(&talk);
    }
}

Test(syst_stp, a_message_within_which_the_target_reports_an_error_is_believed_by_its_length_only)
{
    for (int open = 0; open < 2; open++) {
        struct stream stp = {0}, message = said(open ? "ten chars.12" : "ten chars.", open);
        struct syst_nibbles nibbles = {&stp, false, true};
        struct talk talk = talk_open("stp");
        syst_stp_begin(&nibbles, 1000);
        for (size_t at = 0; at < message.n; at += 4) {
            put_sender(&nibbles, 128, 7);
            put_four(&nibbles, message.bytes, at, 0x10);
            if (at == 4) {
                syst_nibble_code(&nibbles, 0x2); /* MERR */
                syst_nibble_value(&nibbles, 1, 2);
            }
        }
        syst_nibble_code(&nibbles, 0xFE);
        talk_hear(&talk, stp.bytes, stp.n);
        talk_end(&talk);
        cr_assert_eq(talk_count(&talk, EVENT_LOST), 1, "what the target reports");
        cr_assert_eq(talk_count(&talk, EVENT_TEXT), !open);
        cr_assert_eq(talk.dialect->health(talk.state)->framing_errors, 0);
        stream_fini(&stp);
        stream_fini(&message);
        talk_close(&talk);
    }
}

Test(syst_stp, more_channels_than_are_kept_apart_are_losses_and_no_damage)
{
    struct stream stp = {0}, message = said("ten chars.", false);
    struct syst_nibbles nibbles = {&stp, false, true};
    struct talk talk = talk_open("stp");
    syst_stp_begin(&nibbles, 1000);
    for (size_t at = 0; at < message.n; at += 4)
        for (uint16_t channel = 0; channel < 70; channel++) {
            put_sender(&nibbles, 128, channel);
            put_four(&nibbles, message.bytes, at, 0x10);
            if (at + 4 >= message.n)
                syst_nibble_code(&nibbles, 0xFE);
        }
    talk_hear(&talk, stp.bytes, stp.n);
    talk_end(&talk);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 64);
    cr_assert_eq(talk_count(&talk, EVENT_LOST), 6);
    cr_assert_eq(talk.dialect->health(talk.state)->framing_errors, 0);
    stream_fini(&stp);
    stream_fini(&message);
    talk_close(&talk);
}

Test(syst_stp, a_wrong_byte_order_is_detected_again)
{
    struct stream stp = {0};
    struct talk talk = talk_open("stp");
    for (int turn = 0; turn < 2; turn++) {
        struct syst_nibbles nibbles = {&stp, false, turn == 1};
        for (int i = 0; i < 120; i++) {
            struct stream message = said(turn ? "and now so" : "first thus", false);
            if (i % 20 == 0)
                syst_stp_begin(&nibbles, 1000);
            syst_stp_message(&nibbles, message.bytes, message.n, (uint64_t)i);
            stream_fini(&message);
        }
    }
    talk_hear(&talk, stp.bytes, stp.n);
    talk_end(&talk);
    size_t n = 0;
    for (size_t i = 0; i < talk.events.n; i++)
        n += talk.events.event[i].kind == EVENT_TEXT && event_says(&talk.events.event[i], "and now so");
    cr_assert_gt(n, 35, "%zu", n);
    stream_fini(&stp);
    talk_close(&talk);
}

Test(syst_stp, senders_without_number_find_their_collateral)
{
    enum { SENDERS = 5000 };
    static const struct syst_guid any;
    struct syst_collateral *collateral = syst_collateral_new();
    struct syst_client *client = syst_collateral_add(collateral, "all of them", "all.xml");
    char format[] = "value %d";
    cr_assert(syst_client_add_guid(client, &any, &any));
    cr_assert(syst_client_add(client, SYST_TABLE_CATALOG32,
                              &(struct syst_entry){.id = 7, .mask = UINT64_MAX, .text = format, .n = 8}));
    syst_collateral_settle(collateral);
    struct talk talk = talk_open_with(&(struct dialect_settings){.companion = collateral});
    for (uint32_t i = 0; i < SENDERS; i++) {
        uint8_t guid[16] = {(uint8_t)(i >> 8), (uint8_t)i, 0, 0, 0, 0, 0, 0, 0x80};
        static const uint8_t payload[] = {7, 0, 0, 0, 42, 0, 0, 0};
        talk_say(&talk,
                 &(struct syst_say){.type = 3, .subtype = 1, .guid = guid, .payload = payload, .n = 8});
        EXPECT_TEXT(&talk, "value 42");
        EXPECT_WORD(&talk, origin, "all of them");
        events_fini(&talk.events);
    }
    talk_close(&talk);
    syst_collateral_free(collateral);
}

/* Writes a packet of four bytes that is no message, on a separate channel. */
static void put_foreign(struct syst_nibbles *nibbles, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), 0xFF};
    put_sender(nibbles, 64, 7);
    put_four(nibbles, bytes, 0, 0x10);
    syst_nibble_code(nibbles, 0xFE);
}

Test(syst_stp, only_damage_in_message_channels_counts)
{
    struct stream stp = {0}, one = said("ten chars.", false);
    struct syst_nibbles nibbles = {&stp, false, 0};
    struct talk talk = talk_open("stp");
    syst_stp_begin(&nibbles, 1000);
    for (uint32_t i = 0; i < 20; i++) {
        put_foreign(&nibbles, 0x00FFFFFF - (i << 8));
        put_sender(&nibbles, 128, 0x102);
        /* The second message is truncated. */
        for (size_t at = 0; at < (i == 1 ? 4 : one.n); at += 4)
            put_four(&nibbles, one.bytes, at, 0x10);
        syst_nibble_code(&nibbles, 0xFE);
    }
    talk_hear(&talk, stp.bytes, stp.n);
    talk_end(&talk);
    const struct dialect_health *health = talk.dialect->health(talk.state);
    cr_assert_eq(health->records, 19);
    cr_assert_eq(health->malformed, 1, "%lu", (unsigned long)health->malformed);
    cr_assert_eq(talk_count(&talk, EVENT_LOST), 1);
    talk_close(&talk);
    stream_fini(&stp);
    stream_fini(&one);
}
