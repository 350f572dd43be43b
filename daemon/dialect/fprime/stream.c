/* stream.c - finds the F-Prime profiler's events among bytes.
 *
 * Every decision depends only on the stream's content, never on how it was cut into pieces. */
#include "dialect/fprime/stream.h"

#include <string.h>

#include "protocol/bytes.h"
#include "protocol/ticks.h"

enum {
    EVENT = 8,
    RUN = 3,
    RUN_WITHOUT_RANGES = 8,
    PLACES = 72, /* so that a whole run can begin after any single damage */
    DOUBT_AFTER = 4096,
    JUST_STARTED = 16384, /* this part of the period */
};

#define EXIT  0x80000000u
#define THUMB 1u

enum sight {
    PLAUSIBLE,
    IMPLAUSIBLE,
    END_MARK,
    LOSS,      /* the target reports one */
    TOO_SHORT, /* to say */
};

size_t fprime_stream_feed(struct fprime_stream *stream, const uint8_t *bytes, size_t n)
{
    if (stream->ended)
        return n;
    memmove(stream->window, stream->window + stream->at, stream->n - stream->at);
    stream->n -= stream->at;
    stream->at = 0;
    size_t room = FPRIME_STREAM_WINDOW - stream->n;
    if (n > room)
        n = room;
    memcpy(stream->window + stream->n, bytes, n);
    stream->n += n;
    return n;
}

/* ---- one event ---- */

static uint32_t load_u32_big(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool knows_ranges(const struct fprime_stream *stream)
{
    return stream->code_n && !stream->doubted;
}

static bool is_function(const struct fprime_stream *stream, uint32_t address)
{
    if (!knows_ranges(stream))
        return address & THUMB;
    address &= ~THUMB;
    for (size_t i = 0; i < stream->code_n; i++)
        if (address >= stream->code[i].start && address < stream->code[i].end)
            return true;
    return false;
}

static enum sight look(const struct fprime_stream *stream, enum fprime_layout layout, size_t at,
                       struct fprime_event *event)
{
    if (stream->n < at + EVENT)
        return TOO_SHORT;
    const uint8_t *p = stream->window + at;
    bool big = layout == FPRIME_BIG || layout == FPRIME_BIG_SWAPPED;
    bool swapped = layout == FPRIME_LITTLE_SWAPPED || layout == FPRIME_BIG_SWAPPED;
    uint32_t words[2] = {
        big ? load_u32_big(p) : mp_load_u32(p),
        big ? load_u32_big(p + 4) : mp_load_u32(p + 4),
    };
    uint32_t function = words[swapped], counter = words[!swapped];
    if (!function || (function == UINT32_MAX && counter == UINT32_MAX))
        return END_MARK;
    if (function == FPRIME_LOSS && counter && counter <= FPRIME_LOSS_MOST) {
        *event = (struct fprime_event){.kind = FPRIME_GAP, .told = true, .lost = counter};
        return LOSS;
    }
    *event = (struct fprime_event){
        .kind = FPRIME_EVENT,
        .is_exit = function & EXIT,
        .address = function & ~(EXIT | THUMB),
        .ticks = counter,
    };
    return counter <= stream->reload && is_function(stream, function & ~EXIT) ? PLAUSIBLE : IMPLAUSIBLE;
}

/* ---- the boundary ---- */

/* Returns the evidence for events in that layout from there on: the number of plausible ones, plus how often
 * the counter went down by less than an eighth of its period. 0 when there is no run, -1 when more bytes are
 * needed.
 *
 * In a long run, one event other than the first may be damaged, so that the events before it are not lost. */
static int weigh(const struct fprime_stream *stream, enum fprime_layout layout, size_t at, bool ends)
{
    int most = knows_ranges(stream) ? RUN : RUN_WITHOUT_RANGES, weight = 0;
    bool spare = !knows_ranges(stream);
    uint32_t period = stream->reload + 1, before = 0;
    for (int i = 0; i < most; i++, at += EVENT) {
        struct fprime_event event;
        enum sight sight = look(stream, layout, at, &event);
        if (sight == TOO_SHORT && !ends)
            return -1;
        if (sight == LOSS && i) {
            weight++;
            continue;
        }
        if (sight == IMPLAUSIBLE || sight == LOSS) {
            if (!i || !spare)
                return 0;
            spare = false;
            continue;
        }
        if (sight != PLAUSIBLE)
            return weight; /* an end; shorter runs weigh less */
        uint64_t elapsed = i ? mp_ticks_elapsed_down(before, event.ticks, period) : 0;
        weight += 1 + (elapsed > 0 && elapsed < period / 8);
        before = event.ticks;
    }
    return weight;
}

/* True when the layout may be tried `shift` bytes ahead. */
static bool may_be(const struct fprime_stream *stream, enum fprime_layout layout, size_t shift)
{
    struct fprime_event first;
    if (layout == FPRIME_LITTLE || layout == FPRIME_BIG || (stream->found && layout == stream->layout))
        return true;
    return !stream->found && !stream->skipped && !shift &&
           look(stream, layout, stream->at, &first) == PLAUSIBLE &&
           first.ticks >= stream->reload - stream->reload / JUST_STARTED;
}

/* Returns the rank for candidates of equal weight; smaller is better. */
static int rank(const struct fprime_stream *stream, enum fprime_layout layout, size_t shift)
{
    if (stream->found && layout == stream->layout)
        return 0;
    return shift ? 2 + (int)layout : 1;
}

struct candidate {
    enum fprime_layout layout;
    size_t shift;
    int weight;
};

/* Returns the best of the next positions. Its weight is 0 when there is none, -1 when more bytes are
 * needed. */
static struct candidate choose(const struct fprime_stream *stream, bool ends)
{
    struct candidate best = {.weight = 0};
    size_t needed = (size_t)(knows_ranges(stream) ? RUN : RUN_WITHOUT_RANGES) * EVENT + PLACES - 1;
    if (!ends && stream->n - stream->at < needed)
        return (struct candidate){.weight = -1};
    for (size_t shift = 0; shift < PLACES; shift++)
        for (int i = 0; i < FPRIME_LAYOUTS; i++) {
            enum fprime_layout layout = (enum fprime_layout)i;
            if (!may_be(stream, layout, shift))
                continue;
            int weight = weigh(stream, layout, stream->at + shift, ends);
            if (weight > best.weight || (weight && weight == best.weight &&
                                         rank(stream, layout, shift) < rank(stream, best.layout, best.shift)))
                best = (struct candidate){layout, shift, weight};
        }
    /* A run may also begin with a slow event, which weighs less. */
    for (size_t shift = best.shift % EVENT; shift < best.shift; shift += EVENT)
        if (weigh(stream, best.layout, stream->at + shift, ends) > 0)
            best.shift = shift;
    return best;
}

static void skip(struct fprime_stream *stream, size_t n, struct dialect_health *health)
{
    stream->at += n;
    stream->skipped += n;
    health->bytes_skipped += n;
    if (stream->skipped >= DOUBT_AFTER && !stream->found)
        stream->doubted = true;
}

/* Finds the boundary. Returns false when more bytes are needed. */
static bool align(struct fprime_stream *stream, bool ends, struct dialect_health *health)
{
    struct fprime_event first;
    if (!stream->found && !stream->skipped && look(stream, FPRIME_LITTLE, stream->at, &first) == END_MARK) {
        stream->ended = true; /* an empty dump */
        return true;
    }
    for (;;) {
        struct candidate best = choose(stream, ends);
        if (best.weight > 0) {
            skip(stream, best.shift, health);
            stream->layout = best.layout;
            stream->aligned = stream->found = true;
            return true;
        }
        size_t left = stream->n - stream->at;
        if (best.weight < 0 || left < EVENT)
            return false;
        skip(stream, left < PLACES ? left : PLACES, health);
    }
}

struct fprime_event fprime_stream_next(struct fprime_stream *stream, bool ends, struct dialect_health *health)
{
    const struct fprime_event none = {.kind = FPRIME_NONE};
    struct fprime_event event, after;
    while (!stream->ended) {
        if (!stream->aligned) {
            if (!align(stream, ends, health))
                return none;
            if (stream->skipped) {
                stream->skipped = 0;
                return (struct fprime_event){.kind = FPRIME_GAP};
            }
            continue;
        }
        enum sight then;
        switch (look(stream, stream->layout, stream->at, &event)) {
        case TOO_SHORT: return none;
        case END_MARK: stream->ended = true; return none;
        case LOSS:
        case PLAUSIBLE:
            stream->at += EVENT;
            health->records += event.kind == FPRIME_EVENT;
            return event;
        case IMPLAUSIBLE: break;
        }
        then = look(stream, stream->layout, stream->at + EVENT, &after);
        if (then == TOO_SHORT && !ends)
            return none;
        if (then != IMPLAUSIBLE) {
            stream->at += EVENT;
            health->malformed++;
            return (struct fprime_event){.kind = FPRIME_GAP, .lost = 1};
        }
        stream->aligned = false;
        health->framing_errors++;
        skip(stream, 1, health);
    }
    return none;
}
