/* host.h - calls and samples given to gprof's target side, and what the daemon's dialect reads
 * of its bytes. */
#ifndef EMITTERS_GPROF_HOST_H
#define EMITTERS_GPROF_HOST_H

#include "mpt_gprof.h"
#include "mpt_port.h"

#include "support/listener.h"

enum { ARCS = 64, PLACES = 64 };

/* How often each arc was called and each place sampled: in truth, and as it was reported. Arcs and places have
 * numbers below those. */
struct sums {
    uint64_t calls[ARCS], samples[PLACES];
    uint64_t lost;
};

extern struct sums truth;

void host_call(unsigned arc);
void host_sample(unsigned place);

/* Starts, with the dialect listening to a code of those addresses. */
void host_begin(void);

/* Takes all there is, `room` bytes at a time. */
void host_take(size_t room);

/* The bytes taken so far. */
const struct stream *host_bytes(void);

/* What the dialect reported of the bytes so far, from the `from`th on; and that all of them could be read. */
struct sums host_told(size_t from);

/* That each arc and place was reported as often as it came, less the reported losses, which are `lost`. */
void host_check(uint64_t lost);

#endif
