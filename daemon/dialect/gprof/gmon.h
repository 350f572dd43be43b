/* gmon.h - reads gmon.out, the file that gprof reads, as a stream: BSD 4.4's form and GNU's, addresses of 4
 * or 8 bytes, either byte order. */
#ifndef DIALECT_GPROF_GMON_H
#define DIALECT_GPROF_GMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes to recognise a file by, and the longest field that is read in one piece. */
enum { GMON_HEAD = 64, GMON_FIELD = 40 };

/* A file that is being read. Zero is not valid: gmon_open() makes one. */
struct gmon {
    bool gnu;
    bool big_endian;
    uint8_t word_bytes; /* of an address: 4 or 8 */
    uint8_t part;       /* what is read next */
    uint8_t want, n;    /* bytes of it: in all, and here already */
    uint8_t field[GMON_FIELD];
    uint64_t low, span; /* bytes of code that the histogram is over */
    uint32_t bins, bin; /* ... in how many parts, and which one is next */
    uint32_t blocks;    /* basic blocks still to be passed over */
};

/* What the file says next. */
enum gmon_kind {
    GMON_NONE, /* more bytes, please */
    GMON_RATE, /* a histogram begins, `count` samples per second; 0: not said */
    GMON_BIN,  /* `count` samples between `address` and the next bin's; never 0 */
    GMON_ARC,  /* `count` calls from `from` to `address` */
    GMON_BAD,  /* this cannot be; the rest of the stream will not be read */
};

struct gmon_item {
    enum gmon_kind kind;
    uint64_t address, from, count;
    uint64_t bytes; /* BIN: how far it is to the next bin */
};

/* Tells whether a stream that begins with these n bytes (GMON_HEAD of them, or the whole file if that is
 * shorter) is a gmon.out; then `gmon` is ready to read it from its first byte on.
 *
 * Order and form, and in BSD's form the size of addresses, follow from where the version is. GNU's form does
 * not say the latter: `word_bytes` is what the program is known to have; with 0 it is the size with which the
 * first two records can be what they say, 4 if both. */
bool gmon_open(struct gmon *gmon, const uint8_t *head, size_t n, unsigned word_bytes);

/* Reads on from *bytes, which is moved, until there is something to say or `end` is reached. */
struct gmon_item gmon_next(struct gmon *gmon, const uint8_t **bytes, const uint8_t *end);

/* Tells whether the file may end here. */
bool gmon_is_whole(const struct gmon *gmon);

#endif
