/* startup.c - from reset to main on a RISC-V in machine mode, without other firmware. */
#include <stdint.h>

extern uint32_t __data_start[], __data_end[], __bss_start[], __bss_end[];
extern const uint32_t __data_load[];
typedef void (*initializer_fn)(void);
extern const initializer_fn __init_array_start[], __init_array_end[];

int main(int argc, char **argv);
void reset_handler(void);
void start(void);

/* Placed first in memory, where the processor begins. */
__attribute__((naked, used, section(".vectors"))) void reset_handler(void)
{
    __asm__ volatile("la sp, __stack_top\n\tj start");
}

__attribute__((used)) void start(void)
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
    for (;;)
        __asm__ volatile("wfi");
}
