/* mpt_syst_take.c - frames messages from the ring for the line, in one of three forms.
 *
 * Pieces of a framed message are put together in `piece`, from where they go to the caller, so that a
 * message of any length comes through room of any size. */
#include "mpt_syst_ring.h"

#include "mpt_port.h"

static struct {
    uint8_t piece[48]; /* the longest is an STP stream's mark with a message's first packet */
    uint8_t piece_n, piece_at;
    size_t at, size; /* of the message that is being taken; size 0: none is */
#if MPT_SYST_STP
    uint16_t since_mark; /* number of messages; 0: the mark is due */
    uint8_t nibble;      /* waits for the second nibble of its byte */
    bool has_nibble;
#endif
    uint8_t framing, wanted;
    bool is_new; /* `wanted` has been set */
} line;

static bool is_framed_as(enum mpt_syst_framing framing)
{
#if MPT_SYST_RAW + MPT_SYST_HEX + MPT_SYST_STP == 1
    return framing == (MPT_SYST_HEX ? MPT_SYST_AS_HEX : MPT_SYST_STP ? MPT_SYST_AS_STP : MPT_SYST_AS_RAW);
#else
    return line.framing == framing;
#endif
}

void mpt_syst_frame(enum mpt_syst_framing framing)
{
    line.wanted = (uint8_t)framing;
    line.is_new = true;
}

/* Called between two messages. */
static void change_framing(void)
{
#if MPT_SYST_STP
    if (line.is_new)
        line.since_mark = 0;
#endif
    line.is_new = false;
    line.framing = line.wanted;
}

static void add(uint8_t byte)
{
    line.piece[line.piece_n++] = byte;
}

/* ---- lines of text ---- */

#if MPT_SYST_HEX
static void fill_hex(void)
{
    static const char mark[] = "SYS-T RAW DATA: ";

    if (line.at == 0)
        for (size_t i = 0; i < sizeof mark - 1; i++)
            add((uint8_t)mark[i]);
    for (size_t i = 0; i < 8 && line.at < line.size; i++, line.at++) {
        uint8_t byte = mpt_syst_byte(line.at);

        add((uint8_t) "0123456789ABCDEF"[byte >> 4]);
        add((uint8_t) "0123456789ABCDEF"[byte & 0xF]);
    }
    if (line.at == line.size) {
        add('\r');
        add('\n');
    }
}
#endif

/* ---- an STP stream ---- */

#if MPT_SYST_STP
static void add_nibble(uint8_t nibble)
{
    if (line.has_nibble)
        add((uint8_t)(line.nibble | nibble << 4));
    line.nibble = nibble;
    line.has_nibble = !line.has_nibble;
}

/* Adds an operation code of n nibbles, 1 to 16, which has one order: 0xF06 is F, 0, 6. */
static void add_code(uint64_t code, int n)
{
    for (code <<= 64 - 4 * n; n > 0; n--, code <<= 4)
        add_nibble((uint8_t)(code >> 60));
}

/* Adds a value, in the order of the stream. */
static void add_nibbles(uint64_t value, int n)
{
#if MPT_SYST_STP_ORDER == MPT_SYST_STP_MOST_FIRST
    add_code(value, n);
#else
    for (; n > 0; n--, value >>= 4)
        add_nibble(value & 0xF);
#endif
}
#endif

#if MPT_SYST_STP
/* Adds ASYNC, VERSION, FREQ, and master and channel, which VERSION clears, up to a whole byte. */
static void add_mark(void)
{
    for (int i = 0; i < 21; i++)
        add_nibble(0xF);
    add_nibble(0);
    add_code(0xF003, 4);
    add_code(0xF08, 3);
    add_nibbles(MPT_TICK_HZ, 8);
    add_code(0xF1, 2);
    add_nibbles(MPT_SYST_STP_MASTER, 4);
    add_code(0xF3, 2);
    add_nibbles(MPT_SYST_STP_CHANNEL, 4);
    add_nibble(0);
}

static uint64_t take_bytes(size_t n)
{
    uint64_t value = 0;

    for (size_t i = n; i > 0; i--)
        value = value << 8 | mpt_syst_byte(line.at + i - 1);
    line.at += n;
    return value;
}

/* Returns true when the message is one number, which is sent as one packet. */
static bool is_number(void)
{
    uint8_t type = mpt_syst_byte(0) & 0xF, subtype = mpt_syst_byte(3) & 0x3F;

    return type == 1 || type == 7 || (type == 0 && subtype < 2);
}

/* Adds a Dn packet for the largest piece that is left. */
static void add_data(void)
{
    size_t left = line.size - line.at;
    uint8_t code = left >= 8 ? 7 : left >= 4 ? 6 : left >= 2 ? 5 : 4;

    add_nibble(code);
    add_nibbles(take_bytes((size_t)1 << (code - 4)), 2 << (code - 4));
}

static void fill_stp(void)
{
    if (line.at > 0) {
        add_data();
    } else {
        bool alone = is_number();
        size_t n = alone ? line.size : 4;

        if (line.since_mark == 0)
            add_mark();
        line.since_mark = (uint16_t)((line.since_mark + 1) % MPT_SYST_STP_SYNC);
        if (alone)
            add_nibble(n == 4 ? 0xA : 0xB); /* DnMTS */
        else
            add_code(0xF6, 2); /* D32TS */
        add_nibbles(take_bytes(n), 2 * (int)n);
        add_nibble(0xE);
        add_nibbles(mpt_syst_oldest_time(), 16);
    }
    if (line.at == line.size && !is_number())
        add_code(0xFE, 2); /* FLAG */
    if (line.at == line.size && line.has_nibble)
        add_nibble(0);
}
#endif

/* ---- taking ---- */

/* Returns an upper limit of the bytes that a message of n bytes takes on the line. */
static size_t framed_size(size_t n)
{
    if (MPT_SYST_HEX && is_framed_as(MPT_SYST_AS_HEX))
        return 16 + 2 * n + 2;
    if (MPT_SYST_STP && is_framed_as(MPT_SYST_AS_STP))
        return 48 + n + n / 8;
    return n;
}

/* Makes the next piece of the message that is being taken; drops the message after the last one. */
static void fill(void)
{
    line.piece_n = line.piece_at = 0;
#if MPT_SYST_HEX
    if (is_framed_as(MPT_SYST_AS_HEX))
        fill_hex();
#endif
#if MPT_SYST_STP
    if (is_framed_as(MPT_SYST_AS_STP))
        fill_stp();
#endif
    if (line.at == line.size) {
        line.size = 0;
        mpt_syst_drop_oldest();
    }
}

/* Copies as much as fits: back to back a message is sent as it is in the ring. */
static size_t copy_raw(uint8_t *to, size_t room)
{
    size_t n = line.size - line.at;

    if (n > room)
        n = room;
    mpt_syst_copy(line.at, to, n);
    line.at += n;
    if (line.at == line.size) {
        line.size = 0;
        mpt_syst_drop_oldest();
    }
    return n;
}

static bool has_piece(void)
{
    return line.piece_at < line.piece_n;
}

size_t mpt_syst_take(uint8_t *to, size_t room)
{
    size_t n = 0;

    while (n < room) {
        if (has_piece()) {
            to[n++] = line.piece[line.piece_at++];
            continue;
        }
        if (line.size == 0) {
            size_t size = mpt_syst_oldest();

            change_framing();
            if (size == 0 || (n > 0 && framed_size(size) > room - n))
                break;
            line.at = 0;
            line.size = size;
        }
        if (MPT_SYST_RAW && is_framed_as(MPT_SYST_AS_RAW))
            n += copy_raw(to + n, room - n);
        else
            fill();
    }
    return n;
}
