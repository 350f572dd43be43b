/* startup.c - from reset to main, and the vector table, for the mps2 boards, and for any Cortex-M whose port
 * has such a vectors.h: STARTUP_VECTORS is its name. */
#include <stdint.h>

#ifndef STARTUP_VECTORS
#define STARTUP_VECTORS "vectors.h"
#endif
#include STARTUP_VECTORS

extern uint32_t __data_start[], __data_end[], __bss_start[], __bss_end[], __stack_top[];
extern const uint32_t __data_load[];
typedef void (*initializer_fn)(void);
extern const initializer_fn __init_array_start[], __init_array_end[];

int main(int argc, char **argv);
void reset_handler(void);
void default_handler(void);

#define HANDLER(name) void name(void) __attribute__((weak, alias("default_handler")))
HANDLER(PendSV_Handler);
HANDLER(SysTick_Handler);
#define HANDLED(irq, handler) HANDLER(handler);
#define FREE(first, last)
VECTORS(HANDLED, FREE)
#undef HANDLED
#undef FREE

/* An interrupt without a handler: stops where a debugger shows it, asleep. */
void default_handler(void)
{
    for (;;)
        __asm__ volatile("wfi");
}

void reset_handler(void)
{
    const uint32_t *load = __data_load;

    for (uint32_t *at = __data_start; at < __data_end; at++)
        *at = *load++;
    for (uint32_t *at = __bss_start; at < __bss_end; at++)
        *at = 0;
    for (const initializer_fn *initializer = __init_array_start; initializer < __init_array_end;
         initializer++)
        (*initializer)();
    main(0, 0);
    default_handler();
}

typedef void (*vector_fn)(void);

#define VECTOR(irq, isr)        [16 + (irq)] = {.handler = isr},
#define NO_VECTORS(first, last) [16 + (first)... 16 + (last)] = {.handler = default_handler},

__attribute__((section(".vectors"), used)) static const union {
    const uint32_t *stack_top;
    vector_fn handler;
} vectors[] = {[0] = {.stack_top = __stack_top},          [1] = {.handler = reset_handler},
               [2 ... 13] = {.handler = default_handler}, [14] = {.handler = PendSV_Handler},
               [15] = {.handler = SysTick_Handler},       VECTORS(VECTOR, NO_VECTORS)};
