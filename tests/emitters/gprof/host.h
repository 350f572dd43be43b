/* host.h - gives calls and samples to gprof's target side, and reads its bytes with the daemon's
 * dialect. */
#ifndef EMITTERS_GPROF_HOST_H
#define EMITTERS_GPROF_HOST_H

#include "mpt_gprof.h"
#include "mpt_port.h"

#include "support/listener.h"

enum { ARCS = 64, PLACES = 64 };

/* Calls of each arc and samples of each place, true or reported. Arcs and places are numbered from 0. */
struct sums {
    uint64_t calls[ARCS], samples[PLACES];
    uint64_t lost;
};

extern struct sums truth;

void host_call(unsigned arc);
void host_sample(unsigned place);

/* Starts, with a dialect that knows the range of these addresses. */
void host_begin(void);

/* Takes all waiting bytes, `room` at a time. */
void host_take(size_t room);

/* The bytes taken so far. */
const struct stream *host_bytes(void);

/* Returns the dialect's sums of the bytes so far, from offset `from` on; checks that all of them were readable. */
struct sums host_told(size_t from);

/* Checks that each arc and place was reported as often as it occurred, except for `lost` reported losses. */
void host_check(uint64_t lost);

#endif
