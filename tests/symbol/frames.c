/* frames.c - functions whose frames are compared with gcc's -fstack-usage. Never run. */
#include <stdint.h>

int frames_called(volatile char *buffer, int n);

__attribute__((noinline)) int frames_leaf(int x)
{
    return x * 3 + 1;
}

__attribute__((noinline)) int frames_small(int x)
{
    volatile char room[24];
    room[0] = (char)x;
    return frames_called(room, 24);
}

__attribute__((noinline)) int frames_large(int x)
{
    volatile char room[5000];
    room[x] = 1;
    return frames_called(room, 5000) + frames_small(x);
}

/* Six go over the stack on ARM, where the frame pointer lies above them. */
__attribute__((noinline)) int frames_many(int a, int b, int c, int d, int e, int f, int g, int h, int i,
                                          int j)
{
    volatile int room[4] = {a, b, c, d};
    return frames_called((volatile char *)room, e + f) + g + h + i + j;
}

__attribute__((noinline)) int frames_passing(int x)
{
    return frames_many(x, 1, 2, 3, 4, 5, 6, 7, 8, x) + 1;
}

__attribute__((noinline)) double frames_double(double a, double b, int x)
{
    volatile double held[3] = {a, b, x};
    return frames_leaf(x) + a * b + held[1] * frames_small(x);
}

__attribute__((noinline)) int frames_dynamic(int n)
{
    char *room = __builtin_alloca((unsigned)n);
    return frames_called(room, n) + frames_small(n);
}

__attribute__((noinline)) int frames_array(int n)
{
    volatile char room[n];
    return frames_called(room, n) + frames_small(n);
}

__attribute__((noinline)) int frames_called(volatile char *buffer, int n)
{
    buffer[n - 1] = 0;
    return buffer[0];
}

/* No word of call frame information: assembler. */
__asm__(".globl frames_silent\n"
        ".type frames_silent, %function\n"
        "frames_silent:\n"
        ".short 0, 0, 0, 0\n"
        ".size frames_silent, .-frames_silent\n");

int frames_entry(int n)
{
    return frames_large(n) + frames_passing(n) + frames_dynamic(n) + frames_array(n) +
           (int)frames_double(n, 2.0, n);
}
