/* mended.c - detects byte values that a line drops or changes.
 *
 * A packet that lacks one byte ends where the next begins, one byte earlier than its size says. Each position
 * in it is tried for the missing byte. A 16-bit checksum is valid by chance once in 65,536 trials; with a few
 * hundred positions, that is likely in one packet of a hundred. So two repaired packets are proof, if the
 * value occurs nowhere else and they are at least an eighth of the damaged ones. */
#include "session/mended.h"

#include <stdbool.h>
#include <string.h>

#include "protocol/bytes.h"
#include "protocol/crc16.h"
#include "protocol/frame.h"

enum { BODY_AT = 2, TAIL = 3, PACKET_MOST = 1024, TRIED = 24, PROOFS = 2, SHARE = 8, CHANGED_MOST = 6 };

/* True if the packet of `size` bytes has a valid end. */
static bool is_good(const uint8_t *packet, size_t size)
{
    uint16_t stored = mp_load_u16(packet + size - TAIL);
    size_t body = size - BODY_AT - TAIL;
    return packet[size - 1] == MP_FRAME_END &&
           (mp_crc16_fast(MP_FRAME_CRC_DOCUMENT, packet + BODY_AT, body) == stored ||
            mp_crc16_fast(MP_FRAME_CRC_OTHER, packet + BODY_AT, body) == stored);
}

static bool is_head(const uint8_t *p)
{
    return (p[0] == MP_FRAME_HEADER_0 && p[1] == MP_FRAME_HEADER_1) ||
           (p[0] == MP_FRAME_HEADER_1 && p[1] == MP_FRAME_HEADER_0);
}

/* The position of the next head from `at` on, or n. */
static size_t next_head(const uint8_t *bytes, size_t n, size_t at)
{
    while (at + 1 < n && !is_head(bytes + at))
        at++;
    return at + 1 < n ? at : n;
}

/* True if inserting `value` somewhere makes the `size` bytes a valid packet. */
static bool is_mended_by(const uint8_t *packet, size_t size, uint8_t value)
{
    uint8_t whole[PACKET_MOST + 1];
    memcpy(whole, packet, size);
    for (size_t at = size + 1; at-- > BODY_AT;) {
        if (at < size)
            whole[at + 1] = packet[at];
        whole[at] = value;
        if (whole[MP_FRAME_HEAD - 2] + 256u * whole[MP_FRAME_HEAD - 1] + MP_FRAME_OVERHEAD == size + 1 &&
            is_good(whole, size + 1))
            return true;
        if (at < size)
            whole[at] = packet[at];
    }
    return false;
}

static size_t count_eaten(const uint8_t *bytes, size_t n, uint8_t value)
{
    size_t proofs = 0, tried = 0;
    for (size_t at = next_head(bytes, n, 0), next; at < n && tried < TRIED; at = next) {
        next = next_head(bytes, n, at + 2);
        size_t size = next - at;
        if (size < MP_FRAME_OVERHEAD - 1 || size > PACKET_MOST || is_good(bytes + at, size))
            continue;
        tried++;
        proofs += is_mended_by(bytes + at, size, value);
    }
    return SHARE * proofs >= tried ? proofs : 0;
}

/* True if replacing some of its bytes `is` by `was` makes the packet valid. */
static bool is_changed_back(const uint8_t *packet, size_t size, uint8_t is, uint8_t was)
{
    uint8_t whole[PACKET_MOST];
    size_t places[CHANGED_MOST], n = 0;
    memcpy(whole, packet, size);
    for (size_t at = BODY_AT; at < size; at++)
        if (packet[at] == is) {
            if (n == CHANGED_MOST)
                return false;
            places[n++] = at;
        }
    for (unsigned chosen = 1; chosen < 1u << n; chosen++) {
        for (size_t i = 0; i < n; i++)
            whole[places[i]] = chosen >> i & 1 ? was : is;
        if (mp_load_u16(whole + 3) + (size_t)MP_FRAME_OVERHEAD == size && is_good(whole, size))
            return true;
    }
    return false;
}

static size_t count_changed(const uint8_t *bytes, size_t n, uint8_t is, uint8_t was)
{
    size_t proofs = 0, tried = 0;
    for (size_t at = next_head(bytes, n, 0), next; at < n && tried < TRIED; at = next) {
        next = next_head(bytes, n, at + 2);
        size_t size = next - at;
        if (size < MP_FRAME_OVERHEAD || size > PACKET_MOST || is_good(bytes + at, size))
            continue;
        tried++;
        proofs += is_changed_back(bytes + at, size, is, was);
    }
    return SHARE * proofs >= tried ? proofs : 0;
}

/* The size in the head of a packet at `at`, or 0 if none can begin there. */
static size_t size_said(const uint8_t *bytes, size_t n, size_t at)
{
    if (n - at < MP_FRAME_OVERHEAD || !is_head(bytes + at))
        return 0;
    size_t size = mp_load_u16(bytes + at + MP_FRAME_HEAD - 2) + (size_t)MP_FRAME_OVERHEAD;
    return size <= PACKET_MOST ? size : 0;
}

/* The total size of the valid packets from `at` on. */
static size_t good_from(const uint8_t *bytes, size_t n, size_t at)
{
    size_t end = at;
    for (size_t size; end < n && (size = size_said(bytes, n, end)) && size <= n - end; end += size)
        if (!is_good(bytes + end, size))
            break;
    return end - at;
}

/* The end of the packet at `at` that is valid without other valid packets inside it; 0 if there is none. */
static size_t end_around_others(const uint8_t *bytes, size_t n, size_t at)
{
    uint8_t whole[PACKET_MOST];
    size_t size = size_said(bytes, n, at);
    for (size_t in = next_head(bytes, n, at + MP_FRAME_HEAD); in < n && in < at + size;
         in = next_head(bytes, n, in + 1)) {
        size_t others = good_from(bytes, n, in), before = in - at;
        if (!others || size + others > n - at)
            continue;
        memcpy(whole, bytes + at, before);
        memcpy(whole + before, bytes + in + others, size - before);
        if (is_good(whole, size))
            return at + size + others;
    }
    return 0;
}

/* Counts packets into which another sender's packets were written. */
static size_t count_around_others(const uint8_t *bytes, size_t n)
{
    size_t proofs = 0, tried = 0;
    for (size_t at = next_head(bytes, n, 0), end; at < n && tried < 4 * TRIED;
         at = next_head(bytes, n, end)) {
        end = at + good_from(bytes, n, at);
        if (end > at)
            continue;
        tried++;
        end = end_around_others(bytes, n, at);
        proofs += end > 0;
        end = end ? end : at + 1;
    }
    return SHARE * proofs >= tried ? proofs : 0;
}

static const char *find_zeros_dropped(const uint8_t *bytes, size_t n, const size_t count[256])
{
    size_t heads = 0;
    for (size_t at = next_head(bytes, n, 0); at < n; at = next_head(bytes, n, at + 2))
        heads++;
    return heads > PROOFS && n >= 128 && count[0] == 0
               ? "No byte is zero: something on the way drops NUL bytes, as programs do that handle text; "
                 "have it pass all "
                 "bytes."
               : NULL;
}

const char *mended_find(const uint8_t *bytes, size_t n, const size_t count[256])
{
    const char *zeros = find_zeros_dropped(bytes, n, count);
    if (zeros)
        return zeros;
    if (count_around_others(bytes, n) >= PROOFS)
        return "Packets of a second sender lie within packets: two writers, such as two tasks, programs or "
               "boards, use the same line at the same time; give each a line of its own, or have each write "
               "whole packets.";
    if (count[0x11] == 0 && count[0x13] == 0 &&
        count_eaten(bytes, n, 0x11) + count_eaten(bytes, n, 0x13) >= PROOFS)
        return "The bytes 11 and 13 (XON, XOFF) are missing: a driver or a terminal server takes them for "
               "flow control; "
               "switch software flow control off (stty -ixon -ixoff).";
    if (count['\r'] == 0 && count_changed(bytes, n, '\n', '\r') >= PROOFS)
        return "Each carriage return (0D) came as a line feed (0A): a driver edits what is read as text "
               "(ICRNL); switch it "
               "to raw (stty raw).";
    if (count['\n'] == 0 && count_changed(bytes, n, '\r', '\n') >= PROOFS)
        return "Each line feed (0A) came as a carriage return (0D): a driver edits what is read as text "
               "(INLCR); switch it "
               "to raw (stty raw).";
    if (count['\r'] == 0 && count_eaten(bytes, n, '\r') >= PROOFS)
        return "All carriage returns (0D) are missing: a driver or a tool drops them from text (IGNCR); "
               "switch it to raw "
               "(stty raw).";
    return NULL;
}
