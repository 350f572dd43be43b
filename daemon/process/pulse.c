/* pulse.c - lets other threads check whether a thread makes progress. */
#include "process/pulse.h"

void pulse_begin(struct pulse *pulse, uint64_t now_ms)
{
    atomic_store_explicit(&pulse->busy_since_ms, now_ms ? now_ms : 1, memory_order_relaxed);
}

void pulse_rest(struct pulse *pulse)
{
    atomic_store_explicit(&pulse->busy_since_ms, 0, memory_order_relaxed);
}

uint64_t pulse_since_ms(const struct pulse *pulse)
{
    return atomic_load_explicit(&pulse->busy_since_ms, memory_order_relaxed);
}

uint64_t pulse_stuck_ms(const struct pulse *pulse, uint64_t now_ms)
{
    uint64_t since_ms = pulse_since_ms(pulse);
    return since_ms && now_ms > since_ms + pulse->most_ms ? now_ms - since_ms : 0;
}
