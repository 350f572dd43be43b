/* startup.c - from reset to main, and the vector table, for the mps2-an385 and mps2-an386 boards. */
#include <stdint.h>

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
HANDLER(UART0_RX_IRQHandler);
HANDLER(UART0_TX_IRQHandler);
HANDLER(TIMER0_IRQHandler);
HANDLER(TIMER1_IRQHandler);
HANDLER(ADC_IRQHandler);

/* An interrupt that nobody handles: stop where a debugger sees it, asleep. */
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

__attribute__((section(".vectors"), used)) static const union {
    const uint32_t *stack_top;
    vector_fn handler;
} vectors[16 + 32] = {
    [0] = {.stack_top = __stack_top},
    [1] = {.handler = reset_handler},
    [2 ... 13] = {.handler = default_handler},
    [14] = {.handler = PendSV_Handler},
    [15] = {.handler = SysTick_Handler},
    [16 + 0] = {.handler = UART0_RX_IRQHandler},
    [16 + 1] = {.handler = UART0_TX_IRQHandler},
    [16 + 2 ... 16 + 7] = {.handler = default_handler},
    [16 + 8] = {.handler = TIMER0_IRQHandler},
    [16 + 9] = {.handler = TIMER1_IRQHandler},
    [16 + 10 ... 16 + 30] = {.handler = default_handler},
    [16 + 31] = {.handler = ADC_IRQHandler}, /* wired to nothing: requested by software */
};
