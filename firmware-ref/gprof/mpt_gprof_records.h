/* mpt_gprof_records.h - what mpt_gprof_arc() and mpt_gprof_sample() leave and mpt_gprof_take() finds; not for
 * applications. */
#ifndef MPT_GPROF_RECORDS_H
#define MPT_GPROF_RECORDS_H

#include "mpt_gprof.h"

/* Calls from one place to one function, or samples of one place, for which `from` is 0. The upper 24 bits are
 * an address, without its uppermost byte. */
struct mpt_gprof_record {
    uint32_t from; /* and how many, below */
    uint32_t to;   /* and MPT_GPROF_..., below, of an arc in the cache */
};

#define MPT_GPROF_COUNT      0xFFu
#define MPT_GPROF_IS_TOLD    0x01u /* the host knows the arc by its number */
#define MPT_GPROF_GENERATION 0xC0u /* of its number; changes with each other arc in its place */

#define MPT_GPROF_CACHED (MPT_GPROF_ARCS + MPT_GPROF_PLACES)

struct mpt_gprof {
    volatile uint16_t head, tail; /* of the ring, in records */
    volatile uint16_t lost;
    volatile bool is_on;
    volatile bool is_head_due; /* what the host is to know about all records is to be sent */
    uint8_t flush;   /* places of the cache that are still to be looked at, from the last one down */
    uint8_t flushes; /* so far */
    struct mpt_gprof_record ring[MPT_GPROF_RING];
#if MPT_GPROF_CACHED
    struct mpt_gprof_record cache[MPT_GPROF_CACHED]; /* arcs first */
#endif
};

extern struct mpt_gprof mpt_gprof;

#endif
