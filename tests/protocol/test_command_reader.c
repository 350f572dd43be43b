/* test_command_reader.c - commands in noise. */
#include "protocol/command_reader.h"

#include <criterion/criterion.h>

#include "support/random.h"

static size_t push(struct mp_command_reader *reader, const uint8_t *bytes, size_t n, struct mp_command *last)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += mp_command_reader_push(reader, bytes[i], last);
    return found;
}

Test(command_reader, a_whole_command_is_read_once)
{
    struct mp_command_reader reader = {{0}};
    struct mp_command command;
    uint8_t bytes[MP_COMMAND_SIZE];
    mp_command_encode(&(struct mp_command){.code = MP_START}, bytes);
    cr_assert_eq(push(&reader, bytes, sizeof bytes, &command), 1);
    cr_assert_eq(command.code, MP_START);
    cr_assert_eq(push(&reader, bytes, sizeof bytes - 1, &command), 0, "not before its last byte");
    cr_assert_eq(push(&reader, bytes + 11, 1, &command), 1);
}

Test(command_reader, a_command_after_any_part_of_another_is_read)
{
    for (size_t cut = 0; cut < MP_COMMAND_SIZE; cut++) {
        struct mp_command_reader reader = {{0}};
        struct mp_command command;
        uint8_t bytes[MP_COMMAND_SIZE];
        mp_command_encode(&(struct mp_command){.code = MP_STOP}, bytes);
        cr_assert_eq(push(&reader, bytes, cut, &command), 0);
        mp_command_encode(&(struct mp_command){.code = MP_GET_STATUS}, bytes);
        cr_assert_eq(push(&reader, bytes, sizeof bytes, &command), 1, "cut %zu", cut);
        cr_assert_eq(command.code, MP_GET_STATUS);
    }
}

Test(command_reader, header_bytes_in_a_payload_do_no_harm)
{
    struct mp_command_reader reader = {{0}};
    struct mp_command command;
    uint8_t bytes[MP_COMMAND_SIZE];
    mp_command_encode(&(struct mp_command){MP_SET_CONFIG, 8, {0x55, 1, 0, 0x55, 1, 0, 0x55, 0x55}}, bytes);
    cr_assert_eq(push(&reader, bytes, sizeof bytes, &command), 1);
    cr_assert_eq(command.code, MP_SET_CONFIG);
}

Test(command_reader, after_noise_the_next_command_is_read)
{
    struct test_random random = test_random_start("command_reader");
    for (int round = 0; round < 500; round++) {
        struct mp_command_reader reader = {{0}};
        struct mp_command command = {0};
        uint8_t bytes[MP_COMMAND_SIZE];
        for (int i = 0; i < 40; i++) /* noise without a header cannot hold a command of its own */
            mp_command_reader_push(&reader, (uint8_t)test_random_below(&random, 0x55), &command);
        mp_command_encode(&(struct mp_command){.code = MP_GET_METADATA}, bytes);
        cr_assert_eq(push(&reader, bytes, sizeof bytes, &command), 1);
        cr_assert_eq(command.code, MP_GET_METADATA);
    }
}
