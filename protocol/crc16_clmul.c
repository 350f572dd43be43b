/* crc16_clmul.c - CRC-16/CCITT for hosts whose processor multiplies polynomials: sixteen bytes in a few
 * cycles.
 *
 * The bytes are one long polynomial, whose highest term is the first bit. The checksum is the remainder of
 * this polynomial times x^16, divided by P = x^16 + x^12 + x^5 + 1. The initial value of the register is
 * added to the first 16 bits. To advance by 128 bits, the high half is multiplied by x^192 and the low half
 * by x^128, both mod P, and the next block is added. Each block depends on the previous one, so even and odd
 * blocks advance separately by 256 bits each, and are combined at the end. Bytes that do not fill a block are
 * taken first, where zeros above them have no effect. 128 bits remain at the end; Barrett reduction (a
 * multiplication by the inverse of P) needs no table for these.
 *
 * The builtins are those of gcc and clang, since their headers need a C library. */
#include "protocol/crc16.h"

#if defined __x86_64__ && defined __GNUC__

enum { BLOCK = 16 };

typedef long long pair __attribute__((vector_size(BLOCK)));
typedef char block __attribute__((vector_size(BLOCK)));
typedef char block_anywhere __attribute__((vector_size(BLOCK), aligned(1), may_alias));

#define X320    0x26AA /* mod P */
#define X256    0x8E29
#define X192    0x650B
#define X128    0xAEFC
#define X64     0xB861
#define P_LOW   0x1021             /* P without x^16 */
#define INVERSE 0x11303471A041B343 /* x^80 / P without x^64 */

/* Read at 16 - r, it moves the first r bytes of a block to the low end, in reverse order. */
static const char reversed[2 * BLOCK] = {15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,
                                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

int mp_crc16_clmul_works(void)
{
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3");
}

__attribute__((target("pclmul,ssse3"))) static inline pair first_bytes(block bytes, size_t r)
{
    return (pair)__builtin_ia32_pshufb128(bytes, *(const block_anywhere *)&reversed[BLOCK - r]);
}

/* Returns the sum times x^128 with the factors {X128, X192}, times x^256 with {X256, X320}. */
__attribute__((target("pclmul,ssse3"))) static inline pair move_on(pair sum, pair factors)
{
    return __builtin_ia32_pclmulqdq128(sum, factors, 0x00) ^ __builtin_ia32_pclmulqdq128(sum, factors, 0x11);
}

__attribute__((target("pclmul,ssse3"))) static uint16_t remainder_of(pair sum)
{
    /* sum.high x^64 + sum.low, then the same with what is above x^63. */
    sum = __builtin_ia32_pclmulqdq128(sum, (pair){X64, 0}, 0x01) ^ (pair) { sum[0], 0 };
    sum = __builtin_ia32_pclmulqdq128(sum, (pair){X64, 0}, 0x01) ^ (pair) { sum[0], 0 };
    pair quotient = __builtin_ia32_pclmulqdq128(sum, (pair){INVERSE, 0}, 0x00);
    quotient = (pair){quotient[1] ^ sum[0], 0};
    return (uint16_t)__builtin_ia32_pclmulqdq128(quotient, (pair){P_LOW, 0}, 0x00)[0];
}

__attribute__((target("pclmul,ssse3"))) uint16_t mp_crc16_clmul(uint16_t crc, const uint8_t *p, size_t n)
{
    size_t head = n % BLOCK;
    if (head < 2)
        head = BLOCK;  /* the register's two bytes must lie in it; a remaining byte comes last */
    if (n < 2 * BLOCK) /* too short to be worth the reduction */
        return mp_crc16_sliced(crc, p, n);
    block before = (block)(pair){crc >> 8 | (crc & 0xFF) << 8, 0};
    pair sum = first_bytes(*(const block_anywhere *)p ^ before, head);
    p += head;
    n -= head;
    if (n >= 3 * BLOCK) {
        pair odd = first_bytes(*(const block_anywhere *)p, BLOCK);
        p += BLOCK;
        n -= BLOCK;
        for (; n >= 2 * BLOCK; p += 2 * BLOCK, n -= 2 * BLOCK) {
            sum = move_on(sum, (pair){X256, X320}) ^ first_bytes(*(const block_anywhere *)p, BLOCK);
            odd = move_on(odd, (pair){X256, X320}) ^ first_bytes(*(const block_anywhere *)(p + BLOCK), BLOCK);
        }
        sum = move_on(sum, (pair){X128, X192}) ^ odd;
    }
    for (; n >= BLOCK; p += BLOCK, n -= BLOCK)
        sum = move_on(sum, (pair){X128, X192}) ^ first_bytes(*(const block_anywhere *)p, BLOCK);
    crc = remainder_of(sum);
    return n ? mp_crc16_sliced(crc, p, n) : crc;
}

#else

int mp_crc16_clmul_works(void)
{
    return 0;
}

uint16_t mp_crc16_clmul(uint16_t crc, const uint8_t *p, size_t n)
{
    return mp_crc16_sliced(crc, p, n);
}

#endif
