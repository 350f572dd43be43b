/* cost.c - measures the instructions of an event of F-Prime's and a checkpoint of TF-M's profiler. Runs in the
 * emulator, where time follows the number of instructions. */
#include "fprime/mpt_fprime.h"
#include "tfm/mpt_tfm.h"

enum { TURNS = 100, TICK_NS = 40, INSTRUCTION_NS = 32 };

#define SYSTICK ((volatile uint32_t *)0xE000E010u)

int main(void);

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

static void say(const char *name, uint32_t number)
{
    char digits[] = " 00000\n";

    for (char *digit = digits + 5; number; number /= 10)
        *digit-- = (char)('0' + number % 10);
    semihost(0x04, name);
    semihost(0x04, digits);
}

static __attribute__((noinline)) void nothing(void *function, void *call_site)
{
    __asm__ volatile("");
}

typedef void hook(void *function, void *call_site);

static uint32_t time_of(hook *volatile one, hook *volatile other)
{
    uint32_t begun = SYSTICK[2];

    for (uint32_t i = 0; i < TURNS; i++) {
        one((void *)(0x1001 + 2 * i), NULL);
        other((void *)(0x1001 + 2 * i), NULL);
    }
    return (begun - SYSTICK[2]) & 0xFFFFFFu;
}

/* The instructions to take all events, per event. */
static uint32_t time_of_taking(size_t (*volatile take)(uint8_t *to, size_t room))
{
    static uint8_t bytes[64];
    uint32_t begun = SYSTICK[2];

    while (take(bytes, sizeof bytes))
        ;
    return (begun - SYSTICK[2]) & 0xFFFFFFu;
}

static uint32_t instructions(uint32_t ticks, uint32_t turns)
{
    return (ticks * (TICK_NS / 8) / (INSTRUCTION_NS / 8) + turns / 2) / turns;
}

static void checkpoint(void *function, void *call_site)
{
    MPT_CHECKPOINT(1, 0x200);
}

int main(void)
{
    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 5; /* processor clock, on */
    mpt_board_open();
    uint32_t plain = time_of(nothing, nothing);

    say("off", instructions(time_of(mpt_fprime_enter, mpt_fprime_exit) - plain, TURNS));
    mpt_fprime_enable(true);
    say("pair", instructions(time_of(mpt_fprime_enter, mpt_fprime_exit) - plain, TURNS));
    say("fprime_take", instructions(time_of_taking(mpt_fprime_take), 2 * TURNS));
    time_of(mpt_fprime_enter, mpt_fprime_exit);
    say("fprime_text", instructions(time_of_taking(mpt_fprime_take_text), 2 * TURNS));
    say("checkpoint", instructions(time_of(checkpoint, checkpoint) - plain, 2 * TURNS));
    say("tfm_take", instructions(time_of_taking(mpt_tfm_take), 2 * TURNS));
    time_of(checkpoint, checkpoint);
    say("tfm_text", instructions(time_of_taking(mpt_tfm_take_text), 2 * TURNS));
    semihost(0x18, (const void *)0x20026);
    return 0;
}
