/* auto.c - finds out how SyS-T messages are framed.
 *
 * Looks when so and so many bytes are there, not when they come, so that it does not matter how they come. */
#include "dialect/syst/auto.h"

#include <string.h>

#include "dialect/syst/hex.h"
#include "dialect/syst/raw.h"
#include "dialect/syst/stp.h"

enum { FIRST_LOOK = 64, EACH_LOOK = 256 };

enum syst_kind syst_auto_kind(const uint8_t *bytes, size_t n)
{
    return syst_hex_is_in(bytes, n)   ? SYST_HEX
           : syst_stp_is_in(bytes, n) ? SYST_STP
           : syst_raw_is_in(bytes, n) ? SYST_BACK_TO_BACK
                                      : SYST_UNDECIDED;
}

static size_t next_look(size_t n)
{
    size_t look = FIRST_LOOK;
    while (look <= n && look < EACH_LOOK)
        look *= 2;
    return look > n ? look : (n / EACH_LOOK + 1) * EACH_LOOK;
}

enum syst_kind syst_auto_feed(struct syst_auto *window, const uint8_t *bytes, size_t n, size_t *taken)
{
    *taken = 0;
    while (n > 0) {
        if (window->n == SYST_WINDOW) {
            window->n /= 2;
            memmove(window->bytes, window->bytes + window->n, window->n);
        }
        size_t wanted = next_look(window->n) - window->n;
        size_t some = n < wanted ? n : wanted;
        memcpy(window->bytes + window->n, bytes, some);
        window->n += some;
        bytes += some;
        n -= some;
        *taken += some;
        enum syst_kind kind = some == wanted ? syst_auto_kind(window->bytes, window->n) : SYST_UNDECIDED;
        if (kind != SYST_UNDECIDED)
            return kind;
    }
    return SYST_UNDECIDED;
}
