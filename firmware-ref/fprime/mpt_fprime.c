/* mpt_fprime.c - writes events of F-Prime's profiler into a table in RAM, and takes them out.
 *
 * Slot, time and both words are written in one step, with interrupts locked out, as in the original. If the
 * time were read separately from the slot, an interrupt in between would make the counter seem to run up,
 * which is read as a whole period. */
#include "mpt_fprime.h"

#define PLACE (MPT_FPRIME_EVENTS - 1u)
#define THUMB 1u

#ifndef MPT_FPRIME_REGION_START
struct mpt_fprime_event mpt_fprime_table[MPT_FPRIME_EVENTS];
#endif

static struct {
    uint32_t head;    /* events ever written */
    uint32_t limit;   /* value of head that finds no room */
    uint32_t tail;    /* events ever taken */
    uint32_t start;   /* the port's counter at the beginning */
    uint32_t missing; /* dropped, and not reported yet */
    uint32_t dropped; /* all of them */
    bool is_on, is_stream;
} fprime;

MPT_NOT_INSTRUMENTED void __cyg_profile_func_enter(void *function, void *call_site)
    __attribute__((weak, alias("mpt_fprime_enter")));
MPT_NOT_INSTRUMENTED void __cyg_profile_func_exit(void *function, void *call_site)
    __attribute__((weak, alias("mpt_fprime_exit")));

MPT_NOT_INSTRUMENTED static inline uint32_t counter(void)
{
#ifdef MPT_FPRIME_COUNTER
    return MPT_FPRIME_COUNTER();
#else
    return (fprime.start - 1u - mpt_port_ticks()) & 0xFFFFFFu;
#endif
}

MPT_NOT_INSTRUMENTED static inline void write(uint32_t function, uint32_t time)
{
    struct mpt_fprime_event *event = &mpt_fprime_table[fprime.head & PLACE];

    event->function = function;
    event->counter = time;
    fprime.head++;
}

/* Interrupts are locked out. There is no room, or something is missing. The event is recorded once both it
 * and the number of missing ones before it find room. */
MPT_NOT_INSTRUMENTED static __attribute__((noinline)) void record_unusual(uint32_t function)
{
    if (!fprime.is_on)
        return;
    if (!fprime.is_stream) { /* the dump is full */
        fprime.is_on = false;
        return;
    }
    if (fprime.head - fprime.tail > MPT_FPRIME_EVENTS - 2u) {
        fprime.missing += fprime.missing < MPT_FPRIME_LOST_MOST;
        fprime.dropped++;
        return;
    }
    write(MPT_FPRIME_LOST, fprime.missing);
    fprime.missing = 0;
    fprime.limit = fprime.tail + MPT_FPRIME_EVENTS;
    write(function, counter());
}

MPT_NOT_INSTRUMENTED static inline void record(uint32_t function)
{
    uint32_t key = mpt_port_lock();

    if (__builtin_expect(fprime.head != fprime.limit, 1))
        write(function, counter());
    else
        record_unusual(function);
    mpt_port_unlock(key);
}

void mpt_fprime_enter(void *function, void *call_site)
{
    record((uint32_t)(uintptr_t)function);
}

void mpt_fprime_exit(void *function, void *call_site)
{
    record((uint32_t)(uintptr_t)function | MPT_FPRIME_EXIT);
}

/* ---- captures ---- */

void mpt_fprime_enable(bool is_stream)
{
    uint32_t key = mpt_port_lock();

    for (uint32_t i = 0; i < MPT_FPRIME_EVENTS; i++)
        mpt_fprime_table[i].function = 0;
    fprime.head = fprime.tail = fprime.missing = fprime.dropped = 0;
    fprime.limit = MPT_FPRIME_EVENTS;
    fprime.start = mpt_port_ticks();
    fprime.is_stream = is_stream;
    fprime.is_on = true;
    mpt_port_unlock(key);
}

void mpt_fprime_disable(void)
{
    uint32_t key = mpt_port_lock();

    if (fprime.is_on && !fprime.is_stream && fprime.head != fprime.limit)
        write(MPT_FPRIME_LOST, UINT32_MAX);
    fprime.is_on = false;
    fprime.limit = fprime.head;
    mpt_port_unlock(key);
}

bool mpt_fprime_is_on(void)
{
    return fprime.is_on && (fprime.is_stream || fprime.head != fprime.limit);
}

uint32_t mpt_fprime_room(void)
{
    return MPT_FPRIME_EVENTS - (fprime.head - fprime.tail);
}

uint32_t mpt_fprime_dropped(void)
{
    return fprime.dropped;
}

/* ---- out of the table ---- */

/* Returns how many events wait. */
static uint32_t waiting(void)
{
    return fprime.is_stream || !mpt_fprime_is_on() ? *(volatile uint32_t *)&fprime.head - fprime.tail : 0;
}

static struct mpt_fprime_event oldest(void)
{
    return *(volatile struct mpt_fprime_event *)&mpt_fprime_table[fprime.tail & PLACE];
}

/* Where events are missing, record_unusual() reports them before the next one. If none occurs until all are
 * taken, they are reported here. */
static void release(void)
{
    uint32_t key = mpt_port_lock();

    fprime.tail++;
    if (fprime.missing && fprime.head == fprime.tail) {
        write(MPT_FPRIME_LOST, fprime.missing);
        fprime.missing = 0;
    }
    fprime.limit =
        fprime.is_on && fprime.is_stream && !fprime.missing ? fprime.tail + MPT_FPRIME_EVENTS : fprime.head;
    mpt_port_unlock(key);
}

static uint8_t *put_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++, value >>= 8)
        *to++ = (uint8_t)value;
    return to;
}

size_t mpt_fprime_take(uint8_t *to, size_t room)
{
    size_t n = 0;

    for (uint32_t left = waiting(); left && room - n >= sizeof(struct mpt_fprime_event); left--) {
        struct mpt_fprime_event event = oldest();

        put_u32(put_u32(to + n, event.function), event.counter);
        n += sizeof event;
        release();
    }
    return n;
}

static uint8_t *put_hex(uint8_t *to, uint32_t value)
{
    int digits = 8;

    for (; digits > 1 && !(value >> 28); digits--)
        value <<= 4;
    for (; digits; digits--, value <<= 4)
        *to++ = (uint8_t) "0123456789ABCDEF"[value >> 28];
    return to;
}

size_t mpt_fprime_take_text(uint8_t *to, size_t room)
{
    size_t n = 0;

    for (uint32_t left = waiting(); left && room - n >= MPT_FPRIME_LINE; left--) {
        struct mpt_fprime_event event = oldest();
        bool is_lost = event.function == MPT_FPRIME_LOST;
        uint8_t *at = to + n;

        if (!is_lost || event.counter != UINT32_MAX) { /* the end mark is only for dumps */
            *at++ = 'P';
            *at++ = ':';
            at = put_hex(at, event.function & ~MPT_FPRIME_EXIT & (is_lost ? UINT32_MAX : ~THUMB));
            *at++ = ',';
            *at++ = event.function & MPT_FPRIME_EXIT ? '1' : '0';
            *at++ = ',';
            at = put_hex(at, event.counter);
            *at++ = '\n';
            n = (size_t)(at - to);
        }
        release();
    }
    return n;
}
