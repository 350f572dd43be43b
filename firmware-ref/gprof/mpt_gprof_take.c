/* mpt_gprof_take.c - encodes records for the host (protocol/SPEC.md section 15). */
#include "mpt_gprof_records.h"

#include "mpt_port.h"

/* Base, rate and numbers are sent again with every 16th flush, for a host that has connected later or has
 * lost some. */
enum { FLUSHES = 16 };

#define TELLS_ALL (mpt_gprof.flushes % FLUSHES == 1)

void mpt_gprof_flush(void)
{
    if (!MPT_GPROF_CACHED || mpt_gprof.flush)
        return;
    mpt_gprof.flush = MPT_GPROF_CACHED;
    mpt_gprof.flushes++;
    mpt_gprof.is_head_due = mpt_gprof.is_head_due || TELLS_ALL;
}

void mpt_gprof_stop(void)
{
    mpt_gprof.is_on = false;
    mpt_gprof.flush = MPT_GPROF_CACHED;
    mpt_gprof.flushes++;
}

static uint8_t *put_address(uint8_t *at, uint32_t word)
{
    *at++ = (uint8_t)(word >> 24);
    *at++ = (uint8_t)(word >> 16);
    *at++ = (uint8_t)(word >> 8);
    return at;
}

/* A reader recognises such a record by the sum of all its bytes: 0. */
static uint8_t *put_checked(uint8_t *at, uint8_t type, uint32_t value, uint32_t bytes)
{
    uint8_t sum = type;

    *at++ = type;
    while (bytes--) {
        *at = (uint8_t)(value >> 8 * bytes);
        sum = (uint8_t)(sum + *at++);
    }
    *at = (uint8_t)-sum;
    return at + 1;
}

static uint8_t *put_lost(uint8_t *at)
{
    uint32_t key = mpt_port_lock();
    uint16_t lost = mpt_gprof.lost;

    mpt_gprof.lost = 0;
    mpt_port_unlock(key);
    return put_checked(at, 'L' + 0x80, lost, 2);
}

/* Writes a record in full; a count of one is sent as a raw record. */
static uint8_t *put_record(uint8_t *at, const struct mpt_gprof_record *record)
{
    uint8_t n = (uint8_t)record->from;
    bool is_arc = record->from > MPT_GPROF_COUNT;

    *at++ = (uint8_t)((is_arc ? 'A' : 'P') + (n == 1 ? 0 : 0x80));
    if (n != 1)
        *at++ = n;
    if (is_arc)
        at = put_address(at, record->from);
    return put_address(at, record->to);
}

#if MPT_GPROF_CACHED
/* Writes an arc of the cache, by its number once that was sent. */
static uint8_t *put_arc(uint8_t *at, const struct mpt_gprof_record *record, uint32_t place)
{
    uint32_t n = (uint8_t)record->from;
    uint8_t *letter = at++;

    *at++ = (uint8_t)((record->to & MPT_GPROF_GENERATION) + place);
    if (record->to & MPT_GPROF_IS_TOLD && !TELLS_ALL) {
        *letter = 'I' + 0x80;
        if (n != 1) {
            *letter = 'N' + 0x80;
            *at++ = (uint8_t)n;
        }
        return at;
    }
    *letter = 'D' + 0x80;
    *at++ = (uint8_t)n;
    return put_address(put_address(at, record->from), record->to);
}

/* Writes the next slot of the flush in which something was counted. Returns `at` when there is none. */
static uint8_t *put_cached(uint8_t *at)
{
    while (mpt_gprof.flush) {
        uint32_t place = --mpt_gprof.flush;
        struct mpt_gprof_record *cached = &mpt_gprof.cache[place];
        uint32_t key = mpt_port_lock();
        struct mpt_gprof_record record = *cached;

        if ((uint8_t)record.from) {
            cached->from = record.from & ~MPT_GPROF_COUNT;
            cached->to = record.to | MPT_GPROF_IS_TOLD;
        }
        mpt_port_unlock(key);
        if ((uint8_t)record.from)
            return place < MPT_GPROF_ARCS ? put_arc(at, &record, place) : put_record(at, &record);
    }
    return at;
}
#else
static uint8_t *put_cached(uint8_t *at)
{
    return at;
}
#endif

static uint8_t *put_next(uint8_t *at)
{
    uint16_t tail = mpt_gprof.tail;

#if MPT_GPROF_CACHED
    if (mpt_gprof.is_head_due) {
        mpt_gprof.is_head_due = false;
        return put_checked(at, 'H' + 0x80, MPT_GPROF_BASE >> 8 | MPT_GPROF_HZ, 3);
    }
#endif
    if (mpt_gprof.lost)
        return put_lost(at);
    if (tail == mpt_gprof.head)
        return put_cached(at);
    at = put_record(at, &mpt_gprof.ring[tail % MPT_GPROF_RING]);
    mpt_gprof.tail = (uint16_t)(tail + 1u);
    return at;
}

size_t mpt_gprof_take(uint8_t *to, size_t room)
{
    uint8_t *at = to;

    while (room - (size_t)(at - to) >= MPT_GPROF_RECORD_MAX) {
        uint8_t *next = put_next(at);

        if (next == at)
            break;
        at = next;
    }
    return (size_t)(at - to);
}
