/* hex.h - reads messages as lines of hex digits, anywhere in a log: "SYS-T RAW DATA: 0123ABCD". */
#ifndef DIALECT_SYST_HEX_H
#define DIALECT_SYST_HEX_H

#include "dialect/console.h"
#include "dialect/syst/framing.h"

/* The line that is being read. All zero is the initial state. */
struct syst_hex {
    struct console_filter filter;
    uint8_t matched; /* bytes of the mark so far */
    bool inside;     /* after the mark */
    bool between;    /* between groups of digits, or before the first */
    size_t digits;
    size_t group_at; /* start of the current group */
    size_t group;    /* digits of each group, 2 or 4; 0: unknown, or not in groups */
    uint8_t bytes[SYST_MESSAGE_MAX];
};

/* Reads any run of bytes, and sends messages to `out`. Other lines are not from SyS-T, and do not count as
 * damage. */
void syst_hex_feed(struct syst_hex *hex, const uint8_t *bytes, size_t n, const struct syst_out *out);

/* Reads the last line, which may be unterminated, since no more bytes follow. */
void syst_hex_finish(struct syst_hex *hex, const struct syst_out *out);

/* True when these bytes contain the mark. */
bool syst_hex_is_in(const uint8_t *bytes, size_t n);

#endif
