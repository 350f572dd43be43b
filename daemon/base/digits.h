/* digits.h - converts integers to decimal digits quickly, and hex digits to values. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS_MOST = 20 }; /* of 64 bits */

/* Returns the number of decimal digits of `value`. */
static inline unsigned digits_count(uint64_t value)
{
    static const uint64_t powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9, 1e10,
                                      1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}; /* all exact */
    value |= 1; /* 0 has one digit, too; no other number gains one */
    unsigned bits = 64u - (unsigned)__builtin_clzll(value);
    unsigned least = bits * 1233 >> 12; /* bits * log10(2), rounded down */
    return least + (value >= powers[least]);
}

/* Writes the digits at `to`, which has room for DIGITS_MOST, without a NUL. Returns their end. */
static inline char *digits_write(char *to, uint64_t value)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    char *end = to + digits_count(value);
    for (to = end; value >= 100; value /= 100)
        memcpy(to -= 2, &pairs[2 * (value % 100)], 2);
    if (value >= 10)
        memcpy(to - 2, &pairs[2 * value], 2);
    else
        to[-1] = (char)('0' + value);
    return end;
}

/* Returns the value of a hex digit of either case, -1 when `c` is none. */
static inline int digits_hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* True when `text` is an address as users write it, 0x and hex digits of at most 64 bits. */
static inline bool digits_read_address(const char *text, uint64_t *address)
{
    if (text[0] != '0' || text[1] != 'x' || !text[2])
        return false;
    *address = 0;
    for (text += 2; *text; text++) {
        int digit = digits_hex_value(*text);
        if (digit < 0 || *address >> 60)
            return false;
        *address = *address << 4 | (uint64_t)digit;
    }
    return true;
}

#endif
