/* stream.c - finds the records in the data of a gprof agent.
 *
 * The window has one unit per byte or, in hex digits, per digit, so a lost digit is found as easily as a lost
 * byte: the search advances by units. Every decision depends only on the stream's content, never on how it
 * was cut into pieces. */
#include "dialect/gprof/stream.h"

#include <string.h>

enum {
    RUN = 3,
    RUN_WITHOUT_RANGES = 5,
    DOUBT_AFTER = 4096,
    NO_DIGIT = 0xFF,
};

/* Types of records. */
enum {
    SAMPLE = 'P',
    ARC = 'A',
    SAMPLES = 'P' | 0x80, /* count, address */
    ARCS = 'A' | 0x80,    /* count, addresses */
    DEFINE = 'D' | 0x80,  /* number, count, and the arc that the number stands for */
    NUMBER = 'I' | 0x80,  /* number: one more call */
    NUMBERS = 'N' | 0x80, /* number, count */
    LOST = 'L' | 0x80,    /* count, check */
    HEAD = 'H' | 0x80,    /* base, rate, check */
};

#define NO_NUMBER UINT64_MAX /* wider than any address here */

enum sight {
    PLAUSIBLE,
    IMPLAUSIBLE, /* a record by its type, but not by its addresses */
    NO_RECORD,
    TOO_SHORT, /* more bytes are needed */
};

/* ---- the window ---- */

static uint8_t digit_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return (uint8_t)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (uint8_t)(c - 'a' + 10) : NO_DIGIT;
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void take_digits(struct gprof_stream *stream, const uint8_t *characters, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_space(characters[i]))
            stream->window[stream->n++] = digit_value(characters[i]);
}

static void take_character(struct gprof_stream *stream, uint8_t byte)
{
    uint8_t characters[CONSOLE_HELD + 1];
    take_digits(stream, characters, console_hex_take(&stream->lines, byte, characters));
}

size_t gprof_stream_feed(struct gprof_stream *stream, const uint8_t *bytes, size_t n)
{
    memmove(stream->window, stream->window + stream->at, stream->n - stream->at);
    stream->n -= stream->at;
    stream->at = 0;
    size_t taken = 0, room = stream->digits == 1 ? GPROF_STREAM_WINDOW : GPROF_STREAM_WINDOW - CONSOLE_HELD;
    for (; taken < n && stream->n < room; taken++) {
        if (stream->digits == 1)
            stream->window[stream->n++] = bytes[taken];
        else
            take_character(stream, bytes[taken]);
    }
    return taken;
}

void gprof_stream_end(struct gprof_stream *stream)
{
    uint8_t characters[CONSOLE_HELD];
    gprof_stream_feed(stream, (const uint8_t *)"", 0); /* makes room */
    take_digits(stream, characters, console_hex_finish(&stream->lines, characters));
}

/* Reads a number. Returns NO_NUMBER when there is something else among the digits. */
static uint64_t load(const struct gprof_stream *stream, size_t at, unsigned bytes)
{
    unsigned bits = 8 / stream->digits;
    uint64_t value = 0;
    for (const uint8_t *unit = stream->window + at, *end = unit + bytes * stream->digits; unit < end;
         unit++) {
        if (*unit >> bits)
            return NO_NUMBER;
        value = value << bits | *unit;
    }
    return value;
}

/* ---- plausibility ---- */

static bool knows_ranges(const struct gprof_stream *stream)
{
    return stream->code_n && !stream->doubted;
}

/* True when the number can be an address. A return address may be just past the code's end, after a call that
 * does not return, and Thumb's bit 0 may be set. */
static bool is_address(const struct gprof_stream *stream, uint64_t base, uint64_t number)
{
    if (number == NO_NUMBER)
        return false;
    if (!knows_ranges(stream))
        return number != 0;
    uint64_t address = (number + base) & ~UINT64_C(1);
    for (size_t i = 0; i < stream->code_n; i++)
        if (address >= stream->code[i].start && address <= stream->code[i].end)
            return true;
    return false;
}

/* True when the number is the lower bytes of EXC_RETURN. */
static bool is_interrupt(const struct gprof_stream *stream, uint64_t number)
{
    return number != NO_NUMBER && (number | 0x1F) == (UINT64_C(1) << 8 * stream->width) - 1;
}

/* ---- records ---- */

struct record {
    struct gprof_item item;
    size_t units;
    uint64_t type;
    uint8_t tag;   /* of DEFINE */
    uint64_t base; /* of HEAD */
};

/* Returns the number of bytes after the type; 0 when there is no such record. */
static unsigned size_of(uint64_t type, unsigned width)
{
    switch (type) {
    case SAMPLE: return width;
    case ARC: return 2 * width;
    case SAMPLES: return 1 + width;
    case ARCS: return 1 + 2 * width;
    case DEFINE: return 2 + 2 * width;
    case NUMBER: return 1;
    case NUMBERS: return 2;
    case LOST: return 3;
    case HEAD: return 4;
    default: return 0;
    }
}

static enum sight look_at_addresses(const struct gprof_stream *stream, const struct gprof_said *said,
                                    size_t at, struct record *record)
{
    bool is_arc = record->type != SAMPLE && record->type != SAMPLES;
    uint64_t count = 1, tag = 0;
    if (record->type == DEFINE) {
        tag = load(stream, at, 1);
        at += stream->digits;
    }
    if (record->type & 0x80) {
        count = load(stream, at, 1);
        at += stream->digits;
    }
    uint64_t first = load(stream, at, stream->width);
    uint64_t second = is_arc ? load(stream, at + stream->width * stream->digits, stream->width) : first;
    if (count == 0 || count == NO_NUMBER || tag == NO_NUMBER || !is_address(stream, said->base, second))
        return IMPLAUSIBLE;
    record->tag = (uint8_t)tag;
    record->item = (struct gprof_item){.kind = is_arc ? GPROF_ARC : GPROF_SAMPLE,
                                       .from = is_arc && is_interrupt(stream, first) ? GPROF_INTERRUPT | first
                                                                                     : said->base + first,
                                       .address = said->base + second,
                                       .count = count};
    return !is_arc || is_interrupt(stream, first) || is_address(stream, said->base, first) ? PLAUSIBLE
                                                                                           : IMPLAUSIBLE;
}

static enum sight look_at_number(const struct gprof_stream *stream, const struct gprof_said *said, size_t at,
                                 struct record *record)
{
    uint64_t tag = load(stream, at, 1);
    uint64_t count = record->type == NUMBERS ? load(stream, at + stream->digits, 1) : 1;
    if (!said->has_numbers || tag == NO_NUMBER || count == NO_NUMBER || count == 0)
        return IMPLAUSIBLE;
    const struct gprof_number *number = &stream->number[tag % GPROF_NUMBERS];
    if (number->is_known && number->tag == tag)
        record->item = (struct gprof_item){
            .kind = GPROF_ARC, .from = number->from, .address = number->address, .count = count};
    else
        record->item = (struct gprof_item){.kind = GPROF_GAP, .lost = count};
    return PLAUSIBLE;
}

/* Reads LOST and HEAD, in which all bytes, including the type, add up to 0. */
static enum sight look_at_checked(const struct gprof_stream *stream, size_t at, struct record *record)
{
    unsigned size = size_of(record->type, 0), sum = (unsigned)record->type;
    uint64_t byte[4];
    for (unsigned i = 0; i < size; i++) {
        byte[i] = load(stream, at + i * stream->digits, 1);
        sum += (unsigned)byte[i];
        if (byte[i] == NO_NUMBER)
            return IMPLAUSIBLE;
    }
    if (sum % 256)
        return IMPLAUSIBLE;
    if (record->type == HEAD) {
        record->base = byte[0] << 24;
        record->item = (struct gprof_item){.kind = GPROF_RATE, .count = byte[1] << 8 | byte[2]};
        return PLAUSIBLE;
    }
    record->item = (struct gprof_item){.kind = GPROF_GAP, .lost = byte[0] << 8 | byte[1]};
    return record->item.lost ? PLAUSIBLE : IMPLAUSIBLE;
}

static enum sight look(const struct gprof_stream *stream, const struct gprof_said *said, size_t at,
                       struct record *record)
{
    size_t here = stream->n - at;
    if (here < stream->digits)
        return TOO_SHORT;
    record->type = load(stream, at, 1);
    unsigned size = size_of(record->type, stream->width);
    if (size == 0)
        return NO_RECORD;
    record->units = (1 + size) * stream->digits;
    if (here < record->units)
        return TOO_SHORT;
    at += stream->digits;
    switch (record->type) {
    case NUMBER:
    case NUMBERS: return look_at_number(stream, said, at, record);
    case LOST:
    case HEAD: return look_at_checked(stream, at, record);
    default: return look_at_addresses(stream, said, at, record);
    }
}

static void heed(struct gprof_said *said, const struct record *record)
{
    if (record->type == DEFINE)
        said->has_numbers = true;
    if (record->type == HEAD)
        said->base = record->base;
}

/* Applies what the record means for later ones. */
static void learn(struct gprof_stream *stream, const struct record *record)
{
    heed(&stream->said, record);
    if (record->type == DEFINE)
        stream->number[record->tag % GPROF_NUMBERS] = (struct gprof_number){
            .is_known = true, .tag = record->tag, .from = record->item.from, .address = record->item.address};
}

/* Returns PLAUSIBLE if records can begin here, TOO_SHORT if more bytes are needed, or another value if
 * not. */
static enum sight look_for_run(const struct gprof_stream *stream, bool ends)
{
    unsigned most = knows_ranges(stream) ? RUN : RUN_WITHOUT_RANGES;
    struct gprof_said said = stream->said;
    size_t at = stream->at;
    for (unsigned i = 0; i < most; i++) {
        struct record record;
        enum sight sight = look(stream, &said, at, &record);
        if (sight == TOO_SHORT && ends && i)
            return PLAUSIBLE;
        if (sight != PLAUSIBLE)
            return sight;
        heed(&said, &record);
        at += record.units;
    }
    return PLAUSIBLE;
}

static void skip(struct gprof_stream *stream, struct dialect_health *health)
{
    stream->at++;
    stream->skipped++;
    health->bytes_skipped++;
    if (stream->skipped == DOUBT_AFTER && !stream->found)
        stream->doubted = true;
}

/* Searches for a run. Returns false when more bytes are needed. */
static bool align(struct gprof_stream *stream, bool ends, struct dialect_health *health)
{
    for (;;) {
        enum sight sight = look_for_run(stream, ends);
        if (sight == PLAUSIBLE) {
            stream->aligned = stream->found = true;
            return true;
        }
        if (sight != TOO_SHORT)
            skip(stream, health);
        else if (ends && stream->at < stream->n)
            stream->at++; /* an apparently incomplete record may hide a complete one */
        else
            return false;
    }
}

struct gprof_item gprof_stream_next(struct gprof_stream *stream, bool ends, struct dialect_health *health)
{
    struct record record, after;
    for (;;) {
        if (!stream->aligned) {
            if (!align(stream, ends, health))
                return (struct gprof_item){.kind = GPROF_NONE};
            if (stream->skipped) {
                stream->skipped = 0;
                return (struct gprof_item){.kind = GPROF_GAP};
            }
        }
        enum sight sight = look(stream, &stream->said, stream->at, &record), then;
        switch (sight) {
        case TOO_SHORT: return (struct gprof_item){.kind = GPROF_NONE};
        case PLAUSIBLE:
            stream->at += record.units;
            learn(stream, &record);
            health->records += record.item.kind == GPROF_ARC || record.item.kind == GPROF_SAMPLE;
            return record.item;
        case IMPLAUSIBLE:
            then = look(stream, &stream->said, stream->at + record.units, &after);
            if (then == TOO_SHORT && !ends)
                return (struct gprof_item){.kind = GPROF_NONE};
            if (then == PLAUSIBLE || then == TOO_SHORT) {
                stream->at += record.units;
                health->malformed++;
                return (struct gprof_item){.kind = GPROF_GAP, .lost = 1};
            }
            break;
        case NO_RECORD: break;
        }
        stream->aligned = false;
        memset(stream->number, 0, sizeof stream->number);
        health->framing_errors++;
        skip(stream, health);
    }
}
