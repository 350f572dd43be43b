/* hex.h - messages as lines of hex digits, anywhere in a log: "SYS-T RAW DATA: 0123ABCD". */
#ifndef DIALECT_SYST_HEX_H
#define DIALECT_SYST_HEX_H

#include "dialect/syst/framing.h"

/* Zero is its start. */
struct syst_hex {
    uint8_t matched; /* bytes of the mark so far */
    bool inside;     /* the digits have begun */
    size_t digits;
    uint8_t bytes[SYST_MESSAGE_MAX];
};

/* Any run of bytes. What is no such line is somebody else's text, and no damage. */
void syst_hex_feed(struct syst_hex *hex, const uint8_t *bytes, size_t n, const struct syst_out *out);

/* No more bytes: the last line may lack its end. */
void syst_hex_finish(struct syst_hex *hex, const struct syst_out *out);

/* Whether these bytes contain the mark. */
bool syst_hex_is_in(const uint8_t *bytes, size_t n);

#endif
