/* test_bytes.c - messages byte by byte, as the specification lays them out: header, GUID, location, length,
 * time stamp, payload, checksum. */
#include "said.h"

#include "mpt_syst_ring.h"

static const struct mpt_syst_origin plain = {.module = 1, .unit = 2};
static const struct mpt_syst_origin guided = {
    .guid = {0x49, 0x4E, 0x54, 0x43, 0x00, 0x00, 0x40, 0x14, 0xA6, 0x5A, 0x2F, 0x36, 0xA3, 0x6D, 0x96, 0xE4},
    .has_guid = true,
    .unit = 0x7AB};

static struct mpt_syst_origin with(uint8_t what)
{
    struct mpt_syst_origin origin = plain;

    origin.with = what;
    return origin;
}

Test(bytes, builds)
{
    board_start();
    mpt_syst_build(&plain, MPT_SYST_MAX, UINT64_C(0x1122334455667788), "some text");
    EXPECT_SAID("0022010212008877665544332211736F6D65207465787400");
    mpt_syst_build(&plain, MPT_SYST_MAX, UINT64_C(0x1122334455667788), NULL);
    EXPECT_SAID("0022010208008877665544332211");
    mpt_syst_build32(0x3FFFFF);
    EXPECT_SAID("F0FFFFC0");
    mpt_syst_build64(UINT64_C(0x3FFFFFFFFFFFFF));
    EXPECT_SAID("F0FFFFC1FFFFFFFF");
    mpt_syst_build64(0);
    EXPECT_SAID("0000000100000000");
}

Test(bytes, short_messages)
{
    board_start();
    mpt_syst_short32(0x0ABCDEF1);
    EXPECT_SAID("11EFCDAB");
    mpt_syst_short64(UINT64_C(0x0123456789ABCDE));
    EXPECT_SAID("E7CDAB8967452301");
}

Test(bytes, text)
{
    board_start();
    mpt_syst_text(&plain, MPT_SYST_INFO, "hello", 5);
    EXPECT_SAID("422201010500"
                "68656C6C6F");
    mpt_syst_text(&plain, MPT_SYST_DEBUG, "", 0);
    EXPECT_SAID("722201010000");
    mpt_syst_string(&plain, MPT_SYST_DEBUG, "hi");
    EXPECT_SAID("722201010300"
                "686900");
    mpt_syst_string(&plain, MPT_SYST_ERROR, NULL);
    EXPECT_SAID("222201050700"
                "286E756C6C2900");
    mpt_syst_enter(&plain, MPT_SYST_INFO, "main");
    EXPECT_SAID("422201020500"
                "6D61696E00");
    mpt_syst_exit(&plain, MPT_SYST_INFO, "main");
    EXPECT_SAID("422201030500"
                "6D61696E00");
    mpt_syst_assert(&plain, MPT_SYST_FATAL, "a>0");
    EXPECT_SAID("122201070400"
                "613E3000");
}

Test(bytes, origins)
{
    static const struct mpt_syst_origin most = {.module = 0xFF, .unit = 0xFFFF};

    board_start();
    mpt_syst_text(&most, MPT_SYST_INFO, "x", 1);
    EXPECT_SAID("42F27F010100"
                "78");
    mpt_syst_text(&guided, MPT_SYST_INFO, "x", 1);
    EXPECT_SAID("42B2FA01"
                "494E5443000040"
                "14A65A2F36A36D96E4"
                "0100"
                "78");
}

Test(bytes, each_field_by_itself_and_all_of_them)
{
    struct mpt_syst_origin origin = with(MPT_SYST_NO_LENGTH);

    board_start();
    mpt_syst_text(&origin, MPT_SYST_INFO, "ab", 2);
    EXPECT_SAID("42200101"
                "6162");
    origin = with(MPT_SYST_PLACED);
    origin.file = 0xAABB;
    origin.line = 0x1234;
    mpt_syst_text(&origin, MPT_SYST_INFO, "ab", 2);
    EXPECT_SAID("42230101"
                "00BBAA3412"
                "0200"
                "6162");
    origin.line = 0x12345;
    mpt_syst_text(&origin, MPT_SYST_INFO, "ab", 2);
    EXPECT_SAID("42230101"
                "01BBAA000045230100"
                "0200"
                "6162");
    origin = with(MPT_SYST_CHECKED);
    mpt_syst_raw(&origin, MPT_SYST_MAX, 5, "123456789", 9);
    struct stream said = {0};
    said_take(&said, 100);
    cr_assert_eq(said.n, 4 + 2 + 9 + 4);
    static const uint8_t start[] = {0x06, 0x26, 0x01, 0x05, 9, 0};
    cr_assert_arr_eq(said.bytes, start, sizeof start);
    stream_fini(&said);
}

Test(bytes, the_checksum_is_crc_32c)
{
    /* By hand: of "123456789" it is E3069283. Here it is over the header, too, so that one is
     * undone first. */
    struct mpt_syst_writer writer = {.crc = 0xFFFFFFFF, .left = 9, .has_checksum = true};

    board_start();
    mpt_syst_put(&writer, "123456789", 9);
    cr_assert_eq(~writer.crc, 0xE3069283);
}

Test(bytes, raw_data_has_a_protocol)
{
    static const uint8_t data[] = {0, 0xFF, 0x80};

    board_start();
    mpt_syst_raw(&plain, MPT_SYST_MAX, 0x3F, data, sizeof data);
    EXPECT_SAID("0622013F0300"
                "00FF80");
    mpt_syst_raw(&plain, MPT_SYST_MAX, 0, NULL, 0);
    EXPECT_SAID("062201000000");
}

Test(bytes, time_is_64_bits_of_the_counter)
{
    struct mpt_syst_origin origin = with(MPT_SYST_STAMPED);
    uint64_t wrap = UINT64_C(1) << MPT_TICK_BITS, last = 0;

    board_start();
    for (int i = 0; i < 5; i++) {
        struct stream said = {0};
        uint64_t stamp = 0;

        mpt_syst_text(&origin, MPT_SYST_INFO, "", 0);
        said_take(&said, 100);
        cr_assert_eq(said.n, 4 + 2 + 8);
        for (int k = 7; k >= 0; k--)
            stamp = stamp << 8 | said.bytes[6 + k];
        if (i > 0)
            cr_assert_eq(stamp - last, i % 2 ? wrap - 3 : 2 * (wrap - 3));
        last = stamp;
        board.ticks += wrap - 3;
        if (i % 2) {
            mpt_syst_keep_time();
            board.ticks += wrap - 3;
        }
        stream_fini(&said);
    }
}

Test(bytes, the_clock_says_time_and_rate)
{
    struct mpt_syst_origin origin = with(MPT_SYST_STAMPED);
    struct stream said = {0};

    board_start();
    mpt_syst_clock(&origin, MPT_SYST_MAX);
    said_take(&said, 100);
    cr_assert_eq(said.n, 4 + 2 + 8 + 16);
    cr_assert_arr_eq(said.bytes, "\x08\x2A\x01\x01\x10\x00", 6);
    cr_assert_arr_eq(said.bytes + 6, said.bytes + 14, 8);
    cr_assert_arr_eq(said.bytes + 22, "\x40\x42\x0F\0\0\0\0\0", 8);
    stream_fini(&said);
}

Test(bytes, printf_packs_arguments_without_padding)
{
    board_start();
    mpt_syst_printf(&plain, MPT_SYST_INFO, "%d", 5);
    EXPECT_SAID("4222010C0700"
                "256400"
                "05000000");
    mpt_syst_printf(&plain, MPT_SYST_INFO, "%s%c%%", "ab", 'c');
    EXPECT_SAID("4222010C0E00"
                "25732563252500"
                "616200"
                "63000000");
    mpt_syst_printf(&plain, MPT_SYST_INFO, "%*.*f", 5, 2, 1.0);
    EXPECT_SAID("4222010C1600"
                "252A2E2A6600"
                "05000000"
                "02000000"
                "000000000000F03F");
    mpt_syst_printf(&plain, MPT_SYST_INFO, "%hhd%ld%zu", 1, 2L, (size_t)3);
    EXPECT_SAID("4222010C1F00"
                "2568686425"
                "6C64257A7500"
                "01000000"
                "0200000000000000"
                "0300000000000000");
}

static void say_bad(const char *format, ...)
{
    va_list list;

    va_start(list, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    mpt_syst_vprintf(&plain, MPT_SYST_INFO, format, list);
#pragma GCC diagnostic pop
    va_end(list);
}

Test(bytes, unknown_formats_are_sent_as_such)
{
    board_start();
    say_bad("%y");
    EXPECT_SAID("422201050300"
                "257900");
    say_bad("0123456789012345678901234567890123456789%");
    EXPECT_SAID("422201052000"
                "3031323334353637383930313233343536373839303132333435363738393031");
    say_bad(NULL);
    EXPECT_SAID("422201050700"
                "286E756C6C2900");
    say_bad("%ls", L"wide");
    EXPECT_SAID("422201050400"
                "256C7300");
}

Test(bytes, catalog_messages_are_a_number_and_arguments)
{
    board_start();
    mpt_syst_catalog32(&plain, MPT_SYST_WARNING, 0xCAFEBABE, 0);
    EXPECT_SAID("332201050400"
                "BEBAFECA");
    mpt_syst_catalog32(&plain, MPT_SYST_WARNING, 0xCAFEBABE, MPT_SYST_SIGNATURE(1, 2LL, "x", 1.0f, (void *)7),
                       1, 2LL, "x", 1.0f, (void *)7);
    EXPECT_SAID("332201052200"
                "BEBAFECA"
                "01000000"
                "0200000000000000"
                "7800"
                "000000000000F03F"
                "0700000000000000");
    mpt_syst_catalog64(&plain, MPT_SYST_WARNING, UINT64_C(0x1122334455667788),
                       MPT_SYST_SIGNATURE((char)1, 2UL), (char)1, 2UL);
    EXPECT_SAID("332201061400"
                "8877665544332211"
                "01000000"
                "0200000000000000");
}

Test(bytes, lines_are_upper_case_hex_with_the_printers_mark)
{
    struct stream said = {0};

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    mpt_syst_enter(&plain, MPT_SYST_INFO, "main");
    mpt_syst_short32(0xABCDEF);
    said_take(&said, 5);
    stream_byte(&said, 0);
    cr_assert_str_eq((char *)said.bytes,
                     "SYS-T RAW DATA: 4222010205006D61696E00\r\nSYS-T RAW DATA: F1DEBC0A\r\n");
    stream_fini(&said);
}

Test(bytes, an_stp_stream_begins_with_its_marks)
{
    struct stream said = {0};
    static const uint8_t marks[] = {
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, /* ASYNC */
        0x0F, 0x30,                                                       /* VERSION 3 */
        0x0F, 0x08,                                                       /* FREQ */
    };
    /* 1 MHz, up to its last nibble; the header, and how long the stamp is */
    static const uint8_t least_first[] = {0x24, 0xF4, 0x00}, most_first[] = {0x00, 0x4F, 0x42};
    bool is_most_first = MPT_SYST_STP_ORDER == MPT_SYST_STP_MOST_FIRST;

    board_start();
    mpt_syst_frame(MPT_SYST_AS_STP);
    mpt_syst_text(&plain, MPT_SYST_INFO, "abcdefghijk", 11);
    said_take(&said, 7);
    cr_assert_arr_eq(said.bytes, marks, sizeof marks);
    cr_assert_arr_eq(said.bytes + sizeof marks, is_most_first ? most_first : least_first, 3);
    cr_assert_eq(said.bytes[25], 0x6F, "the first packet of a message begins at a byte");
    cr_assert_eq(said.bytes[is_most_first ? 29 : 26], is_most_first ? 0x24 : 0x42);
    cr_assert_eq(said.bytes[30] & 0xF, 0xE);
    stream_fini(&said);
}
