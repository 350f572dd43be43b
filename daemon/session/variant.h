/* variant.h - a sentence on the form of a target's packets. */
#ifndef SESSION_VARIANT_H
#define SESSION_VARIANT_H

#include "protocol/frame_reader.h"
#include "snapshot/snapshot.h"

static inline void variant_tell(enum mp_frame_variant variant, struct snapshot_link *link)
{
    static const struct {
        const char *header_order, *crc_init;
    } names[] = {
        [MP_VARIANT_AA55_FFFF] = {"AA 55", "0xFFFF"},
        [MP_VARIANT_AA55_0000] = {"AA 55", "0x0000"},
        [MP_VARIANT_55AA_FFFF] = {"55 AA", "0xFFFF"},
        [MP_VARIANT_55AA_0000] = {"55 AA", "0x0000"},
    };
    link->header_order = names[variant].header_order;
    link->crc_init = names[variant].crc_init;
}

#endif
