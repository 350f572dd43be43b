/* fprime.c - the profiler of F-Prime's Va416x0 (Cortex-M4): entries and exits of instrumented functions.
 *
 * The input is the profiler's memory, dumped or sent as it fills (stream.h), or lines of text (text.h). It is
 * text when at least 15 in 16 of the first 64 bytes, or of all if there are fewer, can be text. Events
 * cannot: each has a byte that is 0. When the chosen form reads nothing of the input, and the input looks
 * like the other form, it is chosen again (form.h): a boot loader's line may have come first.
 *
 * Time is a 24-bit counter that counts down. Its period is the reload value + 1, which is learned if the user
 * does not give it (reload.h). Ticks are counted from the counter's start. A pause of more than a period
 * (0.17 s at 100 MHz) cannot be distinguished from a shorter one. Events are passed on unchanged, including
 * exits without entry, since captures begin in running code. */
#include "dialect/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "dialect/batch.h"
#include "dialect/blank.h"
#include "dialect/form.h"
#include "dialect/fprime/reload.h"
#include "dialect/fprime/stream.h"
#include "dialect/fprime/text.h"
#include "protocol/packet.h"
#include "protocol/ticks.h"

enum input { UNDECIDED, BYTES, TEXT };

enum {
    HEAD = 64,
    JUST_STARTED = 16, /* this part of a period */
    PROBE_MOST = 4096,
    PROBE_STEPS = 8,
    PROBE_EVENTS = 6, /* fewer may be coincidence, as bytes */
    PROBE_LINES = 2,  /* ... as text */
};

struct fprime {
    struct dialect_health health; /* over all bytes so far */
    struct dialect_health told;   /* without bytes that may still be read as another form */
    uint64_t clock_hz;            /* 0 when unknown */
    struct fprime_reload reload;
    const struct dialect_range *code;
    size_t code_n;

    uint64_t now; /* ticks */
    bool has_begun;
    uint32_t counter; /* the last reading, if begun */
    struct blank blank;
    enum input input;
    struct form form;
    size_t head_n;
    uint8_t head[HEAD];
    union {
        struct fprime_stream stream;
        struct fprime_text text;
    };
};

static const struct dialect_option options[] = {
    {"clock_hz", "0", "ticks per second, the processor's clock; 0: not known, show ticks"},
    {"reload", "0", "reload value of the 24-bit down-counter; 0: found out from its readings"},
    {0},
};

static bool start(void *state, const struct dialect_settings *settings, struct error *err)
{
    struct fprime *fprime = state;
    uint64_t reload;
    if (!dialect_settings_u64(settings, options, "clock_hz", 0, UINT32_MAX, &fprime->clock_hz, err) ||
        !dialect_settings_u64(settings, options, "reload", 0, FPRIME_RELOAD_MOST, &reload, err))
        return false;
    fprime_reload_open(&fprime->reload, (uint32_t)reload, fprime->clock_hz);
    fprime->code = settings->code;
    fprime->code_n = settings->code_n;
    return true;
}

/* ---- events ---- */

/* Advances to the next reading. A run starts with the counter if its first reading is near the reload value;
 * otherwise it is unknown when the counter was started. */
static void pass(struct fprime *fprime, uint32_t reading)
{
    static const char doubt[] = "The counter's reload value is not sure, and with it times across its wraps: "
                                "give --dialect-opt reload=clock / interrupt rate - 1.";
    fprime_reload_see(&fprime->reload, reading);
    uint32_t reload = fprime->reload.value;
    bool sure = fprime->reload.origin != FPRIME_RELOAD_ASSUMED;
    if (!fprime->has_begun)
        fprime->counter = sure || reading > reload - reload / JUST_STARTED ? reload : reading;
    fprime->has_begun = true;
    fprime->now += mp_ticks_elapsed_down(fprime->counter, reading, (uint64_t)reload + 1);
    fprime->counter = reading;
    fprime->health.doubt = fprime_reload_is_in_doubt(&fprime->reload) ? doubt : NULL;
}

static void tell(struct fprime *fprime, const struct fprime_event *event, struct batch *batch)
{
    if (event->kind == FPRIME_GAP) {
        batch_add(batch,
                  &(struct event){.kind = EVENT_LOST, .ticks = fprime->now, .lost.records = event->lost});
        return;
    }
    pass(fprime, event->ticks);
    batch_add(batch, &(struct event){.kind = event->is_exit ? EVENT_EXIT : EVENT_ENTER,
                                     .ticks = fprime->now,
                                     .call.address = event->address});
}

static void read_bytes(struct fprime *fprime, const uint8_t *bytes, size_t n, bool ends, struct batch *batch)
{
    static const char *const forms[] = {
        [FPRIME_LITTLE] = "bytes",
        [FPRIME_BIG] = "bytes, big-endian",
        [FPRIME_LITTLE_SWAPPED] = "bytes, words swapped",
        [FPRIME_BIG_SWAPPED] = "bytes, big-endian, words swapped",
    };
    struct fprime_stream *stream = &fprime->stream;
    do {
        size_t taken = fprime_stream_feed(stream, bytes, n);
        bytes += taken;
        n -= taken;
        for (;;) {
            struct fprime_event event = fprime_stream_next(stream, ends && n == 0, &fprime->health);
            if (event.kind == FPRIME_NONE)
                break;
            tell(fprime, &event, batch);
            stream->reload = fprime_reload_bound(&fprime->reload);
        }
    } while (n);
    if (stream->found)
        fprime->health.form = forms[stream->layout];
}

static void read_text(struct fprime *fprime, const uint8_t *bytes, size_t n, bool ends, struct batch *batch)
{
    for (const uint8_t *end = bytes + n;;) {
        struct fprime_event event = fprime_text_next(&fprime->text, &bytes, end, ends);
        if (event.kind == FPRIME_NONE)
            break;
        if (event.kind == FPRIME_EVENT)
            fprime->health.records++;
        else if (!event.told)
            fprime->health.malformed++;
        tell(fprime, &event, batch);
        fprime->text.reload = fprime_reload_bound(&fprime->reload);
    }
    if (fprime->text.decided)
        fprime->health.form = fprime->text.is_decimal ? "text, decimal" : "text";
}

/* ---- detecting the form ---- */

static bool is_text(const uint8_t *bytes, size_t n)
{
    size_t fit = 0;
    for (size_t i = 0; i < n; i++)
        fit += (bytes[i] >= ' ' && bytes[i] <= '~') || (bytes[i] >= '\t' && bytes[i] <= '\r') ||
               bytes[i] == CONSOLE_ESCAPE;
    return 16 * fit >= 15 * n;
}

static void open_input(struct fprime *fprime, enum input input)
{
    uint32_t bound = fprime_reload_bound(&fprime->reload);
    fprime->input = input;
    if (input == TEXT)
        fprime->text = (struct fprime_text){.reload = bound, .before = '\n'};
    else
        fprime->stream =
            (struct fprime_stream){.reload = bound, .code = fprime->code, .code_n = fprime->code_n};
}

static void feed_input(struct fprime *fprime, const uint8_t *bytes, size_t n, bool ends, struct batch *batch)
{
    if (fprime->input == TEXT)
        read_text(fprime, bytes, n, ends, batch);
    else if (fprime->input == BYTES)
        read_bytes(fprime, bytes, n, ends, batch);
}

/* Judges the slice that is complete, or the last, shorter one. Bytes after a dump's end mark are never
 * read. */
static bool is_other_input(struct fprime *fprime)
{
    size_t n;
    const uint8_t *slice = form_slice(&fprime->form, &n);
    bool ended = fprime->input == BYTES && fprime->stream.ended;
    return form_judge(&fprime->form, !ended && is_text(slice, n) == (fprime->input == BYTES),
                      fprime->health.records);
}

/* Switches to the other form, from the kept bytes on. None of them was an event in the old form. */
static void choose_again(struct fprime *fprime, struct batch *batch)
{
    uint64_t unread = fprime->input == BYTES ? fprime->stream.n - fprime->stream.at : 0;
    fprime->health.bytes_skipped = form_reread(&fprime->form, fprime->health.bytes_skipped, unread);
    open_input(fprime, fprime->input == TEXT ? BYTES : TEXT);
    feed_input(fprime, fprime->form.bytes, fprime->form.n, false, batch);
}

static void read_input(struct fprime *fprime, const uint8_t *bytes, size_t n, struct batch *batch)
{
    while (n) {
        size_t some = form_take(&fprime->form, bytes, n, fprime->health.bytes_skipped);
        feed_input(fprime, bytes, some, false, batch);
        bytes += some;
        n -= some;
        if (form_is_due(&fprime->form, false) && is_other_input(fprime))
            choose_again(fprime, batch);
    }
}

/* Ends the input. A log too short to be certain has the form of its end. */
static void end_input(struct fprime *fprime, struct batch *batch)
{
    if (fprime->health.records == 0 && fprime->form.n > 0) {
        bool is_other = form_is_due(&fprime->form, true) && is_other_input(fprime);
        if (is_other || fprime->form.contrary)
            choose_again(fprime, batch);
    }
    feed_input(fprime, (const uint8_t *)"", 0, true, batch);
    fprime->form.n = 0;
}

static void decide(struct fprime *fprime, struct batch *batch)
{
    if (fprime->head_n == 0)
        return;
    open_input(fprime, is_text(fprime->head, fprime->head_n) ? TEXT : BYTES);
    if (fprime->clock_hz)
        batch_add(batch, &(struct event){.kind = EVENT_CLOCK, .clock.ticks_per_second = fprime->clock_hz});
    read_input(fprime, fprime->head, fprime->head_n, batch);
}

/* ---- the dialect ---- */

static void tell_health(struct fprime *fprime)
{
    fprime->told = fprime->health;
    fprime->told.bytes_skipped = form_skipped(&fprime->form, fprime->health.bytes_skipped);
}

static void decode(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
{
    struct fprime *fprime = state;
    struct batch batch;
    batch_open(&batch, out);
    blank_see(&fprime->blank, bytes, n);
    if (fprime->input == UNDECIDED) {
        size_t some = HEAD - fprime->head_n < n ? HEAD - fprime->head_n : n;
        memcpy(fprime->head + fprime->head_n, bytes, some);
        fprime->head_n += some;
        bytes += some;
        n -= some;
        if (fprime->head_n == HEAD)
            decide(fprime, &batch);
    }
    if (n)
        read_input(fprime, bytes, n, &batch);
    batch_flush(&batch);
    tell_health(fprime);
}

static void finish(void *state, const struct event_out *out)
{
    struct fprime *fprime = state;
    struct batch batch;
    batch_open(&batch, out);
    if (fprime->input == UNDECIDED)
        decide(fprime, &batch);
    end_input(fprime, &batch);
    batch_flush(&batch);
    if (blank_is_dump(&fprime->blank))
        fprime->health.empty = "The dump of the profiler's memory is valid, and no event is in it: no "
                               "instrumented function ran before it was dumped. Dump it later.";
    tell_health(fprime);
}

static void reset(void *state)
{
    struct fprime *fprime = state;
    fprime->input = UNDECIDED;
    fprime->head_n = 0;
    fprime->form = (struct form){0};
    fprime->has_begun = false;
    fprime_reload_restart(&fprime->reload);
}

static const struct dialect_health *health(const void *state)
{
    return &((const struct fprime *)state)->told;
}

/* Counts events, and those that follow the one before by less than an eighth of the counter's period. */
struct pace {
    uint64_t before, events, steps;
};

static void watch(void *user, const struct event *events, size_t n)
{
    struct pace *pace = user;
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind != EVENT_ENTER && events[i].kind != EVENT_EXIT)
            continue;
        uint64_t elapsed = events[i].ticks - pace->before;
        pace->steps += elapsed > 0 && elapsed < FPRIME_RELOAD_MOST / PROBE_STEPS;
        pace->events++;
        pace->before = events[i].ticks;
    }
}

/* Lines of the right form are nearly certain. For bytes, what counts is the share of events, and that the
 * counter counts down: pairs of words are not rare. */
static int probe(const uint8_t *bytes, size_t n)
{
    struct fprime fprime = {0};
    struct pace pace = {0};
    struct event_out out = {watch, &pace};
    if (n > PROBE_MOST) { /* a boot log may come first */
        bytes += n - PROBE_MOST;
        n = PROBE_MOST;
    }
    fprime_reload_open(&fprime.reload, FPRIME_RELOAD_USUAL, 0);
    decode(&fprime, bytes, n, &out);
    finish(&fprime, &out);
    if (fprime.health.bytes_skipped >= n || pace.events < (fprime.input == TEXT ? PROBE_LINES : PROBE_EVENTS))
        return 0;
    uint64_t all = fprime.health.records + fprime.health.malformed;
    if (fprime.input == TEXT)
        return (int)(90 * fprime.health.records / all);
    uint64_t fit = n - fprime.health.bytes_skipped;
    return (int)(90 * fit / n * pace.steps / pace.events * fprime.health.records / all);
}

const struct dialect dialect_fprime = {
    .id = "fprime",
    .title = "F-Prime Profiler",
    .summary = "entries and exits of functions, as a dump, live, or as text: call tree and timeline",
    .framing = DIALECT_RAW,
    .provides = PROVIDES_TREE | PROVIDES_TIMELINE,
    .extension = MP_EXTENSION_FPRIME,
    .options = options,
    .state_size = sizeof(struct fprime),
    .start = start,
    .decode = decode,
    .finish = finish,
    .reset = reset,
    .health = health,
    .probe = probe,
};
