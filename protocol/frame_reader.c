/* frame_reader.c - finds packets in a byte stream.
 *
 * At each position of the stream the reader checks whether a packet begins. If not, it advances by one byte.
 * If the packet is complete, it returns it. If it is incomplete, it waits. Any failure costs one byte, never
 * the length that was claimed.
 *
 * Waiting is where a damaged length hurts: it claims bytes that are other packets. So while the reader waits
 * it also looks ahead, once over every byte, for a good packet directly followed by the head of another. That
 * is proof enough (SPEC.md 6.3 weighs it): the claim is dropped, and with it every unfinished one that begins
 * before the proof. What the look ahead meets unfinished itself is remembered in `claims`; when they are too
 * many, those that end last are dropped: long claims are more often false.
 *
 * Without looking ahead, a line that never pauses is delayed until all claimed bytes have arrived: at worst
 * 15,562 bytes, 1.4 s at 115200 baud, instead of 50 bytes with it (packets of 308 bytes, read 46 at a time).
 * With one claim instead of sixteen it is 7,926.
 *
 * Memory: `carry` holds the bytes from earlier reads, up to carry_old, then those of this read that were
 * needed to complete a packet. As soon as the position has passed the old ones, reading continues in the
 * caller's bytes. It has room for two of the longest packets, so moving its content to the front costs at
 * most as many bytes as were read. */
#include "protocol/frame_reader.h"

#include "protocol/bytes.h"
#include "protocol/crc16.h"
#include "protocol/packet.h"

/* ---- one packet ---- */

enum {
    HEAD_TO_JUDGE = MP_FRAME_HEAD + 1, /* the version also limits the possible lengths */
    BODY_AT = 2,                       /* where the body begins */
    TAIL = MP_FRAME_OVERHEAD - MP_FRAME_HEAD,
    HINTS_TRIED = 1000, /* enough for a diagnosis; few enough not to slow a stream of only wrong checksums */
};

static bool type_known(uint8_t type)
{
    return (type >= MP_ACK && type <= MP_PROFILE_DATA) || type == MP_EXTENSION || type == MP_DESCRIPTION;
}

static bool length_possible(uint8_t type, size_t length)
{
    switch (type) {
    case MP_ACK:
    case MP_NACK: return length == 0;
    case MP_METADATA: return length == MP_METADATA_SIZE;
    case MP_STATUS:
        return length == MP_STATUS_SIZE || length == MP_STATUS_LONG_SIZE || length == MP_STATUS_CORES_SIZE;
    case MP_PROFILE_DATA:
    case MP_EXTENSION:
    case MP_DESCRIPTION: return length > 0;
    default: return true;
    }
}

static bool length_of_records(size_t length)
{
    return length >= MP_PROFILE_DATA_HEAD && (length - MP_PROFILE_DATA_HEAD) % MP_RECORD_SIZE == 0;
}

/* Returns the size of the packet that begins with the n bytes at p: 0 when no packet begins there, a number
 * above n when more bytes are needed to determine or complete it. */
static size_t packet_size(const uint8_t *p, size_t n, size_t max_payload)
{
    if (n < MP_FRAME_HEAD)
        return HEAD_TO_JUDGE;
    uint8_t type = p[2];
    size_t length = mp_load_u16(p + 3);
    if (length > max_payload || !length_possible(type, length))
        return 0;
    if (type == MP_PROFILE_DATA && n >= HEAD_TO_JUDGE && p[5] == MP_PROFILE_DATA_V1 &&
        !length_of_records(length))
        return 0;
    return MP_FRAME_OVERHEAD + length;
}

/* Returns the first position in the n bytes at p where a packet may begin, n when there is none. */
static size_t header_position(struct mp_frame_reader *reader, const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        bool may_begin = p[i] == MP_FRAME_HEADER_0 || p[i] == MP_FRAME_HEADER_1;
        if (may_begin && (i + 1 == n || (p[i] ^ p[i + 1]) == (MP_FRAME_HEADER_0 ^ MP_FRAME_HEADER_1)))
            break;
    }
    reader->counters.work += i;
    return i;
}

static uint16_t body_crc(struct mp_frame_reader *reader, uint16_t start, const uint8_t *p, size_t size)
{
    size_t n = size - BODY_AT - TAIL;
    reader->counters.work += n;
    return mp_crc16_fast(start, p + BODY_AT, n);
}

static bool end_right(const uint8_t *p, size_t size)
{
    return p[size - 1] == MP_FRAME_END;
}

/* Returns true when the checksum is correct in one of the two ways; *start receives the way. Only the first
 * is computed while the target does not change. */
static bool crc_right(struct mp_frame_reader *reader, const uint8_t *p, size_t size, uint16_t *start)
{
    uint16_t stored = mp_load_u16(p + size - TAIL);
    *start = reader->crc_start;
    if (body_crc(reader, *start, p, size) == stored)
        return true;
    *start ^= MP_FRAME_CRC_DOCUMENT ^ MP_FRAME_CRC_OTHER;
    return body_crc(reader, *start, p, size) == stored;
}

static enum mp_frame_variant packet_variant(const uint8_t *p, uint16_t start)
{
    if (p[0] == MP_FRAME_HEADER_0)
        return start == MP_FRAME_CRC_DOCUMENT ? MP_VARIANT_AA55_FFFF : MP_VARIANT_AA55_0000;
    return start == MP_FRAME_CRC_DOCUMENT ? MP_VARIANT_55AA_0000 : MP_VARIANT_55AA_FFFF;
}

/* Checks a wrong checksum, while none was correct yet, for mistakes that firmware makes. */
static void hint_at_mistake(struct mp_frame_reader *reader, const uint8_t *p, size_t size)
{
    uint16_t stored = mp_load_u16(p + size - TAIL);
    uint16_t swapped = (uint16_t)(stored << 8 | stored >> 8);
    if (body_crc(reader, MP_FRAME_CRC_DOCUMENT, p, size) == swapped ||
        body_crc(reader, MP_FRAME_CRC_OTHER, p, size) == swapped)
        reader->counters.hint_crc_big_endian++;
    if (body_crc(reader, MP_CRC16_CCITT_FALSE, p, size) == stored ||
        body_crc(reader, MP_CRC16_XMODEM, p, size) == stored)
        reader->counters.hint_crc_without_header++;
}

/* ---- the bytes ---- */

static bool is_carrying(const struct mp_frame_reader *reader)
{
    return reader->carry_at < reader->carry_old;
}

static void copy_bytes(struct mp_frame_reader *reader, uint8_t *to, const uint8_t *from, size_t n)
{
    reader->counters.work += n;
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

static void carry_more(struct mp_frame_reader *reader, size_t n)
{
    if (reader->carry_end + n > reader->carry_size) {
        copy_bytes(reader, reader->carry, reader->carry + reader->carry_at,
                   reader->carry_end - reader->carry_at);
        reader->carry_end -= reader->carry_at;
        reader->carry_old -= reader->carry_at;
        reader->carry_at = 0;
    }
    copy_bytes(reader, reader->carry + reader->carry_end, reader->input + reader->input_at, n);
    reader->carry_end += n;
    reader->input_at += n;
}

/* Returns the bytes from the position on, in one piece: at least `wanted`, or all there are. */
static const uint8_t *window_of(struct mp_frame_reader *reader, size_t wanted, size_t *n)
{
    size_t fresh = reader->input_size - reader->input_at;
    if (!is_carrying(reader)) {
        *n = fresh;
        return reader->input + reader->input_at;
    }
    size_t have = reader->carry_end - reader->carry_at;
    if (have < wanted)
        carry_more(reader, wanted - have < fresh ? wanted - have : fresh);
    *n = reader->carry_end - reader->carry_at;
    return reader->carry + reader->carry_at;
}

static void advance_by(struct mp_frame_reader *reader, size_t n)
{
    reader->offset += n;
    if (!is_carrying(reader)) {
        reader->input_at += n;
        return;
    }
    reader->carry_at += n;
    if (is_carrying(reader))
        return;
    reader->input_at -= reader->carry_end - reader->carry_at; /* their copies are not needed any more */
    reader->carry_at = reader->carry_old = reader->carry_end = 0;
}

static void skip_bytes(struct mp_frame_reader *reader, size_t n)
{
    reader->counters.bytes_skipped += n;
    if (reader->skipped)
        reader->skipped(
            reader->skipped_user,
            is_carrying(reader) ? reader->carry + reader->carry_at : reader->input + reader->input_at, n);
    advance_by(reader, n);
}

/* ---- waiting ---- */

/* While the reader waits, all bytes from the position on are in the carry. */
static uint64_t waiting_end(const struct mp_frame_reader *reader)
{
    return reader->offset + (reader->carry_end - reader->carry_at);
}

static const uint8_t *waiting_at(const struct mp_frame_reader *reader, uint64_t offset)
{
    return reader->carry + reader->carry_at + (size_t)(offset - reader->offset);
}

static bool packet_good(struct mp_frame_reader *reader, const uint8_t *p, size_t size)
{
    uint16_t start;
    return end_right(p, size) && crc_right(reader, p, size, &start);
}

/* Returns true when the bytes from `start` to `end` are a packet that another seems to follow. Both,
 * including the other's head, have arrived. */
static bool proves_packet(struct mp_frame_reader *reader, uint64_t start, uint64_t end)
{
    const uint8_t *p = waiting_at(reader, start), *next = waiting_at(reader, end);
    return next[0] == p[0] && next[1] == p[1] && packet_size(next, MP_FRAME_HEAD, reader->max_payload) &&
           packet_good(reader, p, (size_t)(end - start));
}

static void claim_add(struct mp_frame_reader *reader, uint64_t start, uint64_t end)
{
    size_t place = reader->n_claims;
    if (place < MP_FRAME_READER_CLAIMS) {
        reader->n_claims++;
    } else {
        place = 0;
        for (size_t i = 1; i < MP_FRAME_READER_CLAIMS; i++)
            if (reader->claims[i].end > reader->claims[place].end)
                place = i;
        if (reader->claims[place].end <= end)
            return;
    }
    reader->claims[place].start = start;
    reader->claims[place].end = end;
}

/* Checks unfinished packets again. Returns true when one of them is proof. */
static bool claims_prove(struct mp_frame_reader *reader)
{
    uint64_t end = waiting_end(reader);
    size_t kept = 0;
    bool proof = false;
    for (size_t i = 0; i < reader->n_claims; i++) {
        uint64_t claim_start = reader->claims[i].start, claim_end = reader->claims[i].end;
        if (claim_start <= reader->offset)
            continue;
        if (proof || claim_end + MP_FRAME_HEAD > end) {
            reader->claims[kept++] = reader->claims[i];
        } else if (proves_packet(reader, claim_start, claim_end)) {
            reader->proven = claim_start;
            proof = true;
        }
    }
    reader->n_claims = kept;
    return proof;
}

/* Looks ahead over the bytes that were not checked yet. Returns true at the first proof. */
static bool look_ahead(struct mp_frame_reader *reader)
{
    uint64_t end = waiting_end(reader);
    if (reader->probed <= reader->offset)
        reader->probed = reader->offset + 1;
    while (reader->probed < end) {
        size_t left = (size_t)(end - reader->probed);
        const uint8_t *p = waiting_at(reader, reader->probed);
        size_t gap = header_position(reader, p, left);
        reader->probed += gap;
        left -= gap;
        if (left < HEAD_TO_JUDGE)
            return false;
        uint64_t start = reader->probed++;
        size_t size = packet_size(p + gap, left, reader->max_payload);
        if (size == 0)
            continue;
        if (start + size + MP_FRAME_HEAD > end) {
            claim_add(reader, start, start + size);
        } else if (proves_packet(reader, start, start + size)) {
            reader->proven = start;
            return true;
        }
    }
    return false;
}

/* The packet at the position is incomplete. Returns true when the reader should wait for the rest. */
static bool worth_waiting(struct mp_frame_reader *reader)
{
    if (!is_carrying(reader))
        carry_more(reader, reader->input_size - reader->input_at);
    reader->carry_old = reader->carry_end; /* the caller's bytes may be gone after the wait */
    return !reader->ended && reader->offset >= reader->proven && !claims_prove(reader) && !look_ahead(reader);
}

/* ---- the reader ---- */

void mp_frame_reader_init(struct mp_frame_reader *reader, uint8_t *memory, size_t size)
{
    *reader = (struct mp_frame_reader){
        .max_payload = size / 2 - MP_FRAME_OVERHEAD,
        .crc_start = MP_FRAME_CRC_DOCUMENT,
        .input = memory,
        .carry = memory,
        .carry_size = size,
    };
}

void mp_frame_reader_feed(struct mp_frame_reader *reader, const uint8_t *bytes, size_t n)
{
    reader->counters.bytes += n;
    reader->ended = reader->is_over = false;
    reader->input = n ? bytes : reader->carry;
    reader->input_size = n;
    reader->input_at = 0;
}

/* Searches for a complete packet inside the unfinished one at the position; `proven` receives its
 * position. */
static bool look_inside(struct mp_frame_reader *reader)
{
    uint64_t end = waiting_end(reader);
    for (uint64_t start = reader->offset + 1; start < end; start++) {
        const uint8_t *p = waiting_at(reader, start);
        size_t left = (size_t)(end - start), gap = header_position(reader, p, left);
        start += gap;
        left -= gap;
        size_t size = left < MP_FRAME_OVERHEAD ? 0 : packet_size(p + gap, left, reader->max_payload);
        if (size && size <= left && packet_good(reader, p + gap, size)) {
            reader->proven = start;
            return true;
        }
    }
    return false;
}

void mp_frame_reader_idle(struct mp_frame_reader *reader)
{
    look_inside(reader);
}

void mp_frame_reader_end(struct mp_frame_reader *reader, bool is_over)
{
    reader->ended = true;
    reader->is_over = is_over;
}

/* Drops the rest if the end of the input cut off the packet at the position. */
static bool cut_off(struct mp_frame_reader *reader)
{
    if (!reader->is_over || reader->offset < reader->proven || look_inside(reader))
        return false;
    size_t left = (size_t)(waiting_end(reader) - reader->offset);
    reader->counters.bytes_cut += left;
    advance_by(reader, left);
    return true;
}

static void hand_out(struct mp_frame_reader *reader, struct mp_frame *frame, const uint8_t *p, size_t size,
                     uint16_t start)
{
    enum mp_frame_variant variant = packet_variant(p, start);
    if (!reader->variant) {
        reader->variant = variant;
        reader->crc_start = start;
        reader->counters.bytes_before = reader->counters.bytes_skipped;
    }
    reader->counters.packets++;
    reader->counters.bytes_read += size;
    reader->counters.other_variant += variant != reader->variant;
    reader->counters.unknown_types += !type_known(p[2]);
    *frame = (struct mp_frame){
        .packet = p,
        .packet_size = size,
        .body = p + BODY_AT,
        .body_size = size - BODY_AT - TAIL,
        .payload = p + MP_FRAME_HEAD,
        .length = (uint16_t)(size - MP_FRAME_OVERHEAD),
        .type = p[2],
    };
    advance_by(reader, size);
}

bool mp_frame_reader_next(struct mp_frame_reader *reader, struct mp_frame *frame)
{
    for (;;) {
        size_t n;
        const uint8_t *p = window_of(reader, HEAD_TO_JUDGE, &n);
        size_t gap = header_position(reader, p, n);
        if (gap) {
            skip_bytes(reader, gap);
            continue;
        }
        if (n == 0)
            return false;
        size_t size = packet_size(p, n, reader->max_payload);
        if (size == 0) {
            reader->counters.framing_errors++;
            skip_bytes(reader, 1);
            continue;
        }
        p = window_of(reader, size, &n);
        if (n < size) {
            if (worth_waiting(reader) || cut_off(reader))
                return false;
            reader->counters.framing_errors += n >= MP_FRAME_HEAD;
            skip_bytes(reader, 1);
            continue;
        }
        uint16_t start;
        if (!end_right(p, size)) {
            reader->counters.framing_errors++;
        } else if (crc_right(reader, p, size, &start)) {
            hand_out(reader, frame, p, size, start);
            return true;
        } else {
            reader->counters.crc_errors++;
            if (!reader->variant && reader->counters.crc_errors <= HINTS_TRIED)
                hint_at_mistake(reader, p, size);
        }
        skip_bytes(reader, 1);
    }
}

size_t mp_frame_reader_waiting(const struct mp_frame_reader *reader)
{
    return reader->carry_end - reader->carry_at;
}
