/* test_f405_clock.c - tests the netduinoplus2 port's clocks with a model of the STM32F405's registers: they must stay
 * within the part's limits, a wait for a clock that does not start must end, and the line must have its rate. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CRYSTAL_TURNS = 2000, PLL_TURNS = 300, LONG = 1000000000 };

/* The model of the part. Each access to its registers is a turn, in which earlier writes take effect. */
static struct part {
    uint32_t rcc[32], before[32], flash, gpio[16];
    uint32_t crystal_in, pll_in; /* turns until they are ready */
    uint32_t crystal, pll;       /* turns since they were started */
    uint32_t turns;
} part;

static volatile uint32_t *part_rcc(void);

#define RCC        part_rcc()
#define FLASH_WAIT part.flash
#define GPIOA      part.gpio

#include "port/netduinoplus2/clock.c"

static uint32_t pll_hz(void)
{
    uint32_t pll = part.rcc[RCC_PLL];
    uint32_t in = (pll & PLL_FROM_CRYSTAL ? 25000000 : INTERNAL_HZ) / (pll & 63);

    cr_assert(in >= 1000000 && in <= 2000000, "the PLL takes 1 to 2 MHz");
    return in * (pll >> 6 & 511) / (2 * (pll >> 16 & 3) + 2);
}

/* Checks a switch to the PLL: the PLL is ready and has its rate, and the bus and the flash can follow. */
static void check_switch(uint32_t config)
{
    cr_assert(part.rcc[RCC_CONTROL] & PLL_READY, "the PLL is ready before the processor runs by it");
    cr_assert_eq(pll_hz(), 168000000);
    cr_assert(part.flash >= 5 && (config & HALF_AND_QUARTER) == HALF_AND_QUARTER);
    if (part.rcc[RCC_PLL] & PLL_FROM_CRYSTAL)
        cr_assert(part.rcc[RCC_CONTROL] & CRYSTAL_READY);
}

static volatile uint32_t *part_rcc(void)
{
    uint32_t *control = &part.rcc[RCC_CONTROL], *config = &part.rcc[RCC_CONFIG];
    int by_pll = (part.before[RCC_CONFIG] & SWITCH_DONE) == BY_PLL << 2;

    part.turns++;
    if (!part.before[RCC_CONTROL])
        return part.rcc;
    if (part.before[RCC_CONTROL] & PLL_ON)
        cr_assert_eq(part.rcc[RCC_PLL], part.before[RCC_PLL], "the PLL is set while it is off");
    cr_assert(!by_pll || *control & PLL_ON, "what the processor runs by stays on");
    cr_assert(by_pll || *control & INTERNAL_ON);
    part.crystal = *control & CRYSTAL_ON ? part.crystal + 1 : 0;
    part.pll = *control & PLL_ON ? part.pll + 1 : 0;
    *control &= ~(uint32_t)(INTERNAL_READY | CRYSTAL_READY | PLL_READY);
    *control |= (*control & INTERNAL_ON ? INTERNAL_READY : 0) |
                (part.crystal > part.crystal_in ? CRYSTAL_READY : 0) |
                (part.pll > part.pll_in ? PLL_READY : 0);
    *config &= ~(uint32_t)SWITCH_DONE;
    if ((*config & SWITCH) == BY_PLL)
        check_switch(*config);
    *config |= (*config & SWITCH) << 2;
    memcpy(part.before, part.rcc, sizeof part.rcc);
    return part.rcc;
}

/* Resets the part. Its crystal and PLL are ready after this many turns. */
static void reset(uint32_t crystal_in, uint32_t pll_in)
{
    part = (struct part){.crystal_in = crystal_in, .pll_in = pll_in};
    part.rcc[RCC_CONTROL] = INTERNAL_ON | INTERNAL_READY | 16 << 3;
    part.rcc[RCC_PLL] = 0x24003010;
    memcpy(part.before, part.rcc, sizeof part.rcc);
}

/* Checks the final clocks, and that USART1 has its rate with the returned clock `said`. */
static void check(uint32_t said, uint32_t hz, bool from_crystal)
{
    uint32_t divisor = (said + USART_BAUD / 2) / USART_BAUD;
    bool by_pll = (RCC[RCC_CONFIG] & SWITCH_DONE) == BY_PLL << 2;
    double baud = (by_pll ? pll_hz() / 2 : INTERNAL_HZ) / (double)divisor;

    cr_assert_eq(said, hz);
    cr_assert(baud > 0.975 * USART_BAUD && baud < 1.025 * USART_BAUD, "%.0f", baud);
    cr_assert_eq(!!(part.rcc[RCC_CONTROL] & CRYSTAL_ON), from_crystal);
    cr_assert_lt(part.turns, 3 * TURNS_MOST, "every wait ends");
}

Test(f405_clock, it_runs_from_the_crystal_at_168_mhz)
{
    reset(CRYSTAL_TURNS, PLL_TURNS);
    check(clock_open(), USART_HZ, true);
    cr_assert(part.rcc[RCC_PLL] & PLL_FROM_CRYSTAL);
    cr_assert_lt(part.turns, 2 * (CRYSTAL_TURNS + PLL_TURNS));
}

Test(f405_clock, without_a_crystal_the_internal_oscillator_feeds_the_pll)
{
    reset(LONG, PLL_TURNS);
    check(clock_open(), USART_HZ, false);
    cr_assert_not(part.rcc[RCC_PLL] & PLL_FROM_CRYSTAL);
}

Test(f405_clock, without_the_pll_the_line_has_its_rate_from_the_internal_oscillator)
{
    reset(LONG, LONG);
    check(clock_open(), INTERNAL_HZ, false);
    cr_assert_not(part.rcc[RCC_CONTROL] & PLL_ON);
    cr_assert_eq(part.rcc[RCC_CONFIG], 0);
}

Test(f405_clock, the_clock_set_by_a_boot_loader_is_switched_off_first)
{
    reset(0, 0);
    part.rcc[RCC_CONTROL] = CRYSTAL_ON | CRYSTAL_READY | PLL_ON | PLL_READY;
    part.rcc[RCC_PLL] = 25 | PLL_336_BY_2 | PLL_FROM_CRYSTAL;
    part.rcc[RCC_CONFIG] = BY_PLL | BY_PLL << 2 | HALF_AND_QUARTER;
    part.flash = 5;
    memcpy(part.before, part.rcc, sizeof part.rcc);
    check(clock_open(), USART_HZ, true);
}

Test(f405_clock, where_there_are_no_such_registers_nothing_is_done)
{
    static const uint32_t nothing[32];

    part = (struct part){0};
    cr_assert_eq(clock_open(), USART_HZ);
    cr_assert_eq(part.turns, 1);
    cr_assert_arr_eq(part.rcc, nothing, sizeof nothing);
}
