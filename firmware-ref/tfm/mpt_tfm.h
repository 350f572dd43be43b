/* mpt_tfm.h - checkpoints in the form of the TF-M profiler: 8 bytes each, in a database in RAM.
 *
 * An entry is two little-endian words, a tag and the counter's value. Bits of a tag: 0-3 type (1: a
 * checkpoint), 6-7 calibration index (0 secure, 3 non-secure), 8-15 topic, 16-31 checkpoint. Entries that are
 * taken make room; fetching and analysing leave them in place. When the database is full the newest entry is
 * dropped as a whole. Unlike the original, the next entry that finds room reports this, by an entry before it
 * of topic 255, checkpoint 65535, whose count is the number of missing entries. */
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
 * Without it, the port's counter is used. */
#ifndef MPT_TFM_COUNT
#if MPT_TICK_BITS != 32
#error "MPT_TFM_COUNT() must read a counter of 32 bits, such as DWT->CYCCNT, since the port's has less"
#endif
#define MPT_TFM_COUNT() mpt_port_ticks()
#endif

/* The world of a checkpoint, which determines its cost: the calibration index. */
enum mpt_tfm_world { MPT_TFM_SECURE = 0, MPT_TFM_NON_SECURE = 3, MPT_TFM_WORLDS = 4 };

#define MPT_TFM_TAG(world, topic, checkpoint)                                                                \
    (1u | (uint32_t)(world) << 6 | ((uint32_t)(topic)&0xFFu) << 8 | ((uint32_t)(checkpoint)&0xFFFFu) << 16)
#define MPT_TFM_TOPIC_MASK      0x0000FF00u
#define MPT_TFM_CHECKPOINT_MASK 0xFFFF0000u
#define MPT_TFM_LOST            MPT_TFM_TAG(MPT_TFM_SECURE, 0xFF, 0xFFFF)

/* For a separate image on the non-secure side, through veneers (Arm's CMSE: compile mpt_tfm.c with -mcmse):
 * records a checkpoint, always of MPT_TFM_NON_SECURE; reads the counter; keeps and returns the cost of this
 * many rounds of mpt_tfm_ns_log(0), begun when the counter was `from`. */
uint32_t mpt_tfm_ns_log(uint32_t tag); /* returns 0 */
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

/* Records that execution passes this place, in secure code. A file of non-secure code defines
 * MPT_TFM_IN_NON_SECURE first and, in a separate image, MPT_TFM_VENEERS. */
#if defined(MPT_TFM_IN_NON_SECURE) && defined(MPT_TFM_VENEERS)
#define MPT_CHECKPOINT(topic, id) ((void)mpt_tfm_ns_log(MPT_TFM_TAG(MPT_TFM_NON_SECURE, topic, id)))
#elif defined(MPT_TFM_IN_NON_SECURE)
#define MPT_CHECKPOINT(topic, id) mpt_tfm_log(MPT_TFM_TAG(MPT_TFM_NON_SECURE, topic, id))
#else
#define MPT_CHECKPOINT(topic, id) mpt_tfm_log(MPT_TFM_TAG(MPT_TFM_SECURE, topic, id))
#endif

/* An entry of the database. */
struct mpt_tfm_item {
    uint32_t tag, count;
};

/* The database, for debuggers. */
extern struct mpt_tfm_item mpt_tfm_table[MPT_TFM_ITEMS];

/* Records an entry. Any context may call it. */
MPT_NOT_INSTRUMENTED void mpt_tfm_log(uint32_t tag);

/* Discards all entries, and the count of dropped ones. */
void mpt_tfm_clear(void);

/* Return how many more entries find room, and how many were dropped. */
uint32_t mpt_tfm_room(void);
uint32_t mpt_tfm_dropped(void);

/* Measures what a checkpoint costs in that world, by `rounds` that leave no entry behind, and keeps and
 * returns it; with 0 rounds the cost is 0. Call it from that world. */
uint32_t mpt_tfm_calibrate(enum mpt_tfm_world world, uint32_t rounds);
uint32_t mpt_tfm_calibration(enum mpt_tfm_world world);

/* A search of the database. It starts with `passed` 0, a mask and a pattern. */
struct mpt_tfm_fetch {
    uint32_t mask, pattern; /* finds (tag & mask) == pattern; 0, 0: every entry */
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

/* Finds the next entry, in the order in which they were recorded. Returns false when there is none. */
bool mpt_tfm_fetch(struct mpt_tfm_fetch *fetch, struct mpt_tfm_item *item);

/* Times between two tags, in ticks, calibrated; all 0 when there is no such pair. A measurement begins at the
 * first `from` and ends at the first `to` after it. */
struct mpt_tfm_times {
    uint32_t count, first, min, max, mean;
};
struct mpt_tfm_times mpt_tfm_between(uint32_t from, uint32_t to);

/* Appends empty entries when nothing more will be recorded for now. Entries have no mark, so a reader
 * confirms one by those behind it, and may need this many of them. */
enum { MPT_TFM_AHEAD = 9 };
void mpt_tfm_end(void);

/* Moves whole entries, oldest first, to `to`, at most `room` bytes. Returns the number of bytes, 0 when
 * nothing waits. One context may call it; the functions above, except mpt_tfm_log(), belong to the same
 * context. */
size_t mpt_tfm_take(uint8_t *to, size_t room);

/* Does the same with lines of text: tag and count in hexadecimal. */
enum { MPT_TFM_LINE = 19 };
size_t mpt_tfm_take_text(uint8_t *to, size_t room);

/* Writes a line for the entry. Returns its size, MPT_TFM_LINE. */
size_t mpt_tfm_write_item(uint8_t *to, const struct mpt_tfm_item *item);

/* Writes the line "secure NAME average is N CPU cycles", or "non-secure ...". Returns the number of bytes, 0
 * when there is too little room. */
size_t mpt_tfm_write_average(uint8_t *to, size_t room, enum mpt_tfm_world world, const char *name,
                             uint32_t mean);

#ifdef __cplusplus
}
#endif

#endif
