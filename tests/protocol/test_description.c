/* test_description.c - DESCRIPTION against bytes written out by hand. */
#include "protocol/description.h"

#include <criterion/criterion.h>
#include <string.h>

static const uint8_t vector[] = {0x01, 0x06, 0x40, 0x78, 0x7D, 0x01, 0x40, 0x00, 0x20, 0x00, 0x01, 0xF4, 0x01,
                                 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x0A, 0x00, 0x00,
                                 0x00, 0x08, 's',  'h',  'o',  'r',  't',  'e',  's',  't',  0x02, 'u',  's'};

Test(description, it_goes_out_and_comes_back)
{
    struct mp_description description = {6, 25000000, 64, 32, 1, 500, 1}, back;
    struct mp_setting setting = {.key = 2, .most = 1 << 24, .value = 10, .name = "shortest", .unit = "us"},
                      again;
    struct mp_bytes bytes = mp_bytes_over(vector, sizeof vector);
    uint8_t out[100];

    mp_description_encode(&description, out);
    cr_assert_eq(mp_setting_encode(&setting, out + MP_DESCRIPTION_HEAD), sizeof vector - MP_DESCRIPTION_HEAD);
    cr_assert_arr_eq(out, vector, sizeof vector);
    cr_assert(mp_description_decode(&back, &bytes));
    cr_assert(back.versions == 6 && back.tick_hz == 25000000 && back.ring_calls == 64 &&
              back.stack_depth == 32 && back.tasks == 1 && back.packet_bytes == 500 && back.settings == 1);
    cr_assert(mp_setting_decode(&again, &bytes));
    cr_assert(again.key == 2 && again.least == 0 && again.most == 1 << 24 && again.value == 10);
    cr_assert(again.name_length == 8 && !memcmp(again.name, "shortest", 8));
    cr_assert(again.unit_length == 2 && !memcmp(again.unit, "us", 2));
    cr_assert_eq(bytes.left, 0);
}

Test(description, a_truncated_description_is_refused)
{
    for (size_t n = 0; n < sizeof vector; n++) {
        struct mp_bytes bytes = mp_bytes_over(vector, n);
        struct mp_description description;
        struct mp_setting setting;
        cr_assert_not(mp_description_decode(&description, &bytes) && mp_setting_decode(&setting, &bytes));
    }
}

Test(description, which_start_and_which_run_it_is_goes_out_and_comes_back)
{
    static const uint8_t told[] = {0x78, 0x56, 0x34, 0x12, 0x7B, 0x03};
    const struct mp_description_run run = {.boot = 0x12345678,
                                           .run = 0xFB,
                                           .is_on = true,
                                           .is_flat = true,
                                           .counter_stands = true,
                                           .version = 3};
    struct mp_description_run back;
    uint8_t out[MP_DESCRIPTION_RUN];

    mp_description_run_encode(&run, out);
    cr_assert_arr_eq(out, told, sizeof told);
    for (size_t n = 0; n <= sizeof told; n++) {
        struct mp_bytes bytes = mp_bytes_over(told, n);
        cr_assert_eq(mp_description_run_decode(&back, &bytes), n == sizeof told,
                     "older targets do not send it");
    }
    cr_assert(back.boot == 0x12345678 && back.run == 11 && back.is_on && back.is_flat && back.version == 3);
    cr_assert(back.counter_stands);
}
