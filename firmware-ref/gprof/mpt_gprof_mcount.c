/* mpt_gprof_mcount.c - the function that gcc's -pg calls at the beginning of each function, on a Cortex-M.
 *
 * The caller has pushed its own return address: that word must be popped into lr, and r0 to r3, the caller's
 * arguments, must be preserved. r12 is free. */
#include "mpt_gprof.h"

__attribute__((naked, no_instrument_function)) void __gnu_mcount_nc(void);

__attribute__((naked, no_instrument_function)) void __gnu_mcount_nc(void)
{
    __asm__ volatile("push {r0-r3, lr}\n\t"
                     "ldr r0, [sp, #20]\n\t"
                     "mov r1, lr\n\t"
                     "bl mpt_gprof_arc\n\t"
                     "ldr r0, [sp, #20]\n\t"
                     "mov lr, r0\n\t"
                     "ldr r0, [sp, #16]\n\t"
                     "mov r12, r0\n\t"
                     "pop {r0-r3}\n\t"
                     "add sp, #8\n\t"
                     "bx r12");
}
