/* interrupted.c - interrupts arcs and samples anywhere, by a handler that samples and is compiled with -pg itself.
 * Checks that every record is whole, and every arc sent or reported as lost. Runs in the emulator and prints the
 * result. Compiled with -pg. */
#include "mpt_gprof.h"

#include "mpt_port.h"
#include "nvic.h"

#ifndef HAS_PROCESS_STACK
#define HAS_PROCESS_STACK 0
#endif

#define PLAIN __attribute__((no_instrument_function))

enum { WORK = 20000, LEAST_INTERRUPTS = 1000, ARCS = 2 };

struct cmsdk_timer {
    uint32_t control, value, reload, interrupts;
};

static volatile struct cmsdk_timer *const timer0 = (volatile struct cmsdk_timer *)0x40000000u;

/* True calls, in the program and in the interrupt, and sent ones, by called function; the last entry is samples. */
static volatile uint32_t called[2][ARCS + 1];
static uint32_t told[ARCS + 1], told_lost, torn;

static uint32_t numbers[64]; /* tag, and which arc: 1 and up */

void TIMER0_IRQHandler(void);
void SysTick_Handler(void);
int main(int argc, char **argv);

PLAIN void SysTick_Handler(void) {}

PLAIN size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return n;
}

__attribute__((noinline)) static void inner(volatile uint32_t *calls)
{
    calls[0] = calls[0] + 1;
}

/* One arc, whatever interrupts it. */
__attribute__((noinline)) static void outer(volatile uint32_t *calls)
{
    calls[1] = calls[1] + 1;
    inner(calls);
    __asm__ volatile(""); /* not a jump */
}

/* Comes every 400 to 800 ticks, at any instruction. */
__attribute__((used)) PLAIN static void take_sample(uint32_t pc)
{
    timer0->interrupts = 1;
    called[1][ARCS] = called[1][ARCS] + 1;
    timer0->reload = 400 + called[1][ARCS] * 2654435761u % 401;
    outer(called[1]);
    mpt_gprof_sample(pc);
}

MPT_GPROF_SAMPLER(TIMER0_IRQHandler, take_sample)

PLAIN static uint32_t address(const uint8_t *at)
{
    return (uint32_t)(at[0] << 16 | at[1] << 8 | at[2]);
}

extern const uint8_t __text_start[], __text_end[];

PLAIN static bool is_code(uint32_t at)
{
    return at >= (uint32_t)__text_start && at < (uint32_t)__text_end;
}

PLAIN static bool is_in(uint32_t at, void (*f)(volatile uint32_t *))
{
    return at - (uint32_t)f < 16;
}

PLAIN static void tell(uint32_t which, uint32_t n)
{
    if (which < ARCS + 1)
        told[which] += n;
    else
        torn++;
}

/* The index of the called function of a record. */
PLAIN static uint32_t which(const uint8_t *at)
{
    uint32_t from = address(at), to = address(at + 3);

    if (!is_code(from))
        return UINT32_MAX;
    return is_in(to, inner) ? 0 : is_in(to, outer) ? 1 : UINT32_MAX;
}

PLAIN static size_t read_record(const uint8_t *at)
{
    switch (at[0]) {
    case 'A': tell(which(at + 1), 1); return 7;
    case 'A' + 0x80: tell(which(at + 2), at[1]); return 8;
    case 'P': tell(is_code(address(at + 1)) ? ARCS : UINT32_MAX, 1); return 4;
    case 'P' + 0x80: tell(is_code(address(at + 2)) ? ARCS : UINT32_MAX, at[1]); return 5;
    case 'D' + 0x80:
        numbers[at[1] % 64] = at[1] | (which(at + 3) + 1) << 8;
        tell(which(at + 3), at[2]);
        return 9;
    case 'I' + 0x80:
    case 'N' + 0x80: {
        uint32_t number = numbers[at[1] % 64];

        tell((number & 0xFF) == at[1] ? (number >> 8) - 1 : UINT32_MAX, at[0] == 'N' + 0x80 ? at[2] : 1);
        return at[0] == 'N' + 0x80 ? 3 : 2;
    }
    case 'L' + 0x80: told_lost += (uint32_t)(at[1] << 8 | at[2]); return 4;
    case 'H' + 0x80: return 5;
    default: torn++; return 1;
    }
}

PLAIN static void take(void)
{
    uint8_t bytes[256];
    size_t n = mpt_gprof_take(bytes, sizeof bytes);

    for (size_t at = 0; at < n;)
        at += read_record(bytes + at);
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

PLAIN _Noreturn void run(void);

/* Runs on either stack, so that the saved program counter is on either. */
PLAIN __attribute__((naked)) int main(int argc, char **argv)
{
    __asm__ volatile(".syntax unified\n\t"
                     "mrs r0, msp\n\t"
                     "subs r0, #128\n\t"
                     "subs r0, #128\n\t"
                     "subs r0, #128\n\t"
                     "subs r0, #128\n\t"
                     "msr psp, r0\n\t"
                     "movs r0, %0\n\t" /* which stack is the program's */
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "bl run" ::"i"(HAS_PROCESS_STACK ? 2 : 0));
}

PLAIN _Noreturn void run(void)
{
    uint32_t missing = 0;

    mpt_gprof_start();
    timer0->reload = timer0->value = 400;
    timer0->control = 9;
    nvic_enable(IRQ_TIMER0);
    for (uint32_t i = 0; i < WORK; i++) {
        outer(called[0]);
        if (i % 8 == 7)
            take();
        if (i % 64 == 63)
            mpt_gprof_flush();
    }
    timer0->control = 0;
    mpt_gprof_stop();
    for (uint32_t i = 0; i < 100; i++)
        take();
    for (uint32_t i = 0; i < ARCS + 1; i++)
        missing += called[0][i] + called[1][i] - told[i];
    if (called[0][0] != WORK || called[1][ARCS] < LEAST_INTERRUPTS)
        end("too few interrupts\n");
    if (torn)
        end("a record is torn\n");
    if (told[0] < WORK / 2)
        end("hardly anything is sent\n");
    end(missing == told_lost ? "all is reported\n" : "what is missing is not reported\n");
}
