/* example_work.c - a pump in outline, instrumented: it sends each kind of message in every round. Tests check
 * all of them. */
#include "example_work.h"

#include "mpt_syst.h"

MPT_SYST_MODULE_NAME(7, "motor");
MPT_SYST_MODULE_NAME(9, "timer interrupt");
MPT_SYST_GUID_NAME("{494E5443-0000-4014-A65A-2F36A36D96E4}", "pump");

static const struct mpt_syst_origin motor = {
    .module = 7, .unit = 1, .with = MPT_SYST_STAMPED | MPT_SYST_CHECKED};
static const struct mpt_syst_origin timer = {.module = 9, .with = MPT_SYST_STAMPED | MPT_SYST_CHECKED};
static const struct mpt_syst_origin pump = {
    .guid = {0x49, 0x4E, 0x54, 0x43, 0, 0, 0x40, 0x14, 0xA6, 0x5A, 0x2F, 0x36, 0xA3, 0x6D, 0x96, 0xE4},
    .has_guid = true,
    .unit = 300,
    .with = MPT_SYST_STAMPED | MPT_SYST_CHECKED | MPT_SYST_CALLER};

void work_begin(void)
{
    mpt_syst_clock(&motor, MPT_SYST_MAX);
    mpt_syst_build(&motor, MPT_SYST_INFO, BUILD, "example 1.0");
    mpt_syst_build(&pump, MPT_SYST_INFO, BUILD, "example 1.0");
}

static void filter(unsigned round)
{
    static uint8_t data[33];

    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(round * 7 + i * i);
    mpt_syst_raw(&pump, MPT_SYST_USER2, 5, data, round % sizeof data);
}

/* Without hooks, since it reports its calls itself: each would count twice. */
__attribute__((no_instrument_function)) static void control(unsigned round)
{
    mpt_syst_enter(&motor, MPT_SYST_DEBUG, "control");
    filter(round);
    mpt_syst_printf(&motor, MPT_SYST_WARNING, "%d of %s, %5.2f bar, %#llx %c%%", (int)round - 20, "forty",
                    round / 8.0, 0x100000000ull * round + 0xABC, (int)('a' + round % 26));
    MPT_SYST_CATALOG(&motor, MPT_SYST_ERROR, "value %d of \"%s\", 100%% <&> \t|", (int)round * -3,
                     round % 2 ? "odd" : "even");
    mpt_syst_exit(&motor, MPT_SYST_DEBUG, "control");
}

void work_round(unsigned round)
{
    control(round);
    MPT_SYST_CATALOG(&pump, MPT_SYST_INFO, "%hhu %ld %lld %zu %.3e %p", (unsigned char)round, -(long)round,
                     -5000000000ll - round, (size_t)round, 1.0 / (round + 1), (void *)(0x20000000 + round));
    MPT_SYST_CATALOG_64(&pump, MPT_SYST_USER1, "64 bits, round %u", round);
    MPT_SYST_CATALOG(&motor, MPT_SYST_DEBUG, "nothing to add");
    mpt_syst_string(MPT_SYST_HERE(&motor), MPT_SYST_FATAL, "with file and line");
    mpt_syst_short32(round);
    mpt_syst_short64(0x123456789ABC000ull + round);
}

void work_burst(void)
{
    for (unsigned i = 0; i < BURST; i++)
        MPT_SYST_CATALOG(&motor, MPT_SYST_USER1, "burst %u", i);
}

void work_interrupt(unsigned number)
{
    mpt_syst_printf(&timer, MPT_SYST_DEBUG, "interrupt %u", number);
}

void work_end(unsigned interrupts)
{
    mpt_syst_printf(&motor, MPT_SYST_MAX, "done: %u interrupts, %u lost", interrupts,
                    (unsigned)mpt_syst_lost());
}
