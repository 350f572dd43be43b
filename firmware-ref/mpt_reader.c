/* mpt_reader.c - the reading end of the ring, for mpt_poll(). */
#include "mpt_ring.h"

bool mpt_ring_thaw(struct mpt_frozen *frozen)
{
    struct mpt_ring *const r = &mpt_ring;
    uint32_t key = mpt_port_lock();
    bool is_empty = r->is_frozen && r->read == r->limit;

    if (is_empty) {
        frozen->lost = r->lost;
        frozen->mark = r->mark;
        frozen->task = r->task;
        r->lost = r->mark = 0;
        for (uint32_t i = 0; i < MPT_TASKS; i++) {
            frozen->gap[i] = r->gap[i];
            r->gap[i] = (struct mpt_gap){0};
        }
        r->ticks = r->now = mpt_widen(r->now, mpt_port_ticks());
        r->limit = r->read + MPT_RING_EVENTS * MPT_RING_STEP;
        r->head = r->read + mpt_exception();
        r->is_frozen = false;
    }
    mpt_port_unlock(key);
    return is_empty;
}

uint32_t mpt_ring_fill(void)
{
    struct mpt_ring *const r = &mpt_ring;
    uint32_t key = mpt_port_lock();
    uint32_t fill = (r->head - r->read) / MPT_RING_STEP;

    r->now = mpt_widen(r->now, mpt_port_ticks());
    if (!r->is_frozen) {
        r->limit = r->read + MPT_RING_EVENTS * MPT_RING_STEP;
        r->is_open = true;
        if (!fill)
            r->ticks = r->now;
    }
    mpt_port_unlock(key);
    return fill;
}
