/* hex.h - messages as lines of hex digits, anywhere in a log: "SYS-T RAW DATA: 0123ABCD". */
#ifndef DIALECT_SYST_HEX_H
#define DIALECT_SYST_HEX_H

#include "dialect/console.h"
#include "dialect/syst/framing.h"

/* The line that is being read. Zero is the start state. */
struct syst_hex {
    struct console_filter filter;
    uint8_t matched; /* bytes of the mark so far */
    bool inside;     /* the digits have begun */
    bool between;    /* groups of digits, or before the first */
    size_t digits;
    size_t group_at; /* where the group under way begins */
    size_t group;    /* digits of each, 2 or 4; 0: not known, or they are not in groups */
    uint8_t bytes[SYST_MESSAGE_MAX];
};

/* Takes any run of bytes, and tells `out` of messages. What is no such line is somebody else's text, and no
 * damage. */
void syst_hex_feed(struct syst_hex *hex, const uint8_t *bytes, size_t n, const struct syst_out *out);

/* Reads the last line, which may lack its end, since no more bytes will follow. */
void syst_hex_finish(struct syst_hex *hex, const struct syst_out *out);

/* Tells whether these bytes contain the mark. */
bool syst_hex_is_in(const uint8_t *bytes, size_t n);

#endif
