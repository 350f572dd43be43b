/* samples.h - where the program counter was found. */
#ifndef PROFILE_SAMPLES_H
#define PROFILE_SAMPLES_H

#include "base/map.h"
#include "profile/functions.h"
#include "snapshot/snapshot.h"

/* The counts so far. */
struct samples {
    struct snapshot_pc *rows; /* one per address */
    uint32_t count, capacity;
    struct map by_address;
    uint64_t total;
    uint32_t hz; /* of the newest; 0: as many a second as ticks */
};

/* The most addresses; samples of further ones count for their functions only. */
enum { SAMPLES_ADDRESSES_MAX = 262144 };

void samples_init(struct samples *samples);
void samples_fini(struct samples *samples);
void samples_clear(struct samples *samples);

/* Adds `count` samples, taken somewhere in the `bytes` (0: 1) of code from `address` on. They also count for
 * the function there; of several, each has its part, as gprof shares them out. */
void samples_add(struct samples *samples, struct functions *functions, uint64_t address, uint64_t count,
                 uint64_t bytes);

#endif
