/* mpt_gprof.c - records arcs and samples: in the cache, and from there, or directly, in the ring. Interrupts
 * are locked out during that, so that none finds a record half written. */
#include "mpt_gprof_records.h"

#include "mpt_port.h"

struct mpt_gprof mpt_gprof;

void mpt_gprof_start(void)
{
    mpt_gprof.flushes = 0;
    mpt_gprof.is_head_due = true;
    mpt_gprof.is_on = true;
}

uint16_t mpt_gprof_lost(void)
{
    return mpt_gprof.lost;
}

static bool put(uint32_t from, uint32_t to)
{
    uint16_t head = mpt_gprof.head;

    if ((uint16_t)(head - mpt_gprof.tail) == MPT_GPROF_RING)
        return false;
    mpt_gprof.ring[head % MPT_GPROF_RING] = (struct mpt_gprof_record){from, to};
    mpt_gprof.head = (uint16_t)(head + 1u);
    return true;
}

#if MPT_GPROF_CACHED
enum { WAYS = 4 };

static bool is_of(const struct mpt_gprof_record *record, uint32_t from, uint32_t to)
{
    return ((record->from ^ from) | (record->to ^ to)) <= MPT_GPROF_COUNT;
}

/* Counts in one of four of the `n` slots. If none has the arc, the slot with the fewest calls since the last
 * report is freed. */
static bool count(struct mpt_gprof_record *places, uint32_t n, uint32_t from, uint32_t to)
{
    uint32_t hash = from ^ to, first = ((hash ^ hash >> 5) >> 9) & (n - 1u), way = 0;
    struct mpt_gprof_record *least = &places[first], *at;

    for (at = least; !is_of(at, from, to); at = &places[first ^ way]) {
        if ((uint8_t)at->from < (uint8_t)least->from)
            least = at;
        if (++way == WAYS) {
            at = least;
            if ((uint8_t)at->from && !put(at->from, at->to))
                return false;
            at->from = from;
            at->to = to | ((at->to + 0x40u) & MPT_GPROF_GENERATION);
            break;
        }
    }
    if ((uint8_t)at->from == MPT_GPROF_COUNT) {
        if (!put(at->from, at->to))
            return false;
        at->from -= MPT_GPROF_COUNT;
    }
    at->from++;
    return true;
}
#endif

static void add(uint32_t from, uint32_t to)
{
    uint32_t key = mpt_port_lock();
    bool is_kept;

    if ((to ^ MPT_GPROF_BASE) >> 24)
        is_kept = false;
#if MPT_GPROF_ARCS
    else if (from)
        is_kept = count(mpt_gprof.cache, MPT_GPROF_ARCS, from << 8, to << 8);
#endif
#if MPT_GPROF_PLACES
    else if (!from)
        is_kept = count(mpt_gprof.cache + MPT_GPROF_ARCS, MPT_GPROF_PLACES, 0, to << 8);
#endif
    else
        is_kept = put(from << 8 | 1u, to << 8);
    if (!is_kept && mpt_gprof.lost != UINT16_MAX)
        mpt_gprof.lost++;
    mpt_port_unlock(key);
}

/* An interrupt's handler is called from a number that is no address, 0xFFFFFFxx. If `from` is 0, there is no
 * caller. */
void mpt_gprof_arc(uint32_t from, uint32_t to)
{
    if (!mpt_gprof.is_on)
        return;
    if (((from - 1u) ^ MPT_GPROF_BASE) >> 24 && from < 0xFFFFFF00u)
        to = ~MPT_GPROF_BASE;
    add(from, to);
}

void mpt_gprof_sample(uint32_t pc)
{
    if (mpt_gprof.is_on)
        add(0, pc);
}
