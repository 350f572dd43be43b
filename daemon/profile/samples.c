/* samples.c - counts samples of the program counter. */
#include "profile/samples.h"

#include "base/scarcity.h"

#include <stdlib.h>

void samples_init(struct samples *samples)
{
    *samples = (struct samples){0};
}

void samples_clear(struct samples *samples)
{
    samples->count = 0;
    samples->total = 0;
    samples->hz = 0;
    map_clear(&samples->by_address);
}

void samples_fini(struct samples *samples)
{
    free(samples->rows);
    map_fini(&samples->by_address);
}

static struct snapshot_pc *add_row(struct samples *samples, uint64_t address)
{
    if (samples->count == SAMPLES_ADDRESSES_MAX)
        return NULL;
    if (samples->count == samples->capacity) {
        uint32_t capacity = samples->capacity ? samples->capacity * 2 : 256;
        if (!scarcity_grow(&samples->rows, capacity, sizeof *samples->rows))
            return NULL;
        samples->capacity = capacity;
    }
    if (!map_set(&samples->by_address, address, samples->count))
        return NULL;
    samples->rows[samples->count] = (struct snapshot_pc){.address = address, .bytes = 1};
    return &samples->rows[samples->count++];
}

static void add_to_function(struct functions *functions, uint64_t address, uint64_t count)
{
    uint32_t id = functions_at(functions, address); /* may move the rows */
    struct snapshot_function *function = &functions->rows[id];
    function->known |= FUNCTION_SAMPLES;
    function->samples += count;
    function->changed = functions->sequence;
}

enum {
    PLACE = 2,
    PLACES_MAX = 32
}; /* bytes of the shortest instruction; for wider bins only the first address counts */

/* Returns the addresses, among those bytes, at which the ELF has a function. */
static uint32_t find_places(const struct functions *functions, uint64_t address, uint64_t bytes,
                            uint64_t places[static PLACES_MAX])
{
    uint32_t n = 0;
    if (bytes > PLACE && bytes <= PLACE * PLACES_MAX)
        for (uint64_t at = 0; at < bytes; at += PLACE)
            if (functions_has_symbol(functions, address + at))
                places[n++] = address + at;
    if (n == 0)
        places[n++] = address;
    return n;
}

void samples_add(struct samples *samples, struct functions *functions, uint64_t address, uint64_t count,
                 uint64_t bytes)
{
    uint64_t places[PLACES_MAX];
    uint32_t n = find_places(functions, address, bytes, places);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t part = count / n + (i < count % n);
        if (part > 0)
            add_to_function(functions, places[i], part);
    }
    samples->total += count;
    uint32_t row = map_find(&samples->by_address, address);
    struct snapshot_pc *pc = row == MAP_NONE ? add_row(samples, address) : &samples->rows[row];
    if (!pc)
        return;
    pc->count += count;
    if (pc->bytes < bytes)
        pc->bytes = bytes;
}
