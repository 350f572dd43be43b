/* test_frame.c - the writer's packets against bytes computed elsewhere. */
#include "protocol/frame.h"
#include "protocol/packet.h"

#include <criterion/criterion.h>

struct line {
    uint8_t bytes[600];
    size_t n;
};

static void put(void *user, uint8_t byte)
{
    struct line *line = user;
    line->bytes[line->n++] = byte;
}

static void is(const struct line *line, const uint8_t *want, size_t n)
{
    cr_assert_eq(line->n, n);
    cr_assert_arr_eq(line->bytes, want, n);
}

Test(frame, the_examples_of_the_document_are_built)
{
    struct line line = {.n = 0};
    struct mp_frame_writer writer = {.put = put, .user = &line};
    mp_frame_write(&writer, MP_ACK, NULL, 0);
    is(&line, (uint8_t[]){0xAA, 0x55, 1, 0, 0, 0x88, 0x83, 0x0A}, 8);

    line.n = 0;
    mp_frame_write(&writer, MP_NACK, NULL, 0);
    is(&line, (uint8_t[]){0xAA, 0x55, 2, 0, 0, 0xD8, 0xDA, 0x0A}, 8);

    line.n = 0;
    uint8_t metadata[MP_METADATA_SIZE];
    mp_metadata_encode(&(struct mp_metadata){168000000, 1000000, 0xDEADBEEF, "v1.0.0"}, metadata);
    mp_frame_write(&writer, MP_METADATA, metadata, sizeof metadata);
    is(&line, (uint8_t[]){0xAA, 0x55, 3,    28,   0,    0,   0x7A, 3,   0x0A, 0x40, 0x42, 0x0F,
                          0,    0xEF, 0xBE, 0xAD, 0xDE, 'v', '1',  '.', '0',  '.',  '0',  0,
                          0,    0,    0,    0,    0,    0,   0,    0,   0,    0xE0, 0xA9, 0x0A},
       36);

    line.n = 0;
    uint8_t status[MP_STATUS_SIZE];
    mp_status_encode(&(struct mp_status){1, 2, 1234, 57}, status);
    mp_frame_write(&writer, MP_STATUS, status, sizeof status);
    is(&line, (uint8_t[]){0xAA, 0x55, 4, 10, 0, 1, 2, 0, 0, 0, 0xD2, 4, 0, 0, 57, 0xF2, 0x29, 0x0A}, 18);
}

Test(frame, profile_data_streams_out_piece_by_piece)
{
    struct line line = {.n = 0};
    struct mp_frame_writer writer = {.put = put, .user = &line};
    uint8_t head[MP_PROFILE_DATA_HEAD], record[MP_RECORD_SIZE];
    mp_frame_begin(&writer, MP_PROFILE_DATA, MP_PROFILE_DATA_HEAD + 2 * MP_RECORD_SIZE);
    mp_profile_head_encode(&(struct mp_profile_head){MP_PROFILE_DATA_V1, 2}, head);
    mp_frame_put(&writer, head, sizeof head);
    mp_record_encode(&(struct mp_record){0x08000100, 1000, 2000, 0}, record);
    mp_frame_put(&writer, record, sizeof record);
    mp_record_encode(&(struct mp_record){0x08000220, 500, 300, 1}, record);
    mp_frame_put(&writer, record, sizeof record);
    mp_frame_end(&writer);
    is(&line,
       (uint8_t[]){0xAA, 0x55, 5,    0x1F, 0, 1, 2,    0, 0, 1, 0,    8, 0xE8, 3, 0, 0, 0xD0, 7,    0,   0,
                   0,    0,    0x20, 2,    0, 8, 0xF4, 1, 0, 0, 0x2C, 1, 0,    0, 1, 0, 0xDB, 0x43, 0x0A},
       39);
}

Test(frame, a_packet_that_is_built_in_place_is_the_one_that_streams)
{
    for (uint16_t n = 0; n < 40; n++) {
        struct line line = {.n = 0};
        struct mp_frame_writer writer = {.put = put, .user = &line};
        uint8_t packet[MP_FRAME_OVERHEAD + 40];
        for (uint16_t i = 0; i < n; i++)
            packet[MP_FRAME_HEAD + i] = (uint8_t)(i * 37 + n);
        mp_frame_write(&writer, MP_EXTENSION, packet + MP_FRAME_HEAD, n);
        cr_assert_eq(mp_frame_seal(packet, MP_EXTENSION, n), line.n);
        is(&line, packet, line.n);
    }
}
