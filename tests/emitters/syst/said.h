/* said.h - takes the emitter's messages. */
#ifndef EMITTERS_SYST_SAID_H
#define EMITTERS_SYST_SAID_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "mpt_board.h"
#include "mpt_syst.h"
#include "support/stream.h"

/* Takes all waiting bytes, `room` at a time. */
static inline void said_take(struct stream *stream, size_t room)
{
    uint8_t bytes[4096];
    size_t n;

    cr_assert_leq(room, sizeof bytes);
    while ((n = mpt_syst_take(bytes, room)) > 0)
        stream_bytes(stream, bytes, n);
}

/* Expects the waiting message, as hex digits. */
#define EXPECT_SAID(expected)                                                                                \
    do {                                                                                                     \
        char digits[1024] = "";                                                                              \
        struct stream said = {0};                                                                            \
        said_take(&said, 500);                                                                               \
        for (size_t i = 0; i < said.n; i++)                                                                  \
            snprintf(digits + 2 * i, 3, "%02X", said.bytes[i]);                                              \
        cr_assert_str_eq(digits, expected, "%s", digits);                                                    \
        stream_fini(&said);                                                                                  \
    } while (0)

#endif
