/* dump.h - reads a dump of the TF-M profiler's database: pairs of tag and count, 32 bits each,
 * little-endian. */
#ifndef DIALECT_TFM_DUMP_H
#define DIALECT_TFM_DUMP_H

#include "dialect/tfm/item.h"

/* Bytes of a pair, bytes examined to find where pairs begin, and pairs that show what is usual. */
enum { TFM_PAIR = 8, TFM_LOOK = 9 * TFM_PAIR, TFM_USUAL = 8 };

/* The bytes that are still undecided. All zero is the initial state. */
struct tfm_dump {
    uint8_t bytes[TFM_LOOK];
    size_t n;
    bool aligned; /* pairs begin at the front */
    bool begun;   /* something was decided */
    /* How little sense its pairs made in succession: the last ones, and the worst series of that length. */
    size_t told_n;
    uint8_t last[TFM_PAIR], costs[TFM_USUAL];
    int cost, usual;
};

/* Reads one byte, and sends what is decided to `out`. */
void tfm_dump_byte(struct tfm_dump *dump, uint8_t byte, const struct tfm_out *out);
/* Sends what is still buffered, since no more bytes follow. */
void tfm_dump_finish(struct tfm_dump *dump, const struct tfm_out *out);

#endif
