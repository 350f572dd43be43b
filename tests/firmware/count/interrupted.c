/* interrupted.c - interrupts hooks anywhere, by handlers that are instrumented themselves. Checks that every
 * event is in the ring, in order of time, in its own interrupt. Runs in the emulator and prints the result. */
#include "mpt.h"
#include "mpt_ring.h"
#include "nvic.h"

#include <stdbool.h>

#define INSTRUMENTED __attribute__((noinline))
#define PLAIN        __attribute__((no_instrument_function))

enum { WORK = 5000, DEEPEST = 8 };

struct cmsdk_timer {
    uint32_t control, value, reload, interrupts;
};

static volatile struct cmsdk_timer *const timer0 = (volatile struct cmsdk_timer *)0x40000000u;

static volatile uint32_t interrupts;

PLAIN int main(int argc, char **argv);
PLAIN void TIMER0_IRQHandler(void);
PLAIN void SysTick_Handler(void);
PLAIN void ADC_IRQHandler(void);
PLAIN void UART0_RX_IRQHandler(void);
PLAIN void UART0_TX_IRQHandler(void);

/* The startup code's vector table refers to them. */
void SysTick_Handler(void) {}

void ADC_IRQHandler(void) {}

void UART0_RX_IRQHandler(void) {}

void UART0_TX_IRQHandler(void) {}

PLAIN size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return n;
}

PLAIN size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    return 0;
}

INSTRUMENTED static void inner(void)
{
    __asm__ volatile("nop");
}

INSTRUMENTED static void handler(void)
{
    inner();
}

INSTRUMENTED static void work(void)
{
    for (int i = 0; i < WORK; i++)
        inner();
}

/* Comes every 50 to 110 ticks, at any instruction. */
void TIMER0_IRQHandler(void)
{
    timer0->interrupts = 1;
    interrupts = interrupts + 1;
    timer0->reload = 50 + interrupts * 2654435761u % 61;
    handler();
}

PLAIN static _Noreturn void end(const char *text)
{
    register uint32_t r0 __asm__("r0") = 0x04; /* write */
    register const void *r1 __asm__("r1") = text;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    r0 = 0x18; /* exit */
    r1 = (const void *)0x20026;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    for (;;)
        ;
}

/* Returns an error of the events, NULL when they are right. */
PLAIN static const char *verdict(uint32_t events)
{
    static uint32_t stack[2][DEEPEST];
    uint32_t depth[2] = {0, 0}, context = 0, entries = 0,
             before = mpt_ring.at[MPT_RING_PLACE(MPT_RING_STEP)].ticks;

    for (uint32_t i = 1; i <= events; i++) {
        struct mpt_event event = mpt_ring.at[MPT_RING_PLACE(i * MPT_RING_STEP)];

        if (!event.word)
            return "wrong: an event was not written\n";
        if (((event.ticks - before) & 0xFFFFFFu) > 0x7FFFFFu)
            return "wrong: time goes back\n";
        before = event.ticks;
        if (event.word >= MPT_WORD_EXCEPTION) {
            context = event.word != MPT_WORD_EXCEPTION;
        } else if (mpt_word_is_enter(event.word)) {
            if (depth[context] == DEEPEST)
                return "wrong: too deep\n";
            stack[context][depth[context]++] = mpt_word_function(event.word);
            entries++;
        } else if (!depth[context] || stack[context][--depth[context]] != mpt_word_function(event.word)) {
            return "wrong: an exit of another call\n";
        }
    }
    if (depth[0] || depth[1])
        return "wrong: calls without exits\n";
    if (entries != 1 + WORK + 2 * interrupts || mpt_ring.lost)
        return "wrong: calls are missing\n";
    return NULL;
}

int main(int argc, char **argv)
{
    volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u;

    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 5; /* processor clock, no interrupt */
    nvic_enable(IRQ_TIMER0);
    timer0->reload = timer0->value = 50;
    timer0->control = 9;
    work();
    timer0->control = 0;
    const char *wrong = verdict(mpt_ring.head / MPT_RING_STEP);

    if (!wrong && interrupts < 50)
        wrong = "wrong: hardly an interrupt\n";
    end(wrong ? wrong : "right\n");
}
