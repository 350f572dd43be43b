/* control.c - the part of the TF-M example that the agent measures, in images with the agent: two calls a
 * round. */
#include <stdint.h>

void control_step(void);

static volatile int32_t output;

static __attribute__((noinline)) int32_t pid_step(int32_t error)
{
    return error * 5 - output;
}

void control_step(void)
{
    output = pid_step(3);
}
