/* samples.h - counts samples of the program counter. */
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
    uint32_t hz; /* rate of the newest; 0: the ticks per second */
};

/* Limit of addresses; samples of further ones only count for their functions. */
enum { SAMPLES_ADDRESSES_MAX = 262144 };

void samples_init(struct samples *samples);
void samples_fini(struct samples *samples);
void samples_clear(struct samples *samples);

/* Adds `count` samples, taken somewhere in `bytes` of code (0: 1) from `address` on. They also count for the
 * function there; among several functions they are divided, as gprof does. */
void samples_add(struct samples *samples, struct functions *functions, uint64_t address, uint64_t count,
                 uint64_t bytes);

#endif
