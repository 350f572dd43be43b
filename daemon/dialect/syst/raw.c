/* raw.c - reads messages back to back, with nothing between them.
 *
 * There is no mark to find a boundary by. But a header has many bits that must be as they are, and a message
 * has its length, so that chance seldom makes two messages follow one another. The rules:
 *
 * A message is accepted if its checksum is right, or if another one begins where it ends. For the latter, the last
 * message of a burst is buffered until the next one begins. Short forms have hardly any fixed bits, so several in a
 * row are needed.
 *
 * After the boundary was lost, each byte may be the next one, so more evidence is required.
 *
 * A damaged length may cover messages that follow, and even end where another one begins. So the inside of a
 * claimed message is searched for a row of messages. If there is one, the claim is rejected. (A message without
 * checksum, or longer than the search, that contains a stream of such messages is therefore taken apart.)
 *
 * All of this depends only on the bytes, not on how many arrive at a time. */
#include "dialect/syst/raw.h"

#include <string.h>

/* Evidence, in bits with fixed values. */
enum {
    BITS_WEAK = 3,
    BITS_STRONG = 10,
    BITS_CHECKED = 42,
    BITS_FOLLOWS = 10,           /* for a message at the end of the last one: in what follows it */
    BITS_FOUND = 20,             /* for a message that was searched for: in itself and what follows */
    BITS_CONTRADICTS_ALIKE = 20, /* from messages that may be expected here */
    BITS_CONTRADICTS = 30,       /* from any messages */
    BITS_SURE = 40,
    FOUND_MAX = 4096, /* limit of the size of a message that was searched for */
};

enum verdict { NO, YES, OPEN };

/* Returns YES if messages of at most `most` bytes follow one another from here, with `wanted` bits of
 * evidence, or up to the end of the stream. */
static enum verdict follow(const uint8_t *bytes, size_t n, int wanted, size_t most, bool ended)
{
    for (int bits = 0;;) {
        size_t size = 0;
        if (n == 0)
            return ended ? YES : OPEN;
        enum syst_claim claim = syst_claim(bytes, n, &size);
        if (claim == SYST_CLAIM_OPEN)
            return ended ? YES : OPEN;
        if (claim == SYST_CLAIM_NONE || size > most)
            return NO;
        bits += claim == SYST_CLAIM_STRONG ? BITS_STRONG : BITS_WEAK;
        if (bits >= wanted)
            return YES;
        if (size > n)
            return ended ? NO : OPEN;
        bytes += size;
        n -= size;
    }
}

static const uint8_t *front(const struct syst_raw *raw)
{
    return raw->bytes + raw->front;
}

/* Returns the evidence of successive messages with length from the start of these bytes, up to
 * BITS_CONTRADICTS; 0 when there are none. *ends becomes true when one ends with the bytes. */
static int bits_of_row(const uint8_t *bytes, size_t n, bool *ends)
{
    int bits = 0;
    for (size_t size; n > 0; bytes += size, n -= size) {
        if (syst_claim(bytes, n, &size) != SYST_CLAIM_STRONG)
            return 0;
        bits += BITS_STRONG;
        if (bits >= BITS_CONTRADICTS)
            return bits;
        if (size > n)
            return bits > BITS_STRONG ? bits : 0;
    }
    *ends = true;
    return bits;
}

/* True when the message at `at`, in the claim of `size` bytes at the front, is a likely successor of the
 * claimed message: shortly later or, without stamps, from the same sender. Data may look like a message by
 * coincidence, but hardly like such a successor. */
static bool is_alike(const struct syst_raw *raw, size_t size, size_t at)
{
    size_t n = size < raw->n ? size : raw->n;
    struct syst_message first = syst_message_parse(front(raw), n);
    struct syst_message next = syst_message_parse(front(raw) + at, n - at);
    if (first.has_timestamp != next.has_timestamp)
        return false;
    if (first.has_timestamp)
        return next.timestamp - first.timestamp < UINT64_C(1) << 40;
    return first.has_guid == next.has_guid && first.origin == next.origin && first.unit == next.unit;
}

/* True when the part received of a claim of `size` bytes at the front contains a row of messages. */
static bool is_contradicted(struct syst_raw *raw, size_t size)
{
    if (raw->looked == 0)
        raw->looked = 1;
    for (; raw->looked < size; raw->looked++) {
        size_t inside = size - raw->looked;
        size_t look = inside < SYST_RAW_LOOK ? inside : SYST_RAW_LOOK;
        if (raw->looked + look > raw->n)
            return false;
        bool ends = false;
        int bits = bits_of_row(front(raw) + raw->looked, look, &ends);
        if (bits >= BITS_CONTRADICTS ||
            ((bits >= BITS_CONTRADICTS_ALIKE || (bits && ends && look == inside)) &&
             is_alike(raw, size, raw->looked)))
            return true;
    }
    return false;
}

/* Judges the complete message of `size` bytes at the front. */
static enum verdict judge(struct syst_raw *raw, enum syst_claim claim, size_t size, bool ended)
{
    bool has_checksum = false;
    if (claim == SYST_CLAIM_STRONG) {
        struct syst_message message = syst_message_parse(front(raw), size);
        has_checksum = message.has_checksum;
        if (has_checksum && message.status == SYST_OK)
            return YES;
        if (is_contradicted(raw, size))
            return NO;
    }
    if (!raw->searching)
        return follow(front(raw) + size, raw->n - size, BITS_FOLLOWS, SYST_MESSAGE_MAX, ended);
    if (has_checksum)
        return NO;
    if (claim == SYST_CLAIM_WEAK && size == raw->n && ended)
        return NO; /* a single one at the end may be a coincidence */
    return follow(front(raw), raw->n, BITS_FOUND, FOUND_MAX, ended);
}

/* Judges the front; YES is a message of *size bytes. */
static enum verdict settle(struct syst_raw *raw, bool ended, size_t *size)
{
    if (raw->n == 0)
        return OPEN;
    enum syst_claim claim = syst_claim(front(raw), raw->n, size);
    if (claim == SYST_CLAIM_NONE)
        return NO;
    if (claim == SYST_CLAIM_OPEN)
        return ended ? NO : OPEN;
    if (raw->searching && *size > FOUND_MAX)
        return NO;
    if (*size > SYST_RAW_LOOK && is_contradicted(raw, *size))
        return NO; /* without waiting for the rest of it */
    if (*size > raw->n)
        return ended ? NO : OPEN;
    return judge(raw, claim, *size, ended);
}

static void drop(struct syst_raw *raw, size_t n)
{
    raw->front += n;
    raw->n -= n;
    raw->looked = 0;
}

static void lose(struct syst_raw *raw, const struct syst_out *out)
{
    if (raw->searching)
        return;
    raw->searching = true;
    out->health->framing_errors++;
    out->lost(out->user);
}

/* Returns how many bytes at the front cannot begin a message, at least one. */
static size_t hopeless(const struct syst_raw *raw)
{
    size_t at = 1, size;
    while (at < raw->n && syst_claim(front(raw) + at, raw->n - at, &size) == SYST_CLAIM_NONE)
        at++;
    return at;
}

static void settle_all(struct syst_raw *raw, bool ended, const struct syst_out *out)
{
    size_t size = 0;
    for (enum verdict verdict; (verdict = settle(raw, ended, &size)) != OPEN;) {
        if (verdict == YES) {
            raw->searching = false;
            out->message(out->user, &(struct syst_frame){.bytes = front(raw), .n = size});
            drop(raw, size);
        } else {
            size_t n = hopeless(raw);
            lose(raw, out);
            out->health->bytes_skipped += n;
            drop(raw, n);
        }
    }
}

void syst_raw_feed(struct syst_raw *raw, const uint8_t *bytes, size_t n, const struct syst_out *out)
{
    while (n > 0) {
        memmove(raw->bytes, front(raw), raw->n);
        raw->front = 0;
        size_t room = sizeof raw->bytes - raw->n;
        size_t some = n < room ? n : room;
        memcpy(raw->bytes + raw->n, bytes, some);
        raw->n += some;
        bytes += some;
        n -= some;
        settle_all(raw, false, out);
    }
}

void syst_raw_finish(struct syst_raw *raw, const struct syst_out *out)
{
    settle_all(raw, true, out);
}

/* Returns the evidence in a complete message. */
static int evidence(const uint8_t *bytes, size_t size, enum syst_claim claim)
{
    struct syst_message message = syst_message_parse(bytes, size);
    if (claim == SYST_CLAIM_WEAK)
        return 0;
    if (message.has_checksum)
        return message.status == SYST_OK ? BITS_CHECKED : 0;
    return BITS_STRONG;
}

bool syst_raw_is_in(const uint8_t *bytes, size_t n)
{
    for (size_t start = 0; start < n; start++) {
        int bits = 0;
        for (size_t at = start, size = 0; at < n; at += size) {
            enum syst_claim claim = syst_claim(bytes + at, n - at, &size);
            if ((claim != SYST_CLAIM_WEAK && claim != SYST_CLAIM_STRONG) || size > n - at)
                break;
            bits += evidence(bytes + at, size, claim);
            if (bits >= BITS_SURE)
                return true;
        }
    }
    return false;
}
