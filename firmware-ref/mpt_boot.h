/* mpt_boot.h - numbers the start, and detects a counter that stands still: the end of the DESCRIPTION
 * (protocol/SPEC.md section 11); not for applications.
 *
 * A word of RAM that the start-up code leaves unchanged is stepped at each start, through all values before
 * one repeats; after the power was off it continues from whatever RAM holds. A port may have a better number.
 * With neither, the number is 0: unknown. */
#ifndef MPT_BOOT_H
#define MPT_BOOT_H

#include "mpt_port.h"
#include "mpt_stream.h"
#include "mpt_tree_send.h"
#include "protocol/description.h"

#if MPT_DESCRIBE

#if !defined MPT_PORT_BOOT && defined MPT_PORT_NOINIT
static MPT_PORT_NOINIT uint32_t mpt_boot_word;
#define MPT_BOOT_NUMBER() mpt_boot_word
#else
static uint32_t mpt_boot_number;
#define MPT_BOOT_NUMBER() mpt_boot_number
#endif

static uint32_t mpt_boot_ticks; /* the counter's value at the target's start */

/* Numbers a start. */
static inline void mpt_boot_begin(void)
{
    mpt_boot_ticks = mpt_port_ticks();
#if defined MPT_PORT_BOOT
    mpt_boot_number = MPT_PORT_BOOT();
    if (!mpt_boot_number)
        mpt_boot_number = 1u << 31; /* 0 is unknown */
#elif defined MPT_PORT_NOINIT
    do
        mpt_boot_word = mpt_boot_word * 1664525u + 1013904223u;
    while (!mpt_boot_word);
#endif
}

/* Returns true when the counter still stands where it was at the target's start. Many readings give a slow
 * counter time to move. */
static inline bool mpt_boot_counter_stands(void)
{
    enum { READINGS = 10000 };

    for (uint32_t i = 0; i < READINGS; i++) {
        if (mpt_port_ticks() != mpt_boot_ticks)
            return false;
    }
    return true;
}

/* Writes the end of the DESCRIPTION to `out`. `version`: of the run that is under way (`is_on`), else of the last
 * one; 0: there was none. Returns the size. */
static inline uint32_t mpt_boot_describe(uint8_t *out, uint8_t version, bool is_on, bool is_flat)
{
    const struct mp_description_run run = {
        .boot = MPT_BOOT_NUMBER(),
        .run = MPT_VERSION_2 && version == 2   ? mpt_stream_run()
               : MPT_VERSION_3 && version == 3 ? mpt_tree_run()
                                               : 0,
        .is_on = is_on,
        .is_flat = version == 3 && is_flat,
        .counter_stands = mpt_boot_counter_stands(),
        .version = version,
    };

    mp_description_run_encode(&run, out);
#ifdef MPT_PORT_CORE
    mp_description_run_add_cores(out);
#endif
    return MP_DESCRIPTION_RUN;
}

#else
static inline void mpt_boot_begin(void) {}
#endif

#endif
