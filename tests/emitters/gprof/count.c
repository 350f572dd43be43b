/* count.c - measures the instructions of an arc, case by case, and checks that the reporting function keeps its
 * arguments. Runs in the emulator, where time follows the number of instructions. Compiled with -pg. */
#include "mpt_gprof.h"

#include "mpt_port.h"

#define PLAIN __attribute__((no_instrument_function))

enum { TURNS = 200, TICK_NS = 40, INSTRUCTION_NS = 32 };

void SysTick_Handler(void);
int main(int argc, char **argv);

PLAIN void SysTick_Handler(void) {}

PLAIN void mpt_keep_time(void);
PLAIN void mpt_keep_time(void) {}

PLAIN size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return n;
}

PLAIN static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

PLAIN static void say(const char *name, uint32_t number)
{
    char digits[] = " 00000\n";

    for (char *digit = digits + 5; number; number /= 10)
        *digit-- = (char)('0' + number % 10);
    semihost(0x04, name);
    semihost(0x04, digits);
}

PLAIN static uint32_t instructions(uint32_t ticks, uint32_t turns)
{
    return ((ticks & 0xFFFFFFu) * (TICK_NS / 8) / (INSTRUCTION_NS / 8) + turns / 2) / turns;
}

typedef uint32_t function(uint32_t, uint32_t, uint32_t, uint32_t);

__attribute__((noinline)) static uint32_t called(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a ^ b << 8 ^ c << 16 ^ d << 24;
}

PLAIN __attribute__((noinline)) static uint32_t called_plain(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a ^ b << 8 ^ c << 16 ^ d << 24;
}

PLAIN static uint32_t time_of(function *volatile f, uint32_t *wrong)
{
    uint32_t begun = mpt_port_ticks();

    for (uint32_t i = 0; i < TURNS; i++)
        *wrong += f(1 + i, 2, 3, 4) != ((1 + i) ^ 0x04030200u);
    return mpt_port_ticks() - begun;
}

/* Only the arithmetic of the loop, whose time is subtracted. */
PLAIN __attribute__((noinline)) static void no_arc(uint32_t from, uint32_t to)
{
    __asm__ volatile("");
}

typedef void arc(uint32_t, uint32_t);

/* Times more arcs than fit into the cache, one after the other, beginning with `first`. */
PLAIN static uint32_t time_of_arcs(arc *volatile f, uint32_t n, uint32_t first)
{
    uint32_t begun = mpt_port_ticks();

    for (uint32_t i = 0; i < n; i++)
        f(0x1001 + 6 * (first + i), 0x8001 + 64 * (first + i));
    return mpt_port_ticks() - begun;
}

PLAIN static void drain(void)
{
    mpt_gprof_flush();
    while (mpt_gprof_poll())
        ;
}

PLAIN static void count_calls(void)
{
    uint32_t wrong = 0, plain = time_of(called_plain, &wrong), off = time_of(called, &wrong);

    say("off", instructions(off - plain, TURNS));
    mpt_gprof_start();
    (void)called(1, 2, 3, 4);
    drain();
    say("arc", instructions(time_of(called, &wrong) - plain, TURNS));
    drain();
    say("wrong_arguments", wrong);
}

/* Counts arcs each of which puts a record into the ring. */
PLAIN static void count_misses(void)
{
    const uint32_t cached = MPT_GPROF_ARCS + MPT_GPROF_PLACES;
    uint32_t ticks = 0, first = 0;

    for (uint32_t i = 0; i < 8; i++, first += MPT_GPROF_RING) {
        if (cached && i == 0)
            for (; first < 200; first++) { /* the cache is full, of arcs that are not sent */
                mpt_gprof_arc(0x1001 + 6 * first, 0x8001 + 64 * first);
                if (mpt_gprof_lost() == 0)
                    (void)mpt_gprof_poll();
            }
        ticks +=
            time_of_arcs(mpt_gprof_arc, MPT_GPROF_RING, first) - time_of_arcs(no_arc, MPT_GPROF_RING, first);
        while (mpt_gprof_poll())
            ;
    }
    say("miss", instructions(ticks, 8 * MPT_GPROF_RING)); /* without the stub */
}

PLAIN static void count_sending(void)
{
    uint32_t ticks = 0;

    drain();
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t k = 0; k < (MPT_GPROF_ARCS ? MPT_GPROF_ARCS / 4 : MPT_GPROF_RING); k++)
            mpt_gprof_arc(0x1001 + 6 * k, 0x8001);
        uint32_t begun = mpt_port_ticks();
        drain();
        ticks += mpt_port_ticks() - begun;
    }
    say("send", instructions(ticks, 8 * (MPT_GPROF_ARCS ? MPT_GPROF_ARCS / 4 : MPT_GPROF_RING)));
}

PLAIN int main(int argc, char **argv)
{
    volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u;

    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 5; /* processor clock, on */
    count_calls();
    count_misses();
    count_sending();
    semihost(0x18, (const void *)0x20026);
    return 0;
}
