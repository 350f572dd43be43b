/* board.c - the example on a 32-bit RISC-V, QEMU's virt board: 16550 UART, core-local timer, and the software
 * interrupt in place of a converter's. */
#include "board.h"

#include "mpt_port.h"

#ifndef EXAMPLE_ROUNDS
#define EXAMPLE_ROUNDS 0
#endif
#ifndef EXAMPLE_PACE_MS
#define EXAMPLE_PACE_MS 20
#endif

/* The name of the control register is part of the instruction. */
#define CSR(instruction, value)                                                                              \
    __asm__ volatile(".option push\n\t.option arch, +zicsr\n\t" instruction                                  \
                     "\n\t.option pop" ::"r"((uint32_t)(value))                                              \
                     : "memory")

enum { SOFTWARE_INTERRUPT = 3, TIMER_INTERRUPT = 7 }; /* causes, and bits of mie */
enum { UART_DATA = 0, UART_FIFO = 2, UART_FORMAT = 3, UART_STATE = 5 };
enum { STATE_RECEIVED = 1, STATE_SEND_EMPTY = 0x20, FIFO_BYTES = 16 };

static volatile uint8_t *const uart = (volatile uint8_t *)0x10000000u;
static volatile uint32_t *const software_interrupt = (volatile uint32_t *)0x02000000u;
static volatile uint32_t *const timer_compare = (volatile uint32_t *)0x02004000u;
static volatile uint32_t *const timer = (volatile uint32_t *)0x0200BFF8u;

volatile uint32_t riscv_interrupt;
static bool was_full; /* the last write found no room for all its bytes */

extern const uint8_t __text_start[], __text_end[];

void trap_handler(void);

/* The timer only ends sleeps: its interrupt is never enabled globally. Any other trap stops here, where a
 * debugger shows it. */
__attribute__((interrupt("machine"), aligned(4))) void trap_handler(void)
{
    uint32_t cause;

    __asm__ volatile(".option push\n\t.option arch, +zicsr\n\tcsrr %0, mcause\n\t.option pop" : "=r"(cause));
    while (cause != (0x80000000u | SOFTWARE_INTERRUPT))
        ;
    *software_interrupt = 0;
    riscv_interrupt = SOFTWARE_INTERRUPT;
    ADC_IRQHandler();
    riscv_interrupt = 0;
}

void board_open(int argc, char **argv)
{
    uart[UART_FORMAT] = 3; /* 8 bits, no parity */
    uart[UART_FIFO] = 7;   /* on, and cleared */
    CSR("csrw mtvec, %0", (uintptr_t)trap_handler);
    CSR("csrw mie, %0", 1u << SOFTWARE_INTERRUPT);
    CSR("csrs mstatus, %0", 8);
}

uint32_t board_clock_hz(void)
{
    return MPT_TICK_HZ;
}

const void *board_text(uint32_t *bytes)
{
    *bytes = (uint32_t)(__text_end - __text_start);
    return __text_start;
}

uint32_t board_rounds(void)
{
    return EXAMPLE_ROUNDS;
}

uint32_t board_pace_ms(void)
{
    return EXAMPLE_PACE_MS;
}

static uint64_t now(void)
{
    uint32_t high, low;

    do {
        high = timer[1];
        low = timer[0];
    } while (high != timer[1]);
    return (uint64_t)high << 32 | low;
}

uint32_t board_millis(void)
{
    return (uint32_t)(now() / (MPT_TICK_HZ / 1000));
}

void board_idle(uint32_t limit_ms)
{
    /* Neither an empty FIFO nor a received byte causes an interrupt. So it does not sleep while something is
     * to be sent, and otherwise only for a millisecond, whatever the limit. */
    if (was_full)
        return;

    uint32_t key = mpt_port_lock();
    uint64_t end = now() + MPT_TICK_HZ / 1000;

    timer_compare[1] = UINT32_MAX; /* so that no compare value in between is early */
    timer_compare[0] = (uint32_t)end;
    timer_compare[1] = (uint32_t)(end >> 32);
    CSR("csrs mie, %0", 1u << TIMER_INTERRUPT);
    __asm__ volatile("wfi" ::: "memory"); /* also ends with an interrupt that is masked */
    CSR("csrc mie, %0", 1u << TIMER_INTERRUPT);
    mpt_port_unlock(key);
}

/* A turn takes four instructions. */
void board_spin(uint32_t us)
{
    for (uint32_t turns = us * 6; turns; turns--)
        __asm__ volatile("nop");
}

void board_request_adc_interrupt(void)
{
    *software_interrupt = 1;
    while (*software_interrupt)
        ;
}

/* Writes as many bytes as fit into the empty FIFO. */
size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    size_t taken = 0;

    if (uart[UART_STATE] & STATE_SEND_EMPTY) {
        for (; taken < n && taken < FIFO_BYTES; taken++)
            uart[UART_DATA] = bytes[taken];
    }
    was_full = taken < n;
    return taken;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    size_t got = 0;

    while (got < n && uart[UART_STATE] & STATE_RECEIVED)
        bytes[got++] = uart[UART_DATA];
    return got;
}
