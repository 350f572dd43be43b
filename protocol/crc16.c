/* crc16.c - CRC-16/CCITT for targets: small, and without a table. */
#include "protocol/crc16.h"

/* Eight steps of the bitwise definition at once: with only x^16, x^12, x^5 and 1 in the polynomial, what a
 * byte does to the register can be written down with four shifts. */
uint16_t mp_crc16_byte(uint16_t crc, uint8_t byte)
{
    uint32_t x = (crc >> 8 ^ byte) & 0xFFu;
    x ^= x >> 4;
    return (uint16_t)((uint32_t)crc << 8 ^ x << 12 ^ x << 5 ^ x);
}

uint16_t mp_crc16(uint16_t crc, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        crc = mp_crc16_byte(crc, bytes[i]);
    return crc;
}
