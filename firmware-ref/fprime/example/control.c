/* control.c - the part of the F-Prime example that the agent measures, in images with the agent. */
#include "workload.h"

#include <stdint.h>

static volatile int32_t output;

static __attribute__((noinline)) int32_t pid_step(int32_t error)
{
    return error * 5 - output;
}

void control_step(void)
{
    output = pid_step(3) + pid_step(output);
}
