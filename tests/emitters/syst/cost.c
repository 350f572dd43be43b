/* cost.c - measures the instructions to write and to send a SyS-T message, and its bytes on the line. Runs in the
 * emulator, where time follows the number of instructions. */
#include "mpt_port.h"
#include "mpt_syst.h"

enum { TURNS = 500, TICK_NS = 40, INSTRUCTION_NS = 32 };

int main(int argc, char **argv);
void SysTick_Handler(void);

void SysTick_Handler(void) {}

static const struct mpt_syst_origin plain = {.module = 7};
static const struct mpt_syst_origin full = {.module = 7, .with = MPT_SYST_STAMPED | MPT_SYST_CHECKED};

static void nothing(void)
{
    __asm__ volatile("");
}

static void catalog(void)
{
    MPT_SYST_CATALOG(&plain, MPT_SYST_INFO, "value %d of %u", 5, 7u);
}

static void catalog_full(void)
{
    MPT_SYST_CATALOG(&full, MPT_SYST_INFO, "value %d of %u", 5, 7u);
}

static void text(void)
{
    mpt_syst_printf(&plain, MPT_SYST_INFO, "value %d of %u", 5, 7u);
}

static void text_full(void)
{
    mpt_syst_printf(&full, MPT_SYST_INFO, "value %d of %u", 5, 7u);
}

static void enter_full(void)
{
    mpt_syst_enter(&full, MPT_SYST_DEBUG, "control_cycle");
}

static void number(void)
{
    mpt_syst_short32(5);
}

/* ---- measuring ---- */

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

static uint32_t bytes;

static void take(void)
{
    static uint8_t some[256];

    bytes += mpt_syst_take(some, sizeof some);
}

/* Ticks of writing, or of taking, over TURNS turns. */
static uint32_t time_of(void (*volatile say)(void), bool is_taking)
{
    uint32_t ticks = 0;

    for (uint32_t i = 0; i < TURNS; i++) {
        uint32_t begun = mpt_port_ticks();
        say();
        uint32_t said = mpt_port_ticks();
        take();
        ticks += ((is_taking ? mpt_port_ticks() - said : said - begun)) & 0xFFFFFFu;
    }
    return ticks;
}

static uint32_t instructions(uint32_t ticks, uint32_t of_nothing)
{
    return ((ticks - of_nothing) * (TICK_NS / 8) / (INSTRUCTION_NS / 8) + TURNS / 2) / TURNS;
}

static void write_number(uint32_t value)
{
    char digits[] = "       ";
    char *digit = digits + sizeof digits - 2;

    do
        *digit-- = (char)('0' + value % 10);
    while (value /= 10);
    semihost(0x04, digits);
}

/* Prints a line: case, instructions to write it, to take it, bytes. */
static void measure(const char *name, void (*say)(void))
{
    uint32_t said = instructions(time_of(say, false), time_of(nothing, false));

    bytes = 0;
    uint32_t taken = instructions(time_of(say, true), time_of(nothing, true));

    semihost(0x04, name);
    write_number(said);
    write_number(taken);
    write_number(bytes / TURNS);
    semihost(0x04, "\n");
}

int main(int argc, char **argv)
{
    volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u;

    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 5; /* processor clock, no interrupt */
    mpt_syst_frame(FRAMING);
    measure("catalog", catalog);
    measure("catalog_full", catalog_full);
    measure("printf", text);
    measure("printf_full", text_full);
    measure("enter_full", enter_full);
    measure("number", number);
    semihost(0x18, (const void *)0x20026); /* exit, as it should be */
}
