/* test_crc16.c - all forms of the checksum against the bitwise definition. */
#include "protocol/crc16.h"

#include <criterion/criterion.h>

#include "support/random.h"

/* The definition, one bit at a time. */
static uint16_t crc16_bitwise(uint16_t crc, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crc = (uint16_t)(crc ^ bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

Test(crc16, the_check_values_are_right)
{
    const uint8_t digits[] = "123456789";
    cr_assert_eq(mp_crc16(MP_CRC16_CCITT_FALSE, digits, 9), 0x29B1);
    cr_assert_eq(mp_crc16(MP_CRC16_XMODEM, digits, 9), 0x31C3);
    cr_assert_eq(mp_crc16_fast(MP_CRC16_CCITT_FALSE, digits, 9), 0x29B1);
    cr_assert_eq(mp_crc16_fast(MP_CRC16_XMODEM, digits, 9), 0x31C3);
    cr_assert_eq(crc16_bitwise(MP_CRC16_CCITT_FALSE, digits, 9), 0x29B1);
}

Test(crc16, every_single_bit_of_forty_bytes_counts_alike_in_all_forms)
{
    for (size_t bit = 0; bit < 40 * 8; bit++) {
        uint8_t bytes[40] = {0};
        bytes[bit / 8] = (uint8_t)(1u << bit % 8);
        uint16_t want = crc16_bitwise(0, bytes, sizeof bytes);
        cr_assert_eq(mp_crc16(0, bytes, sizeof bytes), want, "bit %zu", bit);
        cr_assert_eq(mp_crc16_fast(0, bytes, sizeof bytes), want, "bit %zu", bit);
    }
}

Test(crc16, any_bytes_from_any_register_in_any_pieces_agree)
{
    struct test_random random = test_random_start("crc16");
    for (int round = 0; round < 300; round++) {
        uint8_t bytes[300];
        size_t n = test_random_below(&random, sizeof bytes + 1);
        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)test_random_next(&random);
        uint16_t start = (uint16_t)test_random_next(&random);
        uint16_t want = crc16_bitwise(start, bytes, n);
        size_t cut = test_random_below(&random, n + 1);
        cr_assert_eq(mp_crc16(start, bytes, n), want);
        cr_assert_eq(mp_crc16_fast(start, bytes, n), want);
        cr_assert_eq(mp_crc16_fast(mp_crc16(start, bytes, cut), bytes + cut, n - cut), want);
        cr_assert_eq(mp_crc16(mp_crc16_fast(start, bytes, cut), bytes + cut, n - cut), want);
    }
}

Test(crc16, every_length_at_every_alignment_agrees)
{
    struct test_random random = test_random_start("crc16");
    uint8_t bytes[320];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)test_random_next(&random);
    for (size_t at = 0; at < 16; at++) {
        for (size_t n = 0; n <= 300; n++) {
            uint16_t start = (uint16_t)test_random_next(&random);
            uint16_t want = crc16_bitwise(start, bytes + at, n);
            cr_assert_eq(mp_crc16_sliced(start, bytes + at, n), want, "%zu bytes at %zu", n, at);
            cr_assert_eq(mp_crc16_fast(start, bytes + at, n), want, "%zu bytes at %zu", n, at);
            if (mp_crc16_clmul_works())
                cr_assert_eq(mp_crc16_clmul(start, bytes + at, n), want, "%zu bytes at %zu", n, at);
        }
    }
}

Test(crc16, nothing_is_read_past_the_last_byte)
{
    for (size_t n = 0; n <= 100; n++) { /* sanitizers watch the end of a heap block */
        uint8_t *bytes = calloc(n ? n : 1, 1);
        cr_assert_eq(mp_crc16_fast(1, bytes, n), crc16_bitwise(1, bytes, n));
        free(bytes);
    }
}
