/* host.c - the host's side of these tests. */
#include "host.h"

#include <stdio.h>

struct board board = {.tx_room = SIZE_MAX};
struct sums truth;

static struct stream bytes;

static const struct dialect_range code[] = {{MPT_GPROF_BASE + 0x1000, MPT_GPROF_BASE + 0x4000}};

/* Several functions, some called from the same call site, each from several. */
static uint32_t from_of(unsigned arc)
{
    return MPT_GPROF_BASE + 0x1001 + 6 * (arc / 2);
}

static uint32_t to_of(unsigned arc)
{
    return MPT_GPROF_BASE + 0x2001 + 0x40 * (arc % 7) + (arc % 2 ? 0x800 : 0);
}

static uint32_t pc_of(unsigned place)
{
    return MPT_GPROF_BASE + 0x3000 + 2 * place;
}

void board_interrupt(void)
{
    static bool is_running;

    if (!board.interrupt || is_running)
        return;
    is_running = true;
    board.interrupt();
    is_running = false;
}

size_t mpt_port_write(const uint8_t *from, size_t n)
{
    size_t taken = n < board.tx_room ? n : board.tx_room;

    stream_bytes(&bytes, from, taken);
    if (board.tx_room != SIZE_MAX)
        board.tx_room -= taken;
    return taken;
}

void host_call(unsigned arc)
{
    truth.calls[arc]++;
    mpt_gprof_arc(from_of(arc), to_of(arc));
}

void host_sample(unsigned place)
{
    truth.samples[place]++;
    mpt_gprof_sample(pc_of(place));
}

void host_begin(void)
{
    mpt_gprof_start();
}

void host_take(size_t room)
{
    uint8_t some[600];
    size_t n;

    while ((n = mpt_gprof_take(some, room))) {
        cr_assert_leq(n, room);
        stream_bytes(&bytes, some, n);
    }
}

const struct stream *host_bytes(void)
{
    return &bytes;
}

static void add_arc(struct sums *sums, const struct event *event)
{
    for (unsigned i = 0; i < ARCS; i++)
        if (event->arc.from == from_of(i) && event->arc.to == to_of(i)) {
            sums->calls[i] += event->arc.calls;
            return;
        }
    cr_assert_fail("an arc that nobody called");
}

struct sums host_told(size_t from)
{
    static char base[16];
    static const struct dialect_setting chosen[] = {{"base", base}};
    struct stream rest = {bytes.bytes + from, bytes.n - from, 0};
    struct sums sums = {0};

    snprintf(base, sizeof base, "0x%x", MPT_GPROF_ARCS ? 0 : MPT_GPROF_BASE); /* the counted form sends it */
    struct listener listener = listener_of(
        "gprof", &(struct dialect_settings){.settings = chosen, .n = 1, .code = code, .code_n = 1}, &rest);
    for (size_t i = 0; i < listener.events.n; i++) {
        const struct event *event = &listener.events.event[i];
        if (event->kind == EVENT_ARC)
            add_arc(&sums, event);
        if (event->kind == EVENT_SAMPLE)
            sums.samples[(event->sample.address - pc_of(0)) / 2 % PLACES] += event->sample.count;
        if (event->kind == EVENT_LOST)
            sums.lost += event->lost.records;
    }
    cr_assert(from || !(listener_health(&listener)->malformed + listener_health(&listener)->bytes_skipped),
              "no record is torn");
    listener_close(&listener);
    return sums;
}

void host_check(uint64_t lost)
{
    struct sums told = host_told(0);
    uint64_t missing = 0;

    for (unsigned i = 0; i < ARCS; i++) {
        cr_assert_leq(told.calls[i], truth.calls[i], "arc %u", i);
        missing += truth.calls[i] - told.calls[i];
    }
    for (unsigned i = 0; i < PLACES; i++) {
        cr_assert_leq(told.samples[i], truth.samples[i], "place %u", i);
        missing += truth.samples[i] - told.samples[i];
    }
    cr_assert_eq(told.lost, lost, "reported %lu", (unsigned long)told.lost);
    cr_assert_eq(missing, lost, "missing %lu", (unsigned long)missing);
}
