/* test_frame_reader.c - finding packets, case by case: variants, false lengths, payloads that look like packets.
 * Properties under random damage are in test_frame_damage.c. */
#include "protocol/frame_reader.h"
#include "protocol/crc16.h"

#include <criterion/criterion.h>

#include "frames.h"

static const struct mp_record two_records[] = {{0x08000100, 1000, 2000, 0}, {0x08000220, 500, 300, 1}};

/* Writes the packet with its header bytes swapped or another initial value of the checksum. */
static void as_variant(struct stream *stream, bool turned, uint16_t start)
{
    uint8_t *p = stream->bytes;
    p[0] = turned ? 0x55 : 0xAA;
    p[1] = turned ? 0xAA : 0x55;
    uint16_t crc = mp_crc16(start, p, stream->n - 3);
    p[stream->n - 3] = (uint8_t)crc;
    p[stream->n - 2] = (uint8_t)(crc >> 8);
}

/* Packets and their checksums, low byte first: of the variants AA 55 from 0xFFFF and 55 AA from 0x0000, and
 * of the other two. Computed by another program. */
static const struct {
    uint8_t type;
    uint8_t payload[31];
    size_t n;
    uint8_t crc[2][2];
} vectors[] = {
    {MP_ACK, {0}, 0, {{0x88, 0x83}, {0x84, 0x92}}},
    {MP_NACK, {0}, 0, {{0xD8, 0xDA}, {0xD4, 0xCB}}},
    {MP_METADATA,
     {0, 0x7A, 3, 0x0A, 0x40, 0x42, 0x0F, 0, 0xEF, 0xBE, 0xAD, 0xDE, 'v', '1', '.', '0', '.', '0'},
     28,
     {{0xE0, 0xA9}, {0xDE, 0x1A}}},
    {MP_METADATA,
     {0, 9, 0xFB, 0x0A, 0x40, 0x42, 0x0F, 0, 0xEF, 0xBE, 0xAD, 0xDE, 'v', '1', '.', '0', '.', '0'},
     28,
     {{0x15, 0x48}, {0x2B, 0xFB}}},
    {MP_STATUS, {1, 2, 0, 0, 0, 0xD2, 4, 0, 0, 57}, 10, {{0xF2, 0x29}, {0x31, 0x67}}},
    {MP_PROFILE_DATA,
     {1, 2,    0, 0, 1, 0,    8, 0xE8, 3, 0,    0, 0xD0, 7, 0, 0, 0,
      0, 0x20, 2, 0, 8, 0xF4, 1, 0,    0, 0x2C, 1, 0,    0, 1, 0},
     31,
     {{0xDB, 0x43}, {0xEE, 0xC2}}},
};

Test(frame_reader, all_four_variants_are_read_and_distinguished)
{
    static const struct {
        uint8_t header[2];
        int crc;
        enum mp_frame_variant variant;
    } cases[] = {
        {{0xAA, 0x55}, 0, MP_VARIANT_AA55_FFFF},
        {{0xAA, 0x55}, 1, MP_VARIANT_AA55_0000},
        {{0x55, 0xAA}, 1, MP_VARIANT_55AA_FFFF},
        {{0x55, 0xAA}, 0, MP_VARIANT_55AA_0000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
            struct stream stream = {0};
            stream_bytes(&stream, cases[i].header, 2);
            stream_bytes(&stream, (uint8_t[]){vectors[v].type, (uint8_t)vectors[v].n, 0}, 3);
            stream_bytes(&stream, vectors[v].payload, vectors[v].n);
            stream_bytes(&stream, vectors[v].crc[cases[i].crc], 2);
            stream_byte(&stream, 0x0A);
            struct ear ear = ear_open(64);
            ear_hear(&ear, stream.bytes, stream.n);
            cr_assert_eq(ear.frames.n, 1, "variant %d, vector %zu", (int)cases[i].variant, v);
            cr_assert_eq(ear.reader.variant, cases[i].variant);
            cr_assert_eq(ear.reader.counters.crc_errors, 0);
            ear_close(&ear);
            stream_fini(&stream);
        }
}

Test(frame_reader, a_packet_in_another_variant_than_the_first_is_still_read)
{
    struct stream first = {0}, second = {0};
    stream_packet(&first, MP_ACK, NULL, 0);
    stream_packet(&second, MP_NACK, NULL, 0);
    as_variant(&second, true, 0xFFFF);
    struct ear ear = ear_open(64);
    ear_hear(&ear, first.bytes, first.n);
    ear_hear(&ear, second.bytes, second.n);
    cr_assert_eq(ear.frames.n, 2);
    cr_assert_eq(ear.reader.variant, MP_VARIANT_AA55_FFFF);
    cr_assert_eq(ear.reader.counters.other_variant, 1);
    ear_close(&ear);
    stream_fini(&first);
    stream_fini(&second);
}

Test(frame_reader, a_whole_packet_is_handed_out_where_it_lies)
{
    struct stream stream = {0};
    stream_records(&stream, two_records, 2);
    struct ear ear = ear_open(64);
    struct mp_frame frame;
    mp_frame_reader_feed(&ear.reader, stream.bytes, stream.n);
    cr_assert(mp_frame_reader_next(&ear.reader, &frame));
    cr_assert_eq(frame.body, stream.bytes + 2);
    cr_assert_eq(frame.body_size, 3 + 31);
    cr_assert_eq(frame.payload, stream.bytes + 5);
    cr_assert_eq(frame.length, 31);
    cr_assert_eq(frame.type, MP_PROFILE_DATA);
    cr_assert_not(mp_frame_reader_next(&ear.reader, &frame));
    cr_assert_eq(mp_frame_reader_waiting(&ear.reader), 0);
    ear_close(&ear);
    stream_fini(&stream);
}

Test(frame_reader, packets_after_a_straddling_one_are_not_copied)
{
    struct stream stream = {0};
    stream_packet(&stream, MP_ACK, NULL, 0);
    stream_packet(&stream, MP_NACK, NULL, 0);
    struct ear ear = ear_open(64);
    struct mp_frame frame;
    mp_frame_reader_feed(&ear.reader, stream.bytes, 3);
    cr_assert_not(mp_frame_reader_next(&ear.reader, &frame));
    cr_assert_eq(mp_frame_reader_waiting(&ear.reader), 3);
    mp_frame_reader_feed(&ear.reader, stream.bytes + 3, stream.n - 3);
    cr_assert(mp_frame_reader_next(&ear.reader, &frame));
    cr_assert_eq(frame.type, MP_ACK);
    cr_assert(mp_frame_reader_next(&ear.reader, &frame));
    cr_assert_eq(frame.body, stream.bytes + 8 + 2);
    ear_close(&ear);
    stream_fini(&stream);
}

/* ---- lengths that lie ---- */

Test(frame_reader, a_length_that_cannot_be_costs_nothing)
{
    static const uint8_t lies[][5] = {
        {0xAA, 0x55, 5, 0xFF, 0xFF}, {0xAA, 0x55, 1, 1, 0},    {0xAA, 0x55, 3, 27, 0},
        {0xAA, 0x55, 4, 11, 0},      {0xAA, 0x55, 5, 0, 0},    {0xAA, 0x55, 0x33, 0, 0x80},
        {0x55, 0xAA, 2, 0, 1},       {0xAA, 0x55, 0x40, 0, 0},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct stream stream = {0};
        stream_bytes(&stream, lies[i], 5);
        stream_packet(&stream, MP_ACK, NULL, 0);
        struct ear ear = ear_open(16384);
        for (size_t at = 0; at < stream.n; at++)
            ear_hear(&ear, stream.bytes + at, 1);
        cr_assert_eq(ear.frames.n, 1, "lie %zu", i);
        cr_assert_eq(ear.reader.counters.framing_errors, 1);
        cr_assert_eq(ear.reader.counters.bytes_skipped, 5);
        ear_close(&ear);
        stream_fini(&stream);
    }
}

Test(frame_reader, a_length_that_could_be_holds_nothing_back_once_two_packets_follow)
{
    for (size_t piece = 1; piece < 90; piece++) {
        struct stream stream = {0};
        stream_bytes(&stream, (uint8_t[]){0xAA, 0x55, 5, 0xB3, 0x36, 1}, 6); /* 3 + 14 * 1000 */
        for (int i = 0; i < 3; i++)
            stream_records(&stream, two_records, 2);
        struct ear ear = ear_open(16384);
        ear_hear_in_pieces(&ear, stream.bytes, stream.n, piece);
        cr_assert_eq(ear.frames.n, 3, "pieces of %zu: %zu", piece, ear.frames.n);
        cr_assert_eq(ear.reader.counters.framing_errors, 1);
        ear_close(&ear);
        stream_fini(&stream);
    }
}

Test(frame_reader, twenty_lies_in_a_row_hold_back_no_more_than_one)
{
    struct stream stream = {0};
    for (int i = 0; i < 20; i++)
        stream_bytes(&stream, (uint8_t[]){0xAA, 0x55, 5, 0xB3, 0x36, 1, 7, 7}, 8);
    stream_packet(&stream, MP_ACK, NULL, 0);
    stream_packet(&stream, MP_NACK, NULL, 0);
    for (size_t piece = 1; piece < 40; piece++) {
        struct ear ear = ear_open(16384);
        ear_hear_in_pieces(&ear, stream.bytes, stream.n, piece);
        cr_assert_eq(ear.frames.n, 2, "pieces of %zu: %zu", piece, ear.frames.n);
        ear_close(&ear);
    }
    stream_fini(&stream);
}

Test(frame_reader, a_single_packet_inside_a_lie_comes_when_the_line_goes_quiet)
{
    struct stream stream = {0};
    stream_bytes(&stream, (uint8_t[]){0xAA, 0x55, 5, 0xB3, 0x36, 1}, 6);
    stream_packet(&stream, MP_ACK, NULL, 0);
    struct ear ear = ear_open(16384);
    ear_hear(&ear, stream.bytes, stream.n);
    cr_assert_eq(ear.frames.n, 0);
    cr_assert_eq(mp_frame_reader_waiting(&ear.reader), stream.n);
    ear_idle(&ear);
    cr_assert_eq(ear.frames.n, 1);
    ear_close(&ear);
    stream_fini(&stream);
}

Test(frame_reader, a_packet_cut_by_a_pause_is_still_waited_for)
{
    struct stream stream = {0};
    stream_records(&stream, two_records, 2);
    struct ear ear = ear_open(16384);
    ear_hear(&ear, stream.bytes, 20);
    ear_idle(&ear);
    ear_idle(&ear);
    ear_hear(&ear, stream.bytes + 20, stream.n - 20);
    cr_assert_eq(ear.frames.n, 1);
    cr_assert_eq(ear.reader.counters.bytes_skipped, 0);
    ear_close(&ear);
    stream_fini(&stream);
}

Test(frame_reader, at_the_end_packets_inside_an_unfinished_one_are_found)
{
    struct stream stream = {0};
    stream_bytes(&stream, (uint8_t[]){0xAA, 0x55, 5, 0xB3, 0x36, 1}, 6);
    stream_packet(&stream, MP_ACK, NULL, 0);
    stream_bytes(&stream, (uint8_t[]){0xAA, 0x55, 3, 28}, 4);
    struct ear ear = ear_open(16384);
    ear_hear(&ear, stream.bytes, stream.n);
    cr_assert_eq(ear.frames.n, 0);
    ear_end(&ear);
    cr_assert_eq(ear.frames.n, 1);
    cr_assert_eq(ear.reader.counters.bytes_skipped, 10);
    ear_hear(&ear, stream.bytes + 6, 8);
    cr_assert_eq(ear.frames.n, 2, "and a new beginning is possible");
    ear_close(&ear);
    stream_fini(&stream);
}

Test(frame_reader, a_doubled_header_loses_only_itself)
{
    struct stream stream = {0};
    stream_bytes(&stream, (uint8_t[]){0xAA, 0x55}, 2);
    stream_packet(&stream, MP_ACK, NULL, 0);
    struct ear ear = ear_open(16384);
    ear_hear_in_pieces(&ear, stream.bytes, stream.n, 1);
    ear_end(&ear);
    cr_assert_eq(ear.frames.n, 1);
    cr_assert_eq(ear.reader.counters.bytes_skipped, 2);
    ear_close(&ear);
    stream_fini(&stream);
}

/* ---- payloads that look like packets ---- */

Test(frame_reader, a_payload_with_a_packet_inside_is_one_packet_however_it_arrives)
{
    /* The second record contains a whole ACK; the third begins like a header. */
    static const uint8_t payload[3 + 3 * 14] = {1,    3,    0,    [17] = 0xAA, 0x55, 1, 0,   0,
                                                0x88, 0x83, 0x0A, [31] = 0xAA, 0x55, 5, 0x1F};
    struct stream stream = {0};
    stream_packet(&stream, MP_PROFILE_DATA, payload, sizeof payload);
    for (size_t piece = 1; piece <= stream.n; piece++) {
        struct ear ear = ear_open(16384);
        ear_hear_in_pieces(&ear, stream.bytes, stream.n, piece);
        cr_assert_eq(ear.frames.n, 1, "pieces of %zu", piece);
        cr_assert_eq(ear.frames.frame[0].type, MP_PROFILE_DATA);
        cr_assert_eq(ear.reader.counters.bytes_skipped, 0);
        ear_close(&ear);
    }
    stream_fini(&stream);
}

Test(frame_reader, a_payload_with_two_packets_in_a_row_is_one_packet_when_it_arrives_whole)
{
    struct stream inner = {0}, stream = {0};
    stream_packet(&inner, MP_ACK, NULL, 0);
    stream_packet(&inner, MP_ACK, NULL, 0);
    stream_packet(&stream, 0x50, inner.bytes, inner.n);
    struct ear ear = ear_open(16384);
    ear_hear(&ear, stream.bytes, stream.n);
    cr_assert_eq(ear.frames.n, 1);
    cr_assert_eq(ear.frames.frame[0].type, 0x50);
    ear_close(&ear);
    stream_fini(&inner);
    stream_fini(&stream);
}

/* ---- what is counted ---- */

Test(frame_reader, errors_are_counted_by_kind_and_the_next_packet_is_kept)
{
    static const struct {
        size_t at;
        uint64_t crc_errors, framing_errors;
    } cases[] = {
        {10, 1, 0}, /* payload */
        {36, 1, 0}, /* checksum */
        {38, 0, 1}, /* end: wrong although the checksum is right */
        {0, 0, 0},  /* header: no packet is recognised */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stream stream = {0};
        stream_records(&stream, two_records, 2);
        stream.bytes[cases[i].at] ^= 0x80;
        stream_packet(&stream, MP_ACK, NULL, 0);
        struct ear ear = ear_open(16384);
        ear_hear(&ear, stream.bytes, stream.n);
        cr_assert_eq(ear.frames.n, 1);
        cr_assert_eq(ear.reader.counters.crc_errors, cases[i].crc_errors, "case %zu", i);
        cr_assert_eq(ear.reader.counters.framing_errors, cases[i].framing_errors, "case %zu", i);
        cr_assert_eq(ear.reader.counters.bytes_skipped, 39);
        cr_assert_eq(ear.reader.counters.bytes, 47);
        ear_close(&ear);
        stream_fini(&stream);
    }
}

/* For every cut, with and without a good packet inside a false length. */
Test(frame_reader, a_packet_cut_by_the_end_is_no_error)
{
    struct stream stream = {0};
    stream_records(&stream, two_records, 2);
    size_t whole = stream.n;
    stream_records(&stream, two_records, 2);
    for (size_t n = whole; n < stream.n; n++) {
        struct ear ear = ear_open(16384);
        ear_hear(&ear, stream.bytes, n);
        mp_frame_reader_end(&ear.reader, true);
        ear_drain(&ear);
        cr_assert_eq(ear.frames.n, 1);
        cr_assert_eq(ear.reader.counters.bytes_cut, n - whole);
        cr_assert_eq(ear.reader.counters.bytes_skipped + ear.reader.counters.framing_errors, 0);
        ear_close(&ear);
    }
    stream.bytes[3] = 0xFF; /* the first claims more than there is, and has the second inside */
    stream.bytes[5] = MP_PROFILE_DATA_V2;
    struct ear ear = ear_open(16384);
    ear_hear(&ear, stream.bytes, stream.n);
    mp_frame_reader_end(&ear.reader, true);
    ear_drain(&ear);
    cr_assert_eq(ear.frames.n, 1);
    cr_assert_eq(ear.reader.counters.bytes_cut, 0);
    cr_assert_eq(ear.reader.counters.bytes_skipped, whole);
    cr_assert_eq(ear.reader.counters.framing_errors, 1);
    ear_close(&ear);
    stream_fini(&stream);
}

Test(frame_reader, unknown_types_and_versions_are_handed_out_and_types_counted)
{
    struct stream stream = {0};
    stream_packet(&stream, 0x77, "anything", 8);
    stream_packet(&stream, MP_EXTENSION, (uint8_t[]){MP_EXTENSION_GPROF, 'P'}, 2);
    stream_packet(&stream, MP_PROFILE_DATA, (uint8_t[]){2, 9, 0, 1, 2, 3}, 6);
    stream_packet(&stream, MP_PROFILE_DATA, (uint8_t[]){3}, 1);
    struct ear ear = ear_open(16384);
    ear_hear(&ear, stream.bytes, stream.n);
    cr_assert_eq(ear.frames.n, 4);
    cr_assert_eq(ear.reader.counters.unknown_types, 1);
    cr_assert_eq(ear.reader.counters.framing_errors, 0);
    ear_close(&ear);
    stream_fini(&stream);
}

Test(frame_reader, a_length_of_version_one_must_be_whole_records)
{
    struct stream stream = {0};
    stream_packet(&stream, MP_PROFILE_DATA, (uint8_t[]){1, 1, 0, 1, 2, 3}, 6);
    struct ear ear = ear_open(16384);
    ear_hear(&ear, stream.bytes, stream.n);
    cr_assert_eq(ear.frames.n, 0);
    cr_assert_eq(ear.reader.counters.framing_errors, 1);
    ear_close(&ear);
    stream_fini(&stream);
}

Test(frame_reader, a_payload_at_the_cap_is_read_and_one_byte_more_is_not)
{
    static uint8_t payload[1001];
    for (size_t n = 1000; n <= 1001; n++) {
        struct stream stream = {0};
        stream_packet(&stream, 0x41, payload, n);
        struct ear ear = ear_open(1000);
        ear_hear_in_pieces(&ear, stream.bytes, stream.n, 7);
        cr_assert_eq(ear.frames.n, n == 1000);
        ear_close(&ear);
        stream_fini(&stream);
    }
}

Test(frame_reader, our_own_commands_coming_back_do_no_harm)
{
    struct stream stream = {0};
    for (uint8_t code = MP_START; code <= MP_SET_CONFIG; code++) {
        uint8_t command[MP_COMMAND_SIZE];
        mp_command_encode(&(struct mp_command){code, 2, {0xAA, 0x55}}, command);
        stream_bytes(&stream, command, sizeof command);
        stream_packet(&stream, MP_ACK, NULL, 0);
    }
    for (size_t piece = 1; piece < 30; piece++) {
        struct ear ear = ear_open(16384);
        ear_hear_in_pieces(&ear, stream.bytes, stream.n, piece);
        ear_end(&ear);
        cr_assert_eq(ear.frames.n, 6, "pieces of %zu", piece);
        cr_assert_eq(ear.reader.counters.bytes_skipped, 6 * MP_COMMAND_SIZE);
        ear_close(&ear);
    }
    stream_fini(&stream);
}

Test(frame_reader, wrong_checksum_methods_are_counted_by_kind)
{
    struct stream stream = {0};
    stream_records(&stream, two_records, 2);
    uint16_t crc = mp_crc16(0xFFFF, stream.bytes, stream.n - 3);
    stream.bytes[36] = (uint8_t)(crc >> 8);
    stream.bytes[37] = (uint8_t)crc;
    struct ear ear = ear_open(64);
    ear_hear(&ear, stream.bytes, stream.n);
    cr_assert_eq(ear.frames.n, 0);
    cr_assert_eq(ear.reader.counters.hint_crc_big_endian, 1);
    cr_assert_eq(ear.reader.counters.hint_crc_without_header, 0);

    crc = mp_crc16(0xFFFF, stream.bytes + 2, stream.n - 5);
    stream.bytes[36] = (uint8_t)crc;
    stream.bytes[37] = (uint8_t)(crc >> 8);
    ear_hear(&ear, stream.bytes, stream.n);
    cr_assert_eq(ear.reader.counters.hint_crc_big_endian, 1);
    cr_assert_eq(ear.reader.counters.hint_crc_without_header, 1);
    ear_close(&ear);
    stream_fini(&stream);
}
