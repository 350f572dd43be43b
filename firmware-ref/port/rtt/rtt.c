/* rtt.c - the control block that debug probes search for, and a ring each way.
 *
 * Its layout is public: 16 bytes of id, two counts, then six words for each ring. A ring whose two offsets
 * are equal is empty, so one byte of it stays free. The writer moves its offset after the bytes are there,
 * the reader after they are taken. Each offset has one owner, so no lock is needed. */
#include "rtt.h"

#include "mpt_port.h"

struct ring {
    const char *name;
    uint8_t *at;
    uint32_t size;
    volatile uint32_t write, read; /* offsets; the other end moves one of them */
    uint32_t flags;                /* for readers of the block: 0 means that the writer drops what finds no
                                      room */
};

#ifdef MPT_RTT_SECTION
#define PLACED __attribute__((section(MPT_RTT_SECTION)))
#else
#define PLACED
#endif

static uint8_t up_bytes[MPT_RTT_UP] PLACED, down_bytes[MPT_RTT_DOWN] PLACED;

static struct {
    volatile uint8_t id[16];
    int32_t up_rings, down_rings;
    struct ring up, down;
} block PLACED;

/* Backwards, so that a probe finds no other copy of it in memory. */
static const uint8_t di[] = {'T', 'T', 'R', ' ', 'R', 'E', 'G', 'G', 'E', 'S'};

static void order(void)
{
#if defined __arm__
    __asm__ volatile("dmb" ::: "memory");
#elif defined __riscv
    __asm__ volatile("fence" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

void mpt_rtt_open(void)
{
    for (size_t i = 0; i < sizeof block.id; i++)
        block.id[i] = 0;
    order();
    block.up_rings = block.down_rings = 1;
    block.up = (struct ring){.name = "miniprofd", .at = up_bytes, .size = sizeof up_bytes};
    block.down = (struct ring){.name = "miniprofd", .at = down_bytes, .size = sizeof down_bytes};
    order();
    for (size_t i = 0; i < sizeof di; i++)
        block.id[i] = di[sizeof di - 1 - i];
    order();
}

/* An offset that the other end wrote may lie beyond the ring: then the ring counts as full, and below as
 * empty. */
size_t mpt_rtt_put(const uint8_t *bytes, size_t n)
{
    struct ring *const ring = &block.up;
    uint32_t write = ring->write, read = ring->read;
    size_t taken = 0;

    for (; taken < n && read < ring->size; taken++) {
        uint32_t next = write + 1 == ring->size ? 0 : write + 1;

        if (next == read)
            break;
        ring->at[write] = bytes[taken];
        write = next;
    }
    order();
    ring->write = write;
    return taken;
}

size_t mpt_rtt_get(uint8_t *bytes, size_t n)
{
    struct ring *const ring = &block.down;
    uint32_t write = ring->write, read = ring->read;
    size_t got = 0;

    order();
    while (got < n && read != write && write < ring->size) {
        bytes[got++] = ring->at[read];
        read = read + 1 == ring->size ? 0 : read + 1;
    }
    order();
    ring->read = read;
    return got;
}

#ifndef MPT_RTT_NO_PORT
size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return mpt_rtt_put(bytes, n);
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    return mpt_rtt_get(bytes, n);
}
#endif
