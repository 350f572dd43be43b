/* gmon.h - reads gmon.out, gprof's input file, as a stream: the forms of 4.4BSD and GNU, with addresses of 4
 * or 8 bytes in either byte order. */
#ifndef DIALECT_GPROF_GMON_H
#define DIALECT_GPROF_GMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes needed to recognise a file, and the longest field that is read in one piece. */
enum { GMON_HEAD = 64, GMON_FIELD = 40 };

/* State of a file. Must be made by gmon_open(); all zero is not valid. */
struct gmon {
    bool is_gnu;
    bool big_endian;
    uint8_t word_bytes; /* of an address: 4 or 8 */
    uint8_t part;       /* the current field */
    uint8_t want, n;    /* its size, and the bytes of it that have arrived */
    uint8_t field[GMON_FIELD];
    uint64_t low, span; /* bytes of code in the histogram */
    uint32_t bins, bin; /* ... its number of bins, and the next bin */
    uint32_t blocks;    /* basic blocks still to be skipped */
};

/* Kind of the next item. */
enum gmon_kind {
    GMON_NONE, /* more bytes are needed */
    GMON_RATE, /* a histogram begins, with `count` samples per second; 0 when not given */
    GMON_BIN,  /* `count` samples between `address` and the next bin's; never 0 */
    GMON_ARC,  /* `count` calls from `from` to `address` */
    GMON_BAD,  /* impossible; the rest of the stream will not be read */
};

struct gmon_item {
    enum gmon_kind kind;
    uint64_t address, from, count;
    uint64_t bytes; /* BIN: distance to the next bin */
};

/* Returns true if a stream that begins with these n bytes (GMON_HEAD, or the whole file if it is shorter) is
 * a gmon.out. Then `gmon` is ready to read it from its first byte.
 *
 * The position of the version shows byte order and form and, in BSD's form, the size of addresses. GNU's form
 * does not contain that size: `word_bytes` is the size in the program, if known. If it is 0, the size is
 * taken with which the first two records are valid; 4 if both are. */
bool gmon_open(struct gmon *gmon, const uint8_t *head, size_t n, unsigned word_bytes);

/* Reads from *bytes, which is advanced, until there is an item or `end` is reached. */
struct gmon_item gmon_next(struct gmon *gmon, const uint8_t **bytes, const uint8_t *end);

/* True when the file may end here. */
bool gmon_is_whole(const struct gmon *gmon);

#endif
