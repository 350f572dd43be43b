/* item.h - one entry of the TF-M profiler's database: a tag and a counter reading. */
#ifndef DIALECT_TFM_ITEM_H
#define DIALECT_TFM_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dialect/dialect.h"

struct tfm_item {
    uint32_t tag, count;
};

/* Bits of a tag: 0-3 type (1 is a timing log), 4-5 unused, 6-7 calibration index, 8-15 topic, 16-31
 * checkpoint. */
static inline bool tfm_tag_is_log(uint32_t tag)
{
    return (tag & 0x3F) == 1;
}

static inline uint32_t tfm_tag_calibration(uint32_t tag)
{
    return tag >> 6 & 3;
}

static inline uint32_t tfm_tag_topic(uint32_t tag)
{
    return tag >> 8 & 0xFF;
}

static inline uint32_t tfm_tag_checkpoint(uint32_t tag)
{
    return tag >> 16;
}

/* The entry with which firmware-ref/tfm reports how many others the target lost, in any world. The original
 * profiler has no such entries; to it, this is an ordinary one. */
enum { TFM_TOPIC_LAST = 255 };
static inline bool tfm_tag_is_loss(uint32_t tag)
{
    return tag >> 8 == 0xFFFFFF;
}

/* Receives what readers find. */
struct tfm_out {
    void (*item)(void *user, const struct tfm_item *item);
    void (*average)(void *user, const char *name, size_t n, bool secure, uint64_t mean);
    void (*lost)(void *user); /* something is missing before what follows */
    void *user;
    struct dialect_health *health;
};

#endif
