/* mpt_syst_ring.c - messages wait as records: length, time where framings have it, bytes.
 *
 * The highest bit of a length means that the message is still being written. Records are reserved with
 * interrupts locked out and written without. So the oldest one may be incomplete while newer ones are
 * complete, and the reader waits for it. */
#include "mpt_syst_ring.h"

#include "mpt_port.h"

enum { TIME_BYTES = MPT_SYST_STP ? 8 : 0, RECORD_HEAD = 2 + TIME_BYTES, UNFINISHED = 0x80 };
enum {
    HAS_LOCATION = 1 << 8,
    HAS_LENGTH = 1 << 9,
    HAS_CHECKSUM = 1 << 10,
    HAS_TIME = 1 << 11,
    HAS_GUID = 1 << 23,
};

static struct {
    volatile uint32_t head, tail; /* bytes ever written, and taken */
    volatile uint32_t lost;       /* messages, ever */
    uint32_t lost_told;
#if MPT_SYST_CLOCK
    uint64_t time;
    uint32_t last_ticks;
#endif
    uint8_t bytes[MPT_SYST_RING_BYTES];
} ring;

/* ---- time ---- */

#if MPT_SYST_CLOCK
/* Interrupts are locked out. */
static uint64_t now(void)
{
    uint32_t ticks = mpt_port_ticks(), passed = ticks - ring.last_ticks;

#if MPT_TICK_BITS < 32
    passed &= (1u << MPT_TICK_BITS) - 1;
#endif
    ring.last_ticks = ticks;
    return ring.time += passed;
}

void mpt_syst_keep_time(void)
{
    uint32_t key = mpt_port_lock();

    now();
    mpt_port_unlock(key);
}
#else
static uint64_t now(void)
{
    return 0;
}
#endif

/* ---- bytes ---- */

static void store(uint32_t at, uint8_t byte)
{
    ring.bytes[at % MPT_SYST_RING_BYTES] = byte;
}

#if MPT_SYST_CHECKSUM
static uint32_t crc_add(uint32_t crc, uint8_t byte)
{
    static const uint32_t nibbles[16] = {
        0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
        0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
    };

    crc ^= byte;
    crc = crc >> 4 ^ nibbles[crc & 0xF];
    return crc >> 4 ^ nibbles[crc & 0xF];
}
#endif

static void write_byte(struct mpt_syst_writer *writer, uint8_t byte)
{
    store(writer->at++, byte);
#if MPT_SYST_CHECKSUM
    if (writer->has_checksum)
        writer->crc = crc_add(writer->crc, byte);
#endif
}

/* Writes at most 4 bytes. */
static void write_number(struct mpt_syst_writer *writer, uint32_t value, size_t n)
{
    for (; n > 0; n--, value >>= 8)
        write_byte(writer, (uint8_t)value);
}

static void write_u64(struct mpt_syst_writer *writer, uint64_t value)
{
    write_number(writer, (uint32_t)value, 4);
    write_number(writer, (uint32_t)(value >> 32), 4);
}

/* ---- room ---- */

/* Reserves room for a message of n bytes, with interrupts locked out. Returns false when there is none. */
static bool reserve(struct mpt_syst_writer *writer, size_t n)
{
    size_t used = ring.head - ring.tail;

    if (n > 0x7FFF || RECORD_HEAD + n > MPT_SYST_RING_BYTES - used)
        return false;
    writer->begin = ring.head;
    writer->time = now();
    store(ring.head, (uint8_t)n);
    store(ring.head + 1, (uint8_t)(UNFINISHED | n >> 8));
#if MPT_SYST_STP
    uint32_t at = ring.head + 2;
    for (uint32_t low = (uint32_t)writer->time, i = 0; i < 4; i++, low >>= 8)
        store(at++, (uint8_t)low);
    for (uint32_t high = (uint32_t)(writer->time >> 32), i = 0; i < 4; i++, high >>= 8)
        store(at++, (uint8_t)high);
#endif
    writer->at = ring.head + RECORD_HEAD;
    ring.head = ring.head + RECORD_HEAD + n;
    return true;
}

/* The high byte of the length is written last: this completes the message. */
static void finish(struct mpt_syst_writer *writer)
{
    volatile uint8_t *high = &ring.bytes[(writer->begin + 1) % MPT_SYST_RING_BYTES];

    __asm__ volatile("" ::: "memory");
    *high = *high & (uint8_t)~UNFINISHED;
}

/* Reports the loss, with interrupts locked out, if there is room for that and `more` bytes. */
static bool tell_loss(size_t more)
{
    static const char format[] = "%u messages lost";
    struct mpt_syst_writer writer = {.left = sizeof format + 4};
    size_t used = ring.head - ring.tail, n = 4 + 2 + sizeof format + 4;

    if (RECORD_HEAD + n + more > MPT_SYST_RING_BYTES - used || !reserve(&writer, n))
        return false;
    write_number(&writer,
                 MPT_SYST_KIND(2, 11) | MPT_SYST_WARNING << 4 | HAS_LENGTH | MPT_SYST_LOSS_MODULE << 16, 4);
    write_number(&writer, sizeof format + 4, 2);
    mpt_syst_put(&writer, format, sizeof format);
    mpt_syst_put_u32(&writer, ring.lost - ring.lost_told);
    ring.lost_told = ring.lost;
    finish(&writer);
    return true;
}

static bool reserve_or_count(struct mpt_syst_writer *writer, size_t n)
{
    uint32_t key = mpt_port_lock();
    bool is_reserved = (ring.lost == ring.lost_told || tell_loss(RECORD_HEAD + n)) && reserve(writer, n);

    if (!is_reserved)
        ring.lost = ring.lost + 1;
    mpt_port_unlock(key);
    return is_reserved;
}

uint32_t mpt_syst_lost(void)
{
    return ring.lost;
}

/* ---- a message ---- */

static size_t location_size(const struct mpt_syst_origin *origin)
{
    if (origin->with & MPT_SYST_PLACED)
        return origin->file > 0xFFFF || origin->line > 0xFFFF ? 9 : 5;
    return origin->with & MPT_SYST_CALLER ? 1 + sizeof(void *) : 0;
}

static void write_location(struct mpt_syst_writer *writer, const struct mpt_syst_origin *origin, size_t size,
                           const void *caller)
{
    size_t number = (size - 1) / 2;

    if (origin->with & MPT_SYST_PLACED) {
        write_byte(writer, number == 4);
        write_number(writer, origin->file, number);
        write_number(writer, origin->line, number);
    } else {
        write_byte(writer, number == 4 ? 3 : 2);
        write_number(writer, (uint32_t)(uintptr_t)caller, 4);
        if (sizeof caller == 8)
            write_number(writer, (uint32_t)((uint64_t)(uintptr_t)caller >> 32), 4);
    }
}

static uint32_t header_of(const struct mpt_syst_origin *origin, uint32_t kind,
                          enum mpt_syst_severity severity)
{
    uint32_t header = kind | (uint32_t)severity << 4;

    if (MPT_SYST_GUID && origin->has_guid)
        header |= HAS_GUID | (origin->unit & 0x7FFu) << 12;
    else
        header |= (origin->module & 0x7Fu) << 16 | (origin->unit & 0xFu) << 12;
    if (!(origin->with & MPT_SYST_NO_LENGTH))
        header |= HAS_LENGTH;
    if (MPT_SYST_CHECKSUM && origin->with & MPT_SYST_CHECKED)
        header |= HAS_CHECKSUM;
    if (MPT_SYST_TIME && origin->with & MPT_SYST_STAMPED)
        header |= HAS_TIME;
    return header;
}

bool mpt_syst_begin(struct mpt_syst_writer *writer, const struct mpt_syst_origin *origin, uint32_t kind,
                    enum mpt_syst_severity severity, size_t n, const void *caller)
{
    uint32_t header = header_of(origin, kind, severity);
    size_t location = MPT_SYST_LOCATION ? location_size(origin) : 0;
    size_t size = 4 + location + n;

    size += header & HAS_GUID ? 16 : 0;
    size += header & HAS_LENGTH ? 2 : 0;
    size += header & HAS_TIME ? 8 : 0;
    size += header & HAS_CHECKSUM ? 4 : 0;
    if (!reserve_or_count(writer, size))
        return false;
    writer->crc = 0xFFFFFFFF;
    writer->has_checksum = header & HAS_CHECKSUM;
    writer->left = (uint32_t)n;
    write_number(writer, header | (location ? HAS_LOCATION : 0), 4);
    if (header & HAS_GUID)
        for (size_t i = 0; i < sizeof origin->guid; i++)
            write_byte(writer, origin->guid[i]);
    if (location)
        write_location(writer, origin, location, caller);
    if (header & HAS_LENGTH)
        write_number(writer, (uint32_t)n, 2);
    if (header & HAS_TIME)
        write_u64(writer, writer->time);
    return true;
}

void mpt_syst_put(struct mpt_syst_writer *writer, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;

    for (; n > 0 && writer->left > 0; n--, writer->left--)
        write_byte(writer, *from++);
}

void mpt_syst_put_u32(struct mpt_syst_writer *writer, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 24)};

    mpt_syst_put(writer, bytes, sizeof bytes);
}

void mpt_syst_put_u64(struct mpt_syst_writer *writer, uint64_t value)
{
    mpt_syst_put_u32(writer, (uint32_t)value);
    mpt_syst_put_u32(writer, (uint32_t)(value >> 32));
}

void mpt_syst_end(struct mpt_syst_writer *writer)
{
    for (; writer->left > 0; writer->left--) /* a string has become shorter since it was measured */
        write_byte(writer, 0);
    if (writer->has_checksum) {
        uint32_t crc = ~writer->crc;

        writer->has_checksum = false;
        write_number(writer, crc, 4);
    }
    finish(writer);
}

void mpt_syst_number(uint64_t value, size_t n)
{
    struct mpt_syst_writer writer = {0};

    if (!reserve_or_count(&writer, n))
        return;
    write_number(&writer, (uint32_t)value, 4);
    if (n == 8)
        write_number(&writer, (uint32_t)(value >> 32), 4);
    finish(&writer);
}

/* ---- the reader ---- */

static uint8_t load(uint32_t at)
{
    return ring.bytes[at % MPT_SYST_RING_BYTES];
}

size_t mpt_syst_oldest(void)
{
    if (ring.head == ring.tail && ring.lost != ring.lost_told) {
        uint32_t key = mpt_port_lock();

        tell_loss(0);
        mpt_port_unlock(key);
    }
    if (ring.head == ring.tail)
        return 0;
    uint8_t high = *(volatile uint8_t *)&ring.bytes[(ring.tail + 1) % MPT_SYST_RING_BYTES];

    __asm__ volatile("" ::: "memory");
    return high & UNFINISHED ? 0 : (size_t)high << 8 | load(ring.tail);
}

uint8_t mpt_syst_byte(size_t at)
{
    return load(ring.tail + RECORD_HEAD + (uint32_t)at);
}

void mpt_syst_copy(size_t at, uint8_t *to, size_t n)
{
    uint32_t from = ring.tail + RECORD_HEAD + (uint32_t)at;

    while (n-- > 0)
        *to++ = load(from++);
}

uint64_t mpt_syst_oldest_time(void)
{
    uint64_t time = 0;

    for (int i = TIME_BYTES; i > 0; i--)
        time = time << 8 | load(ring.tail + 1 + i);
    return time;
}

void mpt_syst_drop_oldest(void)
{
    uint32_t size = (uint32_t)load(ring.tail + 1) << 8 | load(ring.tail);

    __asm__ volatile("" ::: "memory");
    ring.tail = ring.tail + RECORD_HEAD + size;
}
