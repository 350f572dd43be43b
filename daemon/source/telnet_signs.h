/* telnet_signs.h - looks at a byte stream for signs that it is Telnet and should be read as that; for the
 * files of this room only. */
#ifndef SOURCE_TELNET_SIGNS_H
#define SOURCE_TELNET_SIGNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The pairs of 0xFF to find, and nothing but pairs: bytes of a device have runs of other lengths among them.
 */
enum { TELNET_SIGNS_PAIRS = 32 };

/* What was seen of one connection. Zero is its beginning. */
struct telnet_signs {
    uint8_t head[3], head_n; /* the first bytes */
    uint8_t run;             /* of 0xFF that may go on, 3 at the most */
    uint8_t pairs;
    bool has_others; /* runs of another length */
};

enum telnet_sign {
    TELNET_SIGN_NONE,
    TELNET_SIGN_OPTIONS, /* it begins with an option, as servers do */
    TELNET_SIGN_PAIRS,   /* each 0xFF comes twice */
};

/* Takes the next n bytes and says what there is to see by now. It costs one search for 0xFF. */
enum telnet_sign telnet_signs_take(struct telnet_signs *signs, const uint8_t *bytes, size_t n);

#endif
