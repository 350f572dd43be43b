/* stream.c - finds the records in what a gprof agent sends.
 *
 * The window holds one unit per byte or, of hex digits, per digit, so that in text a lost digit is found as
 * easily as a lost byte: the search slides by units. Every decision looks at the stream's content only, never
 * at how it was cut into pieces. */
#include "dialect/gprof/stream.h"

#include <string.h>

enum {
    RUN = 3,
    RUN_WITHOUT_RANGES = 5,
    DOUBT_AFTER = 4096,
    NO_DIGIT = 0xFF,
};

#define NO_NUMBER UINT64_MAX /* wider than any address here */

enum sight {
    PLAUSIBLE,
    IMPLAUSIBLE, /* a record by its type, but not by its addresses */
    NO_RECORD,
    TOO_SHORT, /* to say */
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

size_t gprof_stream_feed(struct gprof_stream *stream, const uint8_t *bytes, size_t n)
{
    memmove(stream->window, stream->window + stream->at, stream->n - stream->at);
    stream->n -= stream->at;
    stream->at = 0;
    size_t taken = 0;
    for (; taken < n && stream->n < GPROF_STREAM_WINDOW; taken++) {
        uint8_t c = bytes[taken];
        if (stream->digits == 1)
            stream->window[stream->n++] = c;
        else if (!is_space(c))
            stream->window[stream->n++] = digit_value(c);
    }
    return taken;
}

/* NO_NUMBER: there is something else among the digits. */
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

/* A return address may be just past the code's end, after a call that does not return, and Thumb's bit 0 may
 * be set. */
static bool is_address(const struct gprof_stream *stream, uint64_t number)
{
    if (number == NO_NUMBER)
        return false;
    if (!knows_ranges(stream))
        return number != 0;
    uint64_t address = (number + stream->base) & ~UINT64_C(1);
    for (size_t i = 0; i < stream->code_n; i++)
        if (address >= stream->code[i].start && address <= stream->code[i].end)
            return true;
    return false;
}

/* Where an interrupt's handler "was called from" on Cortex-M: EXC_RETURN, 0xFFFFFFE1 to 0xFFFFFFFD. */
static bool is_interrupt(const struct gprof_stream *stream, uint64_t number)
{
    return number != NO_NUMBER && (number | 0x1F) == (UINT64_C(1) << 8 * stream->width) - 1;
}

/* ---- records ---- */

struct record {
    struct gprof_item item;
    size_t units;
};

static enum sight look(const struct gprof_stream *stream, size_t at, struct record *record)
{
    size_t here = stream->n - at;
    unsigned width = stream->width;
    if (here < stream->digits)
        return TOO_SHORT;
    uint64_t type = load(stream, at, 1);
    if (type != 'P' && type != 'A')
        return NO_RECORD;
    record->units = (1 + (type == 'A' ? 2 : 1) * width) * stream->digits;
    if (here < record->units)
        return TOO_SHORT;
    at += stream->digits;
    uint64_t first = load(stream, at, width);
    if (type == 'P') {
        record->item = (struct gprof_item){.kind = GPROF_SAMPLE, .address = stream->base + first};
        return is_address(stream, first) ? PLAUSIBLE : IMPLAUSIBLE;
    }
    uint64_t second = load(stream, at + width * stream->digits, width);
    record->item = (struct gprof_item){
        .kind = GPROF_ARC, .from = stream->base + first, .address = stream->base + second};
    return (is_address(stream, first) || is_interrupt(stream, first)) && is_address(stream, second)
               ? PLAUSIBLE
               : IMPLAUSIBLE;
}

/* Whether records can begin here: PLAUSIBLE, TOO_SHORT, or anything else for no. */
static enum sight look_for_run(const struct gprof_stream *stream, bool ends)
{
    unsigned most = knows_ranges(stream) ? RUN : RUN_WITHOUT_RANGES;
    size_t at = stream->at;
    for (unsigned i = 0; i < most; i++) {
        struct record record;
        enum sight sight = look(stream, at, &record);
        if (sight == TOO_SHORT && ends && i)
            return PLAUSIBLE;
        if (sight != PLAUSIBLE)
            return sight;
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

/* Looks for a run. False: needs more. */
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
            stream->at++; /* what looks like an incomplete record may hide a whole one */
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
        enum sight sight = look(stream, stream->at, &record), then;
        switch (sight) {
        case TOO_SHORT: return (struct gprof_item){.kind = GPROF_NONE};
        case PLAUSIBLE:
            stream->at += record.units;
            health->records++;
            return record.item;
        case IMPLAUSIBLE:
            then = look(stream, stream->at + record.units, &after);
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
        health->framing_errors++;
        skip(stream, health);
    }
}
