/* mpt_boot.h - which start of the target it is, and which run of profiling: the end of the DESCRIPTION
 * (protocol/SPEC.md section 11); not for applications.
 *
 * A word of RAM that the start-up code leaves as it is goes on from start to start, through all its values
 * before one comes again; after the power was off it goes on from what RAM holds then. A port may know a
 * better number. Where neither is there, it is 0: not known. */
#ifndef MPT_BOOT_H
#define MPT_BOOT_H

#include "mpt_port.h"
#include "mpt_stream.h"
#include "mpt_tree_send.h"
#include "protocol/description.h"

#if !defined MPT_PORT_BOOT && defined MPT_PORT_NOINIT
static MPT_PORT_NOINIT uint32_t mpt_boot_word;
#define MPT_BOOT_NUMBER() mpt_boot_word
#else
static uint32_t mpt_boot_number;
#define MPT_BOOT_NUMBER() mpt_boot_number
#endif

/* A start begins. */
static inline void mpt_boot_begin(void)
{
#if !MPT_DESCRIBE
    return;
#elif defined MPT_PORT_BOOT
    mpt_boot_number = MPT_PORT_BOOT() | 1u;
#elif defined MPT_PORT_NOINIT
    do
        mpt_boot_word = mpt_boot_word * 1664525u + 1013904223u;
    while (!mpt_boot_word);
#endif
}

/* Writes both to `out`: the run that is under way, if it `is_on`, or was last, of that version (0: there was
 * none). Returns their size. */
static inline uint32_t mpt_boot_describe(uint8_t *out, uint8_t version, bool is_on, bool is_flat)
{
    const struct mp_description_run run = {
        .boot = MPT_BOOT_NUMBER(),
        .run = MPT_VERSION_2 && version == 2   ? mpt_stream_run()
               : MPT_VERSION_3 && version == 3 ? mpt_tree_run()
                                               : 0,
        .is_on = is_on,
        .is_flat = version == 3 && is_flat,
        .version = version,
    };

    mp_description_run_encode(&run, out);
    return MP_DESCRIPTION_RUN;
}

#endif
