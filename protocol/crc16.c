/* crc16.c - CRC-16/CCITT for targets: small, and without a table. */
#include "protocol/crc16.h"

/* Eight steps of the bitwise definition at once: the polynomial has only x^16, x^12, x^5 and 1, so the effect
 * of a byte on the register takes four shifts. */
static inline __attribute__((always_inline)) uint16_t one_byte(uint32_t crc, uint8_t byte)
{
    uint32_t x = (crc >> 8 ^ byte) & 0xFFu;
    x ^= x >> 4;
    return (uint16_t)(crc << 8 ^ x << 12 ^ x << 5 ^ x);
}

uint16_t mp_crc16_byte(uint16_t crc, uint8_t byte)
{
    return one_byte(crc, byte);
}

#if !defined __OPTIMIZE_SIZE__

/* The same for sixteen bits at once: the quotient of the register and these bits, whose terms feed back 4 and
 * 11 positions lower. */
static inline uint32_t sixteen_bits(uint32_t x)
{
    uint32_t quotient = x ^ x >> 4;

    quotient ^= quotient >> 8;
    quotient ^= x >> 11;
    return (quotient ^ quotient << 5 ^ quotient << 12) & 0xFFFFu;
}

uint16_t mp_crc16(uint16_t crc, const uint8_t *bytes, size_t n)
{
    uint32_t x = crc;

    /* Half as many instructions a byte, but more code, so it is left out when optimising for size. */
    for (; n >= 4; n -= 4, bytes += 4) {
        uint32_t four =
            (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];

        x = sixteen_bits(x ^ four >> 16);
        x = sixteen_bits(x ^ (four & 0xFFFFu));
    }
    for (; n; n--)
        x = one_byte(x, *bytes++);
    return (uint16_t)x;
}

#else

uint16_t mp_crc16(uint16_t crc, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        crc = one_byte(crc, bytes[i]);
    return crc;
}

#endif
