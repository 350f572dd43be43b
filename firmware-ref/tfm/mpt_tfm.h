/* mpt_tfm.h - checkpoints as the TF-M profiler has them: 8 bytes each, in a database in RAM.
 *
 * An entry is two little-endian words, a tag and what the counter read. Bits of a tag: 0-3 type (1: a
 * checkpoint), 6-7 calibration index (0 secure, 3 non-secure), 8-15 topic, 16-31 checkpoint. Entries that are
 * taken make room; fetching and analysing leave them where they are. When the database is full the newest is
 * dropped whole. The next one that finds room tells it, which the original does not, by an entry before it of
 * topic 255, checkpoint 65535, whose count is how many are missing. */
#ifndef MPT_TFM_H
#define MPT_TFM_H

#include "mpt_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Entries in the database, a power of two; 8 bytes of RAM each. */
#ifndef MPT_TFM_ITEMS
#define MPT_TFM_ITEMS 256
#endif
#if MPT_TFM_ITEMS < 4 || (MPT_TFM_ITEMS & (MPT_TFM_ITEMS - 1)) != 0
#error "MPT_TFM_ITEMS must be a power of two, 4 or more"
#endif

/* mpt_board.h may define MPT_TFM_COUNT(), a counter of 32 bits, and MPT_TFM_COUNTS_DOWN if it runs down.
 * Without, it is the port's. */
#ifndef MPT_TFM_COUNT
#if MPT_TICK_BITS != 32
#error "MPT_TFM_COUNT() must read a counter of 32 bits, such as DWT->CYCCNT, since the port's has less"
#endif
#define MPT_TFM_COUNT() mpt_port_ticks()
#endif

/* Whose cost a checkpoint has: the calibration index. */
enum mpt_tfm_world { MPT_TFM_SECURE = 0, MPT_TFM_NON_SECURE = 3, MPT_TFM_WORLDS = 4 };

#define MPT_TFM_TAG(world, topic, checkpoint)                                                                \
    (1u | (uint32_t)(world) << 6 | ((uint32_t)(topic)&0xFFu) << 8 | ((uint32_t)(checkpoint)&0xFFFFu) << 16)
#define MPT_TFM_TOPIC_MASK      0x0000FF00u
#define MPT_TFM_CHECKPOINT_MASK 0xFFFF0000u
#define MPT_TFM_LOST            MPT_TFM_TAG(MPT_TFM_SECURE, 0xFF, 0xFFFF)

/* What an image of its own on the non-secure side calls, through veneers (Arm's CMSE: compile mpt_tfm.c with
 * -mcmse): a checkpoint, always of MPT_TFM_NON_SECURE; what the counter reads; and the cost, kept and
 * returned, of this many rounds of mpt_tfm_ns_log(0) since it read `from`. */
uint32_t mpt_tfm_ns_log(uint32_t tag); /* 0 */
uint32_t mpt_tfm_ns_now(void);
uint32_t mpt_tfm_ns_calibrated(uint32_t from, uint32_t rounds);

/* Measures, from the non-secure image, what a checkpoint costs there, as mpt_tfm_calibrate() does. */
static inline uint32_t mpt_tfm_ns_calibrate(uint32_t rounds)
{
    uint32_t from = mpt_tfm_ns_now();

    for (uint32_t i = 0; i < rounds; i++)
        mpt_tfm_ns_log(0);
    return mpt_tfm_ns_calibrated(from, rounds);
}

/* This place is passed now. In secure code; a file of non-secure code defines MPT_TFM_IN_NON_SECURE first,
 * and, where it is in an image of its own, MPT_TFM_VENEERS. */
#if defined(MPT_TFM_IN_NON_SECURE) && defined(MPT_TFM_VENEERS)
#define MPT_CHECKPOINT(topic, id) ((void)mpt_tfm_ns_log(MPT_TFM_TAG(MPT_TFM_NON_SECURE, topic, id)))
#elif defined(MPT_TFM_IN_NON_SECURE)
#define MPT_CHECKPOINT(topic, id) mpt_tfm_log(MPT_TFM_TAG(MPT_TFM_NON_SECURE, topic, id))
#else
#define MPT_CHECKPOINT(topic, id) mpt_tfm_log(MPT_TFM_TAG(MPT_TFM_SECURE, topic, id))
#endif

/* An entry. */
struct mpt_tfm_item {
    uint32_t tag, count;
};

/* The database, for debuggers. */
extern struct mpt_tfm_item mpt_tfm_table[MPT_TFM_ITEMS];

/* Records it. Any context. */
MPT_NOT_INSTRUMENTED void mpt_tfm_log(uint32_t tag);

/* Forgets all entries, and those dropped. */
void mpt_tfm_clear(void);

/* How many more entries find room, and how many were dropped. */
uint32_t mpt_tfm_room(void);
uint32_t mpt_tfm_dropped(void);

/* Measures what a checkpoint costs in that world, by `rounds` that leave no entry behind, and keeps and
 * returns it; 0 rounds: it costs nothing. Call it from that world. */
uint32_t mpt_tfm_calibrate(enum mpt_tfm_world world, uint32_t rounds);
uint32_t mpt_tfm_calibration(enum mpt_tfm_world world);

/* A search of the database. Zero is its begin, with a mask and a pattern. */
struct mpt_tfm_fetch {
    uint32_t mask, pattern; /* (tag & mask) == pattern is found; 0, 0: each entry */
    uint32_t passed;
};

static inline struct mpt_tfm_fetch mpt_tfm_by_topic(uint8_t topic)
{
    struct mpt_tfm_fetch fetch = {MPT_TFM_TOPIC_MASK, (uint32_t)topic << 8, 0};

    return fetch;
}

static inline struct mpt_tfm_fetch mpt_tfm_by_checkpoint(uint8_t topic, uint16_t checkpoint)
{
    struct mpt_tfm_fetch fetch = {MPT_TFM_TOPIC_MASK | MPT_TFM_CHECKPOINT_MASK,
                                  (uint32_t)topic << 8 | (uint32_t)checkpoint << 16, 0};

    return fetch;
}

/* Finds the next entry, in the order in which they were recorded. False: there is no other. */
bool mpt_tfm_fetch(struct mpt_tfm_fetch *fetch, struct mpt_tfm_item *item);

/* What lies between two tags, in ticks, calibrated; all 0 when there is no such pair. A measurement begins at
 * the first `from` and ends at the first `to` after it. */
struct mpt_tfm_times {
    uint32_t count, first, min, max, mean;
};
struct mpt_tfm_times mpt_tfm_between(uint32_t from, uint32_t to);

/* For now nothing more will come: empty places follow what waits. Without a mark at entries, a reader is sure
 * of one by those behind it, and may look at this many of them. */
enum { MPT_TFM_AHEAD = 9 };
void mpt_tfm_end(void);

/* Moves whole entries, oldest first, to `to`, `room` bytes at the most; returns bytes, 0: nothing waits. One
 * context may call it, and it is that of the functions above but mpt_tfm_log(). */
size_t mpt_tfm_take(uint8_t *to, size_t room);

/* The same as lines of text: tag and count in hexadecimal. */
enum { MPT_TFM_LINE = 19 };
size_t mpt_tfm_take_text(uint8_t *to, size_t room);

/* Writes a line for the entry, MPT_TFM_LINE bytes; returns how many. */
size_t mpt_tfm_write_item(uint8_t *to, const struct mpt_tfm_item *item);

/* Writes "secure NAME average is N CPU cycles" as a line, the world's word first; returns bytes, 0: there is
 * not that much room. */
size_t mpt_tfm_write_average(uint8_t *to, size_t room, enum mpt_tfm_world world, const char *name,
                             uint32_t mean);

#ifdef __cplusplus
}
#endif

#endif
