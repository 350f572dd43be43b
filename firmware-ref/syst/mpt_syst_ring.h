/* mpt_syst_ring.h - writes a message into the ring, and reads it; not for applications. */
#ifndef MPT_SYST_RING_H
#define MPT_SYST_RING_H

#include "mpt_syst.h"

/* Types and subtypes, as in the first and the last byte of a header. */
#define MPT_SYST_KIND(type, subtype) ((type) | (uint32_t)(subtype) << 24)
enum {
    MPT_SYST_BUILD_LONG = MPT_SYST_KIND(0, 2),
    MPT_SYST_STRING_GENERIC = MPT_SYST_KIND(2, 1),
    MPT_SYST_STRING_ENTER = MPT_SYST_KIND(2, 2),
    MPT_SYST_STRING_EXIT = MPT_SYST_KIND(2, 3),
    MPT_SYST_STRING_INVALID = MPT_SYST_KIND(2, 5),
    MPT_SYST_STRING_ASSERT = MPT_SYST_KIND(2, 7),
    MPT_SYST_STRING_PRINTF = MPT_SYST_KIND(2, sizeof(void *) == 4 ? 11 : 12),
    MPT_SYST_CATALOG_ID32 = MPT_SYST_KIND(3, sizeof(void *) == 4 ? 1 : 5),
    MPT_SYST_CATALOG_ID64 = MPT_SYST_KIND(3, sizeof(void *) == 4 ? 2 : 6),
    MPT_SYST_RAW_DATA = MPT_SYST_KIND(6, 0),
    MPT_SYST_CLOCK_SYNC = MPT_SYST_KIND(8, 1),
    MPT_SYST_STRUCTURED = MPT_SYST_KIND(9, 0),
};

/* A message for which there is room in the ring. */
struct mpt_syst_writer {
    uint32_t begin; /* position of its record in the ring */
    uint32_t at;    /* the next byte */
    uint32_t left;  /* bytes of the payload still to be written */
    uint32_t crc;
    uint64_t time;
    bool has_checksum;
};

/* Reserves room for a message with a payload of n bytes, and writes all that precedes it. Returns false, and
 * counts the message as lost, when there is no room. `caller` is the address that the emitter was called
 * from. mpt_syst_put() adds to the payload, at most the n bytes; mpt_syst_end() fills the rest with zeros,
 * and completes the message. */
bool mpt_syst_begin(struct mpt_syst_writer *writer, const struct mpt_syst_origin *origin, uint32_t kind,
                    enum mpt_syst_severity severity, size_t n, const void *caller);
void mpt_syst_put(struct mpt_syst_writer *writer, const void *bytes, size_t n);
void mpt_syst_put_u32(struct mpt_syst_writer *writer, uint32_t value);
void mpt_syst_put_u64(struct mpt_syst_writer *writer, uint64_t value);
void mpt_syst_end(struct mpt_syst_writer *writer);

/* Sends a message that is a number of n bytes. */
void mpt_syst_number(uint64_t value, size_t n);

/* For the oldest complete message: its size, 0 when there is none; its byte `at`; n bytes from there; its
 * time; drops it. */
size_t mpt_syst_oldest(void);
uint8_t mpt_syst_byte(size_t at);
void mpt_syst_copy(size_t at, uint8_t *to, size_t n);
uint64_t mpt_syst_oldest_time(void);
void mpt_syst_drop_oldest(void);

#endif
