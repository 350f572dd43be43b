/* runtime.c - the four functions that a compiler calls by itself, for programs without a C library.
 *
 * With link-time optimisation, calls to them are generated after the linker has searched for callers: without
 * `used` they would be removed by then. */
#include <stddef.h>
#include <stdint.h>

#define CALLED_BY_COMPILER __attribute__((used))

CALLED_BY_COMPILER void *memcpy(void *restrict to, const void *restrict from, size_t n);
CALLED_BY_COMPILER void *memmove(void *to, const void *from, size_t n);
CALLED_BY_COMPILER void *memset(void *to, int value, size_t n);
CALLED_BY_COMPILER int memcmp(const void *a, const void *b, size_t n);

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    while (n--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    if (t <= f)
        return memcpy(to, from, n);
    while (n--)
        t[n] = f[n];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    uint8_t *t = to;

    while (n--)
        *t++ = (uint8_t)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const uint8_t *x = a, *y = b;

    for (; n; n--, x++, y++) {
        if (*x != *y)
            return *x - *y;
    }
    return 0;
}

/* clang calls them by the names of ARM's run-time ABI, whose `set` has its arguments in another order. */
#if defined __clang__ && defined __ARM_EABI__
#define EABI_NAMES(align)                                                                                    \
    CALLED_BY_COMPILER void __aeabi_memcpy##align(void *to, const void *from, size_t n);                     \
    CALLED_BY_COMPILER void __aeabi_memmove##align(void *to, const void *from, size_t n);                    \
    CALLED_BY_COMPILER void __aeabi_memset##align(void *to, size_t n, int value);                            \
    CALLED_BY_COMPILER void __aeabi_memclr##align(void *to, size_t n);                                       \
    void __aeabi_memcpy##align(void *to, const void *from, size_t n)                                         \
    {                                                                                                        \
        memcpy(to, from, n);                                                                                 \
    }                                                                                                        \
    void __aeabi_memmove##align(void *to, const void *from, size_t n)                                        \
    {                                                                                                        \
        memmove(to, from, n);                                                                                \
    }                                                                                                        \
    void __aeabi_memset##align(void *to, size_t n, int value)                                                \
    {                                                                                                        \
        memset(to, value, n);                                                                                \
    }                                                                                                        \
    void __aeabi_memclr##align(void *to, size_t n)                                                           \
    {                                                                                                        \
        memset(to, 0, n);                                                                                    \
    }

EABI_NAMES()
EABI_NAMES(4)
EABI_NAMES(8)
#endif
