/* mpt_gprof_records.h - the records that mpt_gprof_arc() and mpt_gprof_sample() write and mpt_gprof_take()
 * reads; not for applications. */
#ifndef MPT_GPROF_RECORDS_H
#define MPT_GPROF_RECORDS_H

#include "mpt_gprof.h"

/* Calls from one place to one function, or samples of one place, for which `from` is 0. The upper 24 bits are
 * an address, without its uppermost byte. */
struct mpt_gprof_record {
    uint32_t from; /* and the count in the low byte */
    uint32_t to;   /* and MPT_GPROF_... in the low byte, for an arc in the cache */
};

#define MPT_GPROF_COUNT      0xFFu
#define MPT_GPROF_IS_TOLD    0x01u /* the arc's number was sent to the host */
#define MPT_GPROF_GENERATION 0xC0u /* of its number; changes with each new arc in its slot */

#define MPT_GPROF_CACHED (MPT_GPROF_ARCS + MPT_GPROF_PLACES)

struct mpt_gprof {
    volatile uint16_t head, tail; /* of the ring, in records */
    volatile uint16_t lost;
    volatile bool is_on;
    volatile bool is_head_due; /* base and rate are still to be sent */
    uint8_t flush;             /* slots of the cache that are still to be checked, from the last one down */
    uint8_t flushes;           /* so far */
    struct mpt_gprof_record ring[MPT_GPROF_RING];
#if MPT_GPROF_CACHED
    struct mpt_gprof_record cache[MPT_GPROF_CACHED]; /* arcs first */
#endif
};

extern struct mpt_gprof mpt_gprof;

#endif
