/* test_packet.c - packets' contents against bytes written out by hand. */
#include "protocol/packet.h"

#include <criterion/criterion.h>
#include <string.h>

Test(packet, the_six_commands_are_the_documents_bytes)
{
    for (uint8_t code = MP_START; code <= MP_SET_CONFIG; code++) {
        uint8_t want[MP_COMMAND_SIZE] = {0x55, code};
        want[11] = (uint8_t)(0x55 + code);
        uint8_t bytes[MP_COMMAND_SIZE];
        mp_command_encode(&(struct mp_command){.code = code}, bytes);
        cr_assert_arr_eq(bytes, want, sizeof want);
        struct mp_command back;
        cr_assert(mp_command_decode(&back, bytes));
        cr_assert_eq(back.code, code);
        cr_assert_eq(back.length, 0);
    }
}

Test(packet, a_command_carries_its_payload_and_pads_the_rest)
{
    struct mp_command command = {.code = MP_SET_CONFIG, .length = 3, .payload = {1, 0xAA, 0xFF, 9, 9}}, back;
    uint8_t bytes[MP_COMMAND_SIZE];
    mp_command_encode(&command, bytes);
    cr_assert_arr_eq(bytes, ((uint8_t[]){0x55, 6, 3, 1, 0xAA, 0xFF, 0, 0, 0, 0, 0, 0x08}), MP_COMMAND_SIZE);
    cr_assert(mp_command_decode(&back, bytes));
    cr_assert_eq(back.length, 3);
    cr_assert_arr_eq(back.payload, ((uint8_t[]){1, 0xAA, 0xFF, 0, 0, 0, 0, 0}), MP_COMMAND_PAYLOAD);
}

Test(packet, a_command_with_a_flipped_bit_is_refused)
{
    uint8_t bytes[MP_COMMAND_SIZE];
    mp_command_encode(&(struct mp_command){.code = MP_GET_STATUS}, bytes);
    for (size_t bit = 0; bit < sizeof bytes * 8; bit++) {
        struct mp_command back;
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cr_assert_not(mp_command_decode(&back, bytes), "bit %zu", bit);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    uint8_t nine[MP_COMMAND_SIZE] = {0x55, 1, 9, [11] = 0x5F};
    struct mp_command back;
    cr_assert_not(mp_command_decode(&back, nine), "a length of nine cannot be");
}

Test(packet, metadata_goes_out_and_comes_back)
{
    static const uint8_t want[MP_METADATA_SIZE] = {0x00, 0x7A, 0x03, 0x0A, 0x40, 0x42, 0x0F, 0x00, 0xEF,
                                                   0xBE, 0xAD, 0xDE, 'v',  '1',  '.',  '0',  '.',  '0'};
    struct mp_metadata metadata = {168000000, 1000000, 0xDEADBEEF, "v1.0.0"}, back;
    uint8_t bytes[MP_METADATA_SIZE];
    mp_metadata_encode(&metadata, bytes);
    cr_assert_arr_eq(bytes, want, sizeof want);
    cr_assert(mp_metadata_decode(&back, bytes, sizeof bytes));
    cr_assert_eq(memcmp(&back, &metadata, sizeof back), 0);
    cr_assert_not(mp_metadata_decode(&back, bytes, sizeof bytes - 1));
}

Test(packet, the_documents_metadata_dump_is_read_as_it_stands)
{
    static const uint8_t dump[MP_METADATA_SIZE] = {0x00, 0x09, 0xFB, 0x0A};
    struct mp_metadata metadata;
    cr_assert(mp_metadata_decode(&metadata, dump, sizeof dump));
    cr_assert_eq(metadata.mcu_clock_hz, 184224000, "the bytes say 184.224 MHz, whatever the label says");
}

Test(packet, sixteen_characters_of_version_leave_no_terminator)
{
    struct mp_metadata metadata = {.fw_version = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B',
                                                  'C', 'D', 'E', 'F'}},
                       back;
    uint8_t bytes[MP_METADATA_SIZE];
    mp_metadata_encode(&metadata, bytes);
    cr_assert(mp_metadata_decode(&back, bytes, sizeof bytes));
    cr_assert_eq(memcmp(back.fw_version, "0123456789ABCDEF", 16), 0);
}

Test(packet, status_goes_out_and_comes_back)
{
    static const uint8_t want[MP_STATUS_SIZE] = {1, 2, 0, 0, 0, 0xD2, 4, 0, 0, 57};
    struct mp_status status = {.is_profiling = 1,
                               .buffer_overflows = 2,
                               .records_captured = 1234,
                               .buffer_usage_percent = 57},
                     back;
    uint8_t bytes[MP_STATUS_SIZE];
    mp_status_encode(&status, bytes);
    cr_assert_arr_eq(bytes, want, sizeof want);
    cr_assert(mp_status_decode(&back, bytes, sizeof bytes));
    cr_assert(back.is_profiling == 1 && back.buffer_overflows == 2 && back.records_captured == 1234 &&
              back.buffer_usage_percent == 57);
    cr_assert_not(mp_status_decode(&back, bytes, sizeof bytes - 1));
}

Test(packet, a_status_has_missed_triggers_on_request)
{
    struct mp_status status = {.is_profiling = 1}, back;
    uint32_t missed = 0;
    uint8_t bytes[MP_STATUS_LONG_SIZE + 1] = {0};
    mp_status_encode(&status, bytes);
    mp_status_triggers_encode(0x01020304, bytes + MP_STATUS_SIZE);
    cr_assert(mp_status_decode(&back, bytes, MP_STATUS_LONG_SIZE));
    cr_assert(mp_status_triggers_decode(&missed, bytes, MP_STATUS_LONG_SIZE) && missed == 0x01020304);
    cr_assert_not(mp_status_triggers_decode(&missed, bytes, MP_STATUS_SIZE));
    cr_assert_not(mp_status_decode(&back, bytes, MP_STATUS_LONG_SIZE - 1));
    cr_assert_not(mp_status_decode(&back, bytes, MP_STATUS_LONG_SIZE + 1));
    struct mp_command command = {.code = MP_GET_STATUS, .length = 1, .payload = {MP_STATUS_OF_TRIGGERS}};
    cr_assert(mp_command_wants_triggers(&command));
    cr_assert_not(mp_command_wants_cores(&command));
    command.payload[0] |= MP_STATUS_OF_CORES;
    cr_assert(mp_command_wants_triggers(&command) && mp_command_wants_cores(&command));
    command.length = 0;
    cr_assert_not(mp_command_wants_triggers(&command) || mp_command_wants_cores(&command));
    command = (struct mp_command){.code = MP_STOP, .length = 1, .payload = {MP_STATUS_OF_TRIGGERS}};
    cr_assert_not(mp_command_wants_triggers(&command));
}

Test(packet, a_status_has_hooks_of_other_cores_on_request)
{
    struct mp_status status = {.is_profiling = 1}, back;
    uint32_t missed = 0, hooks = 0;
    uint8_t bytes[MP_STATUS_CORES_SIZE + 1] = {0};
    mp_status_encode(&status, bytes);
    mp_status_triggers_encode(3, bytes + MP_STATUS_SIZE);
    mp_status_cores_encode(0x01020304, bytes + MP_STATUS_LONG_SIZE);
    cr_assert(mp_status_decode(&back, bytes, MP_STATUS_CORES_SIZE));
    cr_assert(mp_status_triggers_decode(&missed, bytes, MP_STATUS_CORES_SIZE) && missed == 3);
    cr_assert(mp_status_cores_decode(&hooks, bytes, MP_STATUS_CORES_SIZE) && hooks == 0x01020304);
    cr_assert_not(mp_status_cores_decode(&hooks, bytes, MP_STATUS_LONG_SIZE));
    cr_assert_not(mp_status_decode(&back, bytes, MP_STATUS_CORES_SIZE + 1));
}

Test(packet, a_record_goes_out_and_comes_back)
{
    static const uint8_t want[MP_RECORD_SIZE] = {0x20, 2, 0, 8, 0xF4, 1, 0, 0, 0x2C, 1, 0, 0, 1, 0};
    struct mp_record record = {0x08000220, 500, 300, 1};
    uint8_t bytes[MP_RECORD_SIZE];
    mp_record_encode(&record, bytes);
    cr_assert_arr_eq(bytes, want, sizeof want);
    struct mp_record back = mp_record_decode(bytes);
    cr_assert(back.address == record.address && back.start == 500 && back.duration == 300 && back.depth == 1);
}

Test(packet, the_head_of_profile_data_is_three_bytes)
{
    uint8_t bytes[MP_PROFILE_DATA_HEAD];
    mp_profile_head_encode(&(struct mp_profile_head){1, 0x0214}, bytes);
    cr_assert_arr_eq(bytes, ((uint8_t[]){1, 0x14, 2}), 3);
    struct mp_profile_head head;
    cr_assert(mp_profile_head_decode(&head, bytes, 3));
    cr_assert(head.version == 1 && head.record_count == 0x0214);
    cr_assert_not(mp_profile_head_decode(&head, bytes, 2));
}

Test(packet, an_extension_names_its_dialect)
{
    const uint8_t payload[] = {MP_EXTENSION_GPROF, 'P', 0};
    uint8_t dialect = 0;
    cr_assert_eq(mp_extension_decode(&dialect, payload, 3), payload + 1);
    cr_assert_eq(dialect, MP_EXTENSION_GPROF);
    cr_assert_eq(mp_extension_decode(&dialect, payload, 1), payload + 1, "a dialect with nothing to say");
    cr_assert_null(mp_extension_decode(&dialect, payload, 0));
}

Test(packet, a_stop_may_ask_for_a_closing_packet)
{
    struct mp_command command = {.code = MP_STOP, .length = 1, .payload = {MP_STOP_CLOSES}};
    uint8_t bytes[MP_COMMAND_SIZE];
    mp_command_encode(&command, bytes);
    cr_assert_arr_eq(bytes, ((uint8_t[]){0x55, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0x59}), MP_COMMAND_SIZE);
    cr_assert(mp_command_wants_closing(&command));
    command.payload[0] = 2;
    cr_assert_not(mp_command_wants_closing(&command));
    command = (struct mp_command){.code = MP_STOP, .payload = {MP_STOP_CLOSES}};
    cr_assert_not(mp_command_wants_closing(&command), "without a payload");
    command = (struct mp_command){.code = MP_START, .length = 1, .payload = {1}};
    cr_assert_not(mp_command_wants_closing(&command));
}

Test(packet, version_1_is_closed_by_no_records)
{
    cr_assert(mp_profile_is_closing((uint8_t[]){1, 0, 0}, 3));
    cr_assert_not(mp_profile_is_closing((uint8_t[]){1, 0, 0}, 2));
    cr_assert_not(mp_profile_is_closing((uint8_t[]){1, 0, 0, 0}, 4));
    cr_assert_not(mp_profile_is_closing((uint8_t[]){1, 1, 0}, 3));
    cr_assert_not(mp_profile_is_closing((uint8_t[]){1, 0, 1}, 3));
    cr_assert_not(mp_profile_is_closing((uint8_t[]){2, 0, 0}, 3));
}
