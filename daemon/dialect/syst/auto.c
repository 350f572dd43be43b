/* auto.c - detects how SyS-T messages are framed.
 *
 * It checks at certain numbers of bytes, so the result does not depend on how bytes arrive. */
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

static void ignore_message(void *user, const struct syst_frame *frame) {}
static void ignore_lost(void *user) {}

/* Returns how many of the bytes do not belong to messages back to back. */
static uint64_t skipped(const uint8_t *bytes, size_t n)
{
    struct dialect_health health = {0};
    struct syst_out out = {ignore_message, ignore_lost, NULL, &health};
    struct syst_raw raw = {.n = 0};
    syst_raw_feed(&raw, bytes, n, &out);
    syst_raw_finish(&raw, &out);
    return health.bytes_skipped < n ? health.bytes_skipped : n;
}

/* The marks of the other two framings are certain. Back to back, matching headers may be a coincidence, so
 * what counts is the share of bytes in messages. */
int syst_auto_probe(const uint8_t *bytes, size_t n)
{
    if (syst_hex_is_in(bytes, n) || syst_stp_is_in(bytes, n))
        return 90;
    if (n > SYST_WINDOW) {
        bytes += n - SYST_WINDOW;
        n = SYST_WINDOW;
    }
    return syst_raw_is_in(bytes, n) ? (int)(85 * (n - skipped(bytes, n)) / n) : 0;
}
