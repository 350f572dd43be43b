/* telnet_signs.c - looks at a byte stream for signs that it is Telnet and should be read as that. */
#include "source/telnet_signs.h"

#include "source/telnet.h"

#include <string.h>

enum { OPTIONS_KNOWN = 50 }; /* those that servers begin with have low numbers */

static bool begins_with_option(const struct telnet_signs *signs)
{
    return signs->head_n == sizeof signs->head && signs->head[0] == TELNET_IAC &&
           signs->head[1] >= TELNET_WILL && signs->head[1] <= TELNET_DONT && signs->head[2] < OPTIONS_KNOWN;
}

static void end_run(struct telnet_signs *signs)
{
    if (signs->run == 2)
        signs->pairs += signs->pairs < TELNET_SIGNS_PAIRS;
    else if (signs->run > 0)
        signs->has_others = true;
    signs->run = 0;
}

static void take_runs(struct telnet_signs *signs, const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n && !signs->has_others; at++) {
        if (bytes[at] == TELNET_IAC) {
            signs->run += signs->run < 3;
            continue;
        }
        end_run(signs);
        const uint8_t *next = memchr(bytes + at, TELNET_IAC, n - at);
        if (!next)
            return;
        at = (size_t)(next - bytes) - 1;
    }
}

enum telnet_sign telnet_signs_take(struct telnet_signs *signs, const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n && signs->head_n < sizeof signs->head; at++)
        signs->head[signs->head_n++] = bytes[at];
    take_runs(signs, bytes, n);
    if (begins_with_option(signs))
        return TELNET_SIGN_OPTIONS;
    return signs->pairs == TELNET_SIGNS_PAIRS && !signs->has_others ? TELNET_SIGN_PAIRS : TELNET_SIGN_NONE;
}
