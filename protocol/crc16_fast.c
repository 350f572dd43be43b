/* crc16_fast.c - CRC-16/CCITT for hosts, sixteen bytes a step. A file of its own, so that no target links the
 * tables.
 *
 * after[k][b] is the effect of byte b on the register after k more bytes. It is linear in the bits of b: bit
 * i contributes x^(16 + 8k + i) mod the polynomial. So the tables need no generator, only those 128 powers of
 * x, in order, and the preprocessor to add them up. */
#include "protocol/crc16.h"

#define PICK(b, i, power) ((b) >> (i)&1 ? (power) : 0)
#define ENTRY(b, p0, p1, p2, p3, p4, p5, p6, p7)                                                             \
    (PICK(b, 0, p0) ^ PICK(b, 1, p1) ^ PICK(b, 2, p2) ^ PICK(b, 3, p3) ^ PICK(b, 4, p4) ^ PICK(b, 5, p5) ^   \
     PICK(b, 6, p6) ^ PICK(b, 7, p7))
#define ENTRY4(b, ...)                                                                                       \
    ENTRY(b, __VA_ARGS__), ENTRY((b) + 1, __VA_ARGS__), ENTRY((b) + 2, __VA_ARGS__),                         \
        ENTRY((b) + 3, __VA_ARGS__)
#define ENTRY16(b, ...)                                                                                      \
    ENTRY4(b, __VA_ARGS__), ENTRY4((b) + 4, __VA_ARGS__), ENTRY4((b) + 8, __VA_ARGS__),                      \
        ENTRY4((b) + 12, __VA_ARGS__)
#define ENTRY64(b, ...)                                                                                      \
    ENTRY16(b, __VA_ARGS__), ENTRY16((b) + 16, __VA_ARGS__), ENTRY16((b) + 32, __VA_ARGS__),                 \
        ENTRY16((b) + 48, __VA_ARGS__)
#define TABLE(...)                                                                                           \
    {                                                                                                        \
        ENTRY64(0, __VA_ARGS__), ENTRY64(64, __VA_ARGS__), ENTRY64(128, __VA_ARGS__),                        \
            ENTRY64(192, __VA_ARGS__)                                                                        \
    }

static const uint16_t after[16][256] = {
    TABLE(0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48C4, 0x9188),
    TABLE(0x3331, 0x6662, 0xCCC4, 0x89A9, 0x0373, 0x06E6, 0x0DCC, 0x1B98),
    TABLE(0x3730, 0x6E60, 0xDCC0, 0xA9A1, 0x4363, 0x86C6, 0x1DAD, 0x3B5A),
    TABLE(0x76B4, 0xED68, 0xCAF1, 0x85C3, 0x1BA7, 0x374E, 0x6E9C, 0xDD38),
    TABLE(0xAA51, 0x4483, 0x8906, 0x022D, 0x045A, 0x08B4, 0x1168, 0x22D0),
    TABLE(0x45A0, 0x8B40, 0x06A1, 0x0D42, 0x1A84, 0x3508, 0x6A10, 0xD420),
    TABLE(0xB861, 0x60E3, 0xC1C6, 0x93AD, 0x377B, 0x6EF6, 0xDDEC, 0xABF9),
    TABLE(0x47D3, 0x8FA6, 0x0F6D, 0x1EDA, 0x3DB4, 0x7B68, 0xF6D0, 0xFD81),
    TABLE(0xEB23, 0xC667, 0x9CEF, 0x29FF, 0x53FE, 0xA7FC, 0x5FD9, 0xBFB2),
    TABLE(0x6F45, 0xDE8A, 0xAD35, 0x4A4B, 0x9496, 0x390D, 0x721A, 0xE434),
    TABLE(0xD849, 0xA0B3, 0x5147, 0xA28E, 0x553D, 0xAA7A, 0x44D5, 0x89AA),
    TABLE(0x0375, 0x06EA, 0x0DD4, 0x1BA8, 0x3750, 0x6EA0, 0xDD40, 0xAAA1),
    TABLE(0x4563, 0x8AC6, 0x05AD, 0x0B5A, 0x16B4, 0x2D68, 0x5AD0, 0xB5A0),
    TABLE(0x7B61, 0xF6C2, 0xFDA5, 0xEB6B, 0xC6F7, 0x9DCF, 0x2BBF, 0x577E),
    TABLE(0xAEFC, 0x4DD9, 0x9BB2, 0x2745, 0x4E8A, 0x9D14, 0x2A09, 0x5412),
    TABLE(0xA824, 0x4069, 0x80D2, 0x1185, 0x230A, 0x4614, 0x8C28, 0x0871),
};

uint16_t mp_crc16_sliced(uint16_t crc, const uint8_t *p, size_t n)
{
    for (; n >= 16; p += 16, n -= 16) {
        /* Two sums, so that the processor can compute both at once. */
        uint32_t head = after[15][p[0] ^ crc >> 8] ^ after[14][p[1] ^ (crc & 0xFF)] ^ after[13][p[2]] ^
                        after[12][p[3]] ^ after[11][p[4]] ^ after[10][p[5]] ^ after[9][p[6]] ^ after[8][p[7]];
        uint32_t tail = after[7][p[8]] ^ after[6][p[9]] ^ after[5][p[10]] ^ after[4][p[11]] ^
                        after[3][p[12]] ^ after[2][p[13]] ^ after[1][p[14]] ^ after[0][p[15]];
        crc = (uint16_t)(head ^ tail);
    }
    for (; n; p++, n--)
        crc = (uint16_t)((uint32_t)crc << 8 ^ after[0][crc >> 8 ^ *p]);
    return crc;
}

uint16_t mp_crc16_fast(uint16_t crc, const uint8_t *p, size_t n)
{
    return mp_crc16_clmul_works() ? mp_crc16_clmul(crc, p, n) : mp_crc16_sliced(crc, p, n);
}
