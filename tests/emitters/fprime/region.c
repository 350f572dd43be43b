/* region.c - the memory at MPT_FPRIME_REGION_START. */
#include "fprime/mpt_fprime.h"

#include <stdlib.h>
#include <sys/mman.h>

_Static_assert(MPT_FPRIME_EVENTS == 16, "what finds room, rounded down to a power of two");

static __attribute__((constructor)) void map_region(void)
{
    void *place = (void *)(uintptr_t)MPT_FPRIME_REGION_START;
    if (mmap(place, MPT_FPRIME_REGION_SIZE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != place)
        abort();
}
