/* mpt_tfm.c - writes checkpoints of the TF-M profiler into a database in RAM, and takes them out.
 *
 * Slot, count and both words are written in one step, with interrupts locked out, so that entries are in the
 * order of their counts. */
#include "mpt_tfm.h"

#define PLACE (MPT_TFM_ITEMS - 1u)
#define TYPE  0xFu /* of a tag; 0: calibration */

struct mpt_tfm_item mpt_tfm_table[MPT_TFM_ITEMS];

static struct {
    uint32_t head;    /* entries ever written */
    uint32_t limit;   /* value of head that finds no room */
    uint32_t tail;    /* entries ever taken */
    uint32_t missing; /* dropped, and not reported yet */
    uint32_t dropped; /* all of them */
    uint32_t empty;   /* empty entries still to be sent */
    uint32_t calibration[MPT_TFM_WORLDS];
} tfm = {.limit = MPT_TFM_ITEMS};

MPT_NOT_INSTRUMENTED static inline void write(uint32_t tag, uint32_t count)
{
    struct mpt_tfm_item *item = &mpt_tfm_table[tfm.head & PLACE];

    item->tag = tag;
    item->count = count;
}

/* Interrupts are locked out. There is no room, or something is missing. */
MPT_NOT_INSTRUMENTED static __attribute__((noinline)) void log_unusual(uint32_t tag)
{
    if (!(tag & TYPE))
        return;
    if (tfm.head - tfm.tail > MPT_TFM_ITEMS - 2u) {
        tfm.missing++;
        tfm.dropped++;
        return;
    }
    write(MPT_TFM_LOST, tfm.missing);
    tfm.head++;
    tfm.missing = 0;
    tfm.limit = tfm.tail + MPT_TFM_ITEMS;
    write(tag, MPT_TFM_COUNT());
    tfm.head++;
}

/* The next entry overwrites one of calibration. */
void mpt_tfm_log(uint32_t tag)
{
    uint32_t key = mpt_port_lock();

    if (__builtin_expect(tfm.head != tfm.limit, 1)) {
        write(tag, MPT_TFM_COUNT());
        tfm.head += tag & 1u;
    } else {
        log_unusual(tag);
    }
    mpt_port_unlock(key);
}

void mpt_tfm_clear(void)
{
    uint32_t key = mpt_port_lock();

    tfm.head = tfm.tail = tfm.missing = tfm.dropped = 0;
    tfm.limit = MPT_TFM_ITEMS;
    mpt_port_unlock(key);
}

uint32_t mpt_tfm_room(void)
{
    return MPT_TFM_ITEMS - (tfm.head - tfm.tail);
}

uint32_t mpt_tfm_dropped(void)
{
    return tfm.dropped;
}

/* ---- analysis ---- */

static uint32_t passed(uint32_t from, uint32_t to)
{
#ifdef MPT_TFM_COUNTS_DOWN
    return from - to;
#else
    return to - from;
#endif
}

static inline uint32_t calibrated(enum mpt_tfm_world world, uint32_t from, uint32_t rounds)
{
    uint32_t cost = passed(from, MPT_TFM_COUNT());

    return tfm.calibration[world & 3] = rounds ? cost / rounds : 0;
}

uint32_t mpt_tfm_calibrate(enum mpt_tfm_world world, uint32_t rounds)
{
    uint32_t from = MPT_TFM_COUNT();

    for (uint32_t i = 0; i < rounds; i++)
        mpt_tfm_log((uint32_t)world << 6);
    return calibrated(world, from, rounds);
}

#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3
#define VENEER __attribute__((cmse_nonsecure_entry))

/* The non-secure side passes the tag, which is always recorded as its own. */
VENEER uint32_t mpt_tfm_ns_log(uint32_t tag)
{
    mpt_tfm_log(tag | (uint32_t)MPT_TFM_NON_SECURE << 6); /* all bits of the world */
    return 0;
}

VENEER uint32_t mpt_tfm_ns_now(void)
{
    return MPT_TFM_COUNT();
}

VENEER uint32_t mpt_tfm_ns_calibrated(uint32_t from, uint32_t rounds)
{
    return calibrated(MPT_TFM_NON_SECURE, from, rounds);
}
#endif

uint32_t mpt_tfm_calibration(enum mpt_tfm_world world)
{
    return tfm.calibration[world & 3];
}

bool mpt_tfm_fetch(struct mpt_tfm_fetch *fetch, struct mpt_tfm_item *item)
{
    while (fetch->passed < *(volatile uint32_t *)&tfm.head - tfm.tail) {
        *item = mpt_tfm_table[(tfm.tail + fetch->passed++) & PLACE];
        if ((item->tag & fetch->mask) == fetch->pattern)
            return true;
    }
    return false;
}

struct mpt_tfm_times mpt_tfm_between(uint32_t from, uint32_t to)
{
    struct mpt_tfm_times times = {0};
    struct mpt_tfm_fetch fetch = {0};
    struct mpt_tfm_item item;
    uint32_t begin = 0, cost = tfm.calibration[to >> 6 & 3];
    uint64_t sum = 0;
    bool is_open = false;

    while (mpt_tfm_fetch(&fetch, &item)) {
        if (item.tag == MPT_TFM_LOST) {
            is_open = false;
        } else if (is_open && item.tag == to) {
            uint32_t ticks = passed(begin, item.count);

            ticks = ticks > cost ? ticks - cost : 0;
            times.first = times.count ? times.first : ticks;
            times.min = !times.count || ticks < times.min ? ticks : times.min;
            times.max = ticks > times.max ? ticks : times.max;
            times.count++;
            sum += ticks;
            is_open = false;
        } else if (!is_open && item.tag == from) {
            begin = item.count;
            is_open = true;
        }
    }
    times.mean = times.count ? (uint32_t)(sum / times.count) : 0;
    return times;
}

/* ---- out of the database ---- */

static bool oldest(struct mpt_tfm_item *item)
{
    if (*(volatile uint32_t *)&tfm.head == tfm.tail)
        return false;
    *item = *(volatile struct mpt_tfm_item *)&mpt_tfm_table[tfm.tail & PLACE];
    return true;
}

/* Where entries are missing, log_unusual() reports them before the next one. If none occurs until all are
 * taken, they are reported here. */
static void release(void)
{
    uint32_t key = mpt_port_lock();

    tfm.tail++;
    if (tfm.missing && tfm.head == tfm.tail) {
        write(MPT_TFM_LOST, tfm.missing);
        tfm.head++;
        tfm.missing = 0;
    }
    tfm.limit = tfm.missing ? tfm.head : tfm.tail + MPT_TFM_ITEMS;
    mpt_port_unlock(key);
}

void mpt_tfm_end(void)
{
    tfm.empty = MPT_TFM_AHEAD;
}

static uint8_t *put_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++, value >>= 8)
        *to++ = (uint8_t)value;
    return to;
}

size_t mpt_tfm_take(uint8_t *to, size_t room)
{
    struct mpt_tfm_item item;
    size_t n = 0;

    for (; room - n >= sizeof item && oldest(&item); n += sizeof item) {
        put_u32(put_u32(to + n, item.tag), item.count);
        release();
    }
    for (; room - n >= sizeof item && tfm.empty; n += sizeof item, tfm.empty--)
        put_u32(put_u32(to + n, 0), 0);
    return n;
}

static uint8_t *put_hex(uint8_t *to, uint32_t value)
{
    for (int digits = 8; digits; digits--, value <<= 4)
        *to++ = (uint8_t) "0123456789ABCDEF"[value >> 28];
    return to;
}

size_t mpt_tfm_write_item(uint8_t *to, const struct mpt_tfm_item *item)
{
    to = put_hex(to, item->tag);
    *to++ = ',';
    to = put_hex(to, item->count);
    *to++ = '\r';
    *to = '\n';
    return MPT_TFM_LINE;
}

size_t mpt_tfm_take_text(uint8_t *to, size_t room)
{
    struct mpt_tfm_item item;
    size_t n = 0;

    while (room - n >= MPT_TFM_LINE && oldest(&item)) {
        n += mpt_tfm_write_item(to + n, &item);
        release();
    }
    return n;
}

static bool put_text(uint8_t *to, size_t room, size_t *n, const char *text)
{
    for (; *text; text++, (*n)++) {
        if (*n == room)
            return false;
        to[*n] = (uint8_t)*text;
    }
    return true;
}

size_t mpt_tfm_write_average(uint8_t *to, size_t room, enum mpt_tfm_world world, const char *name,
                             uint32_t mean)
{
    char digits[11];
    size_t n = 0, at = sizeof digits - 1;

    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + mean % 10);
        mean /= 10;
    } while (mean);
    return put_text(to, room, &n, world == MPT_TFM_NON_SECURE ? "non-secure " : "secure ") &&
                   put_text(to, room, &n, name) && put_text(to, room, &n, " average is ") &&
                   put_text(to, room, &n, digits + at) && put_text(to, room, &n, " CPU cycles\r\n")
               ? n
               : 0;
}
