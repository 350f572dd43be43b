/* application.c - the program to be profiled. */
#include "board.h"

static volatile uint32_t sum;

__attribute__((noinline)) static void convert(uint32_t value)
{
    for (uint32_t i = 0; i < 40; i++)
        sum = sum * 31u + value;
}

void application_step(void)
{
    for (uint32_t i = 0; i < 3; i++)
        convert(i);
    sum++;
}
