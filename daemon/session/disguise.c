/* disguise.c - finds out how bytes that make no sense were changed on their way.
 *
 * A reversible change is undone: valid checksums are no coincidence, so two more packets than before prove
 * it. A change that lost information shows in what is left: a byte value that never occurs, packet heads as
 * they look after the change, and checksums that are valid once the value is put back. */
#include "session/disguise.h"

#include <stdlib.h>
#include <string.h>

#include "dialect/guess.h"
#include "protocol/frame.h"
#include "protocol/frame_reader.h"
#include "protocol/packet.h"
#include "session/mended.h"
#include "session/other_rate.h"

/* ---- reversible changes ---- */

static const struct {
    undo_fn undo;
    bool is_safe; /* true: decoding the undone bytes is safe */
    const char *sentence;
} changes[] = {
    {undo_utf8, true,
     "What comes is encoded as UTF-8, as if its bytes were letters: a terminal or a script writes them as "
     "text; have it "
     "write them as they are."},
    {undo_hex, true,
     "What comes is hex digits, as a dump shows bytes: it is packets in text; have them sent or recorded as "
     "they are."},
    {undo_base64, true,
     "What comes is base64, as mail and JSON carry bytes: it is packets in text; have them sent or recorded "
     "as they are."},
    {undo_utf16le, true,
     "What comes is UTF-16, as PowerShell's > writes: each byte has a zero byte behind it; record it with a "
     "tool that "
     "leaves bytes as they are."},
    {undo_utf16be, true,
     "What comes is UTF-16, big-endian: each byte has a zero byte before it; record it with a tool that "
     "leaves bytes as "
     "they are."},
    {undo_crlf, false,
     "Each line feed (0A) has a carriage return (0D) before it: the device's console, or a driver (ONLCR), "
     "edits what is "
     "sent as text; switch its newline conversion off."},
    {undo_ff_twice, false,
     "Each byte FF comes twice, as a driver with PARMRK and a telnet server send it; switch parity marks off "
     "(stty "
     "-parmrk), or take the server's raw port."},
    {undo_all_twice, false,
     "Each byte comes twice: it is echoed, or two programs write the same; switch the echo off, or end one "
     "of them."},
    {undo_some_twice, false,
     "One byte value always comes twice, as protocols with an escape byte send it; read the line behind what "
     "takes that "
     "out again."},
    {undo_slip, false,
     "What comes is wrapped in SLIP (C0, DB DC): read the line behind what unwraps it, or send packets "
     "without it."},
    {undo_inverted, false,
     "All bits are inverted: the line has the other polarity, as RS-232 has without a level converter; "
     "invert it in the "
     "adapter or the UART."},
    {undo_bits_reversed, false,
     "The bits of each byte come in reverse order: the UART sends the most significant bit first; have it "
     "send the least "
     "significant one first."},
    {undo_nibbles_swapped, false,
     "The two halves of each byte are swapped: what wrote the bytes as digits, or packed them, took them in "
     "the other "
     "order."},
    {undo_bytes_swapped, false,
     "The bytes of each 16-bit word are swapped: a DMA or a tool moved words of the other byte order; have "
     "it move bytes."},
    {undo_words_swapped, false,
     "The bytes of each 32-bit word come in reverse order: a DMA or a tool moved words of the other byte "
     "order; have it "
     "move bytes."},
    {undo_text, false,
     "Lines of text lie within packets: another program, such as the device's console, writes to the same "
     "line; give one of "
     "them a line of its own, or have each write whole packets and lines."},
};
enum { CHANGES = sizeof changes / sizeof *changes };

bool disguise_may_be_safe(const uint8_t *bytes, size_t n)
{
    size_t text = 0, zeros[2] = {0};
    for (size_t i = 0; i < n; i++) {
        text += (bytes[i] >= ' ' && bytes[i] < 0x7F) || (bytes[i] >= '\t' && bytes[i] <= '\r');
        zeros[i % 2] += !bytes[i];
    }
    uint8_t out[512];
    return text == n || zeros[0] >= n / 2 - 1 || zeros[1] >= n / 2 - 1 ||
           (n <= sizeof out && undo_utf8(bytes, n, out) > 0);
}

/* The number of valid packets from a target; commands only come from hosts. */
static size_t good_packets(const uint8_t *bytes, size_t n, uint8_t *memory, size_t size)
{
    struct mp_frame_reader reader;
    struct mp_frame frame;
    size_t good = 0;
    mp_frame_reader_init(&reader, memory, size);
    mp_frame_reader_feed(&reader, bytes, n);
    mp_frame_reader_end(&reader, true);
    while (mp_frame_reader_next(&reader, &frame))
        good++;
    return good;
}

size_t disguise_packets(const uint8_t *bytes, size_t n)
{
    const size_t size = MP_FRAME_READER_MEMORY(DISGUISE_MOST);
    uint8_t *memory = malloc(size);
    size_t good = memory ? good_packets(bytes, n, memory, size) : 0;
    free(memory);
    return good;
}

/* Rates bytes: the number of packets, or for dialects without packets 2 if they look like it, a mere
 * guess. */
static size_t score_bytes(const uint8_t *bytes, size_t n, const struct dialect *dialect, uint8_t *memory,
                          size_t size, bool *is_guess)
{
    *is_guess = false;
    if (n == 0)
        return 0;
    size_t good = dialect && dialect->framing == DIALECT_RAW ? 0 : good_packets(bytes, n, memory, size);
    bool is_framed = dialect && dialect->framing == DIALECT_FRAMED;
    const struct dialect *guess = good || is_framed ? NULL : dialect_guess(bytes, n);
    *is_guess = guess && (!dialect || guess == dialect);
    return *is_guess ? 2 : good;
}

static struct disguise find_change(const uint8_t *bytes, size_t n, const struct dialect *dialect,
                                   uint8_t *memory, size_t size)
{
    uint8_t *out = memory + size;
    bool was_guess, is_guess;
    size_t before = score_bytes(bytes, n, dialect, memory, size, &was_guess);
    for (int i = 0; i < CHANGES; i++) {
        size_t k = changes[i].undo(bytes, n, out);
        size_t after = score_bytes(out, k, dialect, memory, size, &is_guess);
        if (is_guess && before && !was_guess)
            continue; /* packets are no coincidence */
        if (after >= (was_guess && !is_guess ? 0 : before) + 2 ||
            (after == 1 && !before && n < DISGUISE_MOST / 64))
            return (struct disguise){changes[i].sentence, changes[i].is_safe ? changes[i].undo : NULL, NULL,
                                     false};
    }
    return (struct disguise){NULL};
}

/* ---- irreversible changes ---- */

struct look {
    size_t n, count[256];
    size_t even; /* bytes with an even number of bits */
    size_t printable;
};

static struct look look_at(const uint8_t *bytes, size_t n)
{
    struct look look = {.n = n};
    for (size_t i = 0; i < n; i++) {
        uint8_t byte = bytes[i];
        look.count[byte]++;
        look.even += !(__builtin_popcount(byte) & 1);
        look.printable += (byte >= ' ' && byte < 0x7F) || (byte >= '\t' && byte <= '\r');
    }
    return look;
}

static size_t count_heads(const uint8_t *bytes, size_t n, uint8_t first, uint8_t second)
{
    size_t heads = 0;
    for (size_t i = 0; i + 1 < n; i++)
        heads += bytes[i] == first && bytes[i + 1] == second;
    return heads;
}

enum { HEADS = 3, BYTES = 64 };

/* Looks for packet heads, AA 55, with parity in the eighth bit. */
static const char *find_lost_bit(const uint8_t *bytes, const struct look *look)
{
    size_t high = 0;
    for (size_t i = 0x80; i < 256; i++)
        high += look->count[i];
    if (high == 0 && count_heads(bytes, look->n, 0x2A, 0x55) >= HEADS)
        return "The eighth bit of each byte is missing: one end of the line has 7 data bits; set both to 8 "
               "data bits, no "
               "parity.";
    if (high == look->n && count_heads(bytes, look->n, 0xAA, 0xD5) >= HEADS)
        return "The eighth bit of each byte is set, as with 7 data bits and mark parity; set both ends to 8 "
               "data bits, no "
               "parity.";
    if (look->even == look->n && count_heads(bytes, look->n, 0xAA, 0x55) >= HEADS)
        return "Each byte has even parity in its eighth bit: one end of the line has 7 data bits and even "
               "parity; set both "
               "to 8 data bits, no parity.";
    if (look->even == 0 && count_heads(bytes, look->n, 0x2A, 0xD5) >= HEADS)
        return "Each byte has odd parity in its eighth bit: one end of the line has 7 data bits and odd "
               "parity; set both to "
               "8 data bits, no parity.";
    return NULL;
}

const char *disguise_find_echo(const uint8_t *bytes, size_t n)
{
    size_t commands = 0;
    struct mp_command command;
    for (size_t i = 0; i + MP_COMMAND_SIZE <= n; i++)
        if (mp_command_decode(&command, bytes + i)) {
            commands++;
            i += MP_COMMAND_SIZE - 1;
        }
    if (commands >= 2 && commands * MP_COMMAND_SIZE * 2 >= n)
        return "What comes is commands as a host sends them, an echo of this program's own: RX and TX are "
               "joined, or the "
               "other end is a console that echoes; check the wiring and that the agent has the UART.";
    return NULL;
}

static const char *find_other_sender(const uint8_t *bytes, const struct look *look)
{
    const char *echo = disguise_find_echo(bytes, look->n);
    if (echo)
        return echo;
    for (size_t i = 0; i < 256; i++)
        if (look->count[i] == look->n && look->n >= BYTES)
            return "All bytes are the same: the line is stuck, not connected, or at another rate; check "
                   "wiring, ground and "
                   "the speed of both ends.";
    return NULL;
}

/* Checks for plain text last, since base64, hex and some dialects are text, too. */
static const char *find_text(const struct look *look)
{
    if (look->n >= BYTES && look->printable * 20 >= look->n * 19)
        return "What comes is plain text, such as a device's console: the speed is right, and no packets are "
               "in it; name "
               "the port that the agent has, or what it is with --dialect.";
    return NULL;
}

struct disguise disguise_find(const uint8_t *bytes, size_t n, const struct dialect *dialect)
{
    const size_t size = MP_FRAME_READER_MEMORY(DISGUISE_MOST);
    uint8_t *memory = malloc(size + DISGUISE_MOST);
    struct disguise found = {NULL};
    if (!memory || n == 0)
        goto out;
    bool framed = !dialect || dialect->framing == DIALECT_FRAMED;
    struct look look = look_at(bytes, n);
    if (framed)
        found.sentence = find_other_sender(bytes, &look);
    if (framed && !found.sentence)
        found.sentence = find_lost_bit(bytes, &look);
    if (!found.sentence)
        found = find_change(bytes, n, dialect, memory, size);
    if (framed && !found.sentence)
        found.sentence = mended_find(bytes, n, look.count);
    if (framed && !found.sentence)
        found.looks_like = dialect_guess(bytes, n);
    if (framed && !found.sentence && !found.looks_like) {
        found.sentence = find_text(&look);
        found.is_text = found.sentence != NULL;
        if (!found.sentence && !good_packets(bytes, n, memory, size))
            found.sentence = other_rate_find(n, look.count);
    }
out:
    free(memory);
    return found;
}
