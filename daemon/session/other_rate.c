/* other_rate.c - detects the rate of a sender that is slower than ours.
 *
 * A receiver starts at a falling edge and samples the line in the middle of each of its own bits. If the
 * sender's bits are longer, several samples are of the same bit, and the first ones of the start bit. So only
 * some of the 256 byte values are possible; which ones shows the ratio. A UART that takes a low stop bit for
 * the next start bit samples elsewhere, so one byte in ten may have another value. */
#include "session/other_rate.h"

#include <stdbool.h>
#include <stdint.h>

#define SENT_AT(share)                                                                                       \
    "What comes was sent at " share                                                                          \
    " of the rate at which it was read, as its bit patterns show: read the line at the device's rate "       \
    "(--baud); miniprofd doctor tries the usual ones."

/* Ratios of usual rates: 57,600 and 115,200; 115,200 and 250,000 ... */
static const struct {
    double times; /* our rate, divided by theirs */
    const char *sentence;
} rates[] = {
    {8, SENT_AT("an eighth")}, {6, SENT_AT("a sixth")}, {4.34, SENT_AT("0.23")},
    {4, SENT_AT("a quarter")}, {3, SENT_AT("a third")}, {2.17, SENT_AT("0.46")},
    {2, SENT_AT("half")},      {1.54, SENT_AT("0.65")}, {1.5, SENT_AT("two thirds")},
};

/* True if the byte can come from a sender whose bits are `times` as long as ours. */
static bool can_come(uint8_t byte, double times)
{
    int seen = -1, before = 0; /* the start bit is low */
    for (int i = 0; i < 8; i++) {
        int bit = (int)((i + 1.5) / times), level = byte >> i & 1;
        if (bit == 0 ? level : bit == before && level != seen)
            return false;
        before = bit;
        seen = level;
    }
    return true;
}

/* True if possible bytes are nearly all of the n, have enough of the possible values, and none dominates. */
static bool is_explained(size_t n, size_t came, size_t can, size_t values, size_t commonest)
{
    size_t least = can < 4 ? can : can / 4 > 4 ? can / 4 : 4;
    return values >= least && came >= n - n / 10 && commonest <= n - n / 4;
}

const char *other_rate_find(size_t n, const size_t count[256])
{
    enum { BYTES = 64 };
    const char *found = NULL;
    size_t fewest = 256;
    for (size_t i = 0; n >= BYTES && i < sizeof rates / sizeof *rates; i++) {
        size_t can = 0, came = 0, values = 0, commonest = 0;
        for (unsigned byte = 0; byte < 256; byte++) {
            if (!can_come((uint8_t)byte, rates[i].times))
                continue;
            can++;
            came += count[byte];
            values += count[byte] > 0;
            commonest = count[byte] > commonest ? count[byte] : commonest;
        }
        if (can < fewest && is_explained(n, came, can, values, commonest)) {
            fewest = can;
            found = rates[i].sentence;
        }
    }
    return found;
}
