/* gprof.c - profiles for gprof: program counter samples and call arcs.
 *
 * They are sent by an agent while the program runs (stream.h), or are a gmon.out (gmon.h). The first 64 bytes
 * decide which, or all if there are fewer. A gmon.out is recognised by its head. Hex digits are assumed when
 * at least 7 in 8 bytes are digits or white space; records as bytes have fewer, since addresses begin alike:
 * 00, 08 ... Otherwise the input is records as bytes. Between the latter two, the choice is repeated when it
 * reads nothing of the input (form.h).
 *
 * The unit of time is the sample: ticks are the number of samples so far. A gmon.out's histogram has bins of
 * several bytes. Their samples are reported at the bin's first address, whatever functions the bin covers. */
#include "dialect/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "dialect/batch.h"
#include "dialect/form.h"
#include "dialect/gprof/gmon.h"
#include "dialect/gprof/stream.h"
#include "protocol/packet.h"

enum input { UNDECIDED, RECORDS, GMON, BROKEN_GMON };

enum {
    HEAD = GMON_HEAD,
    PROBE_MOST = 4096,
    PROBE_RECORDS = 5, /* fewer may be a coincidence, and so may a single repeated byte */
    WIDTH_LEAST = 2,
    WIDTH_MOST = 4,
    HZ_MOST = 1000000000,
};

enum { PROFILER_NAMES = 8 };

struct gprof {
    struct dialect_health health; /* over all bytes so far */
    struct dialect_health told;   /* without bytes that may still be read as another form */
    uint64_t hz;
    bool hz_is_chosen; /* by the user */
    uint64_t base;
    unsigned width;
    const struct dialect_range *code;
    size_t code_n;
    unsigned word_bytes;

    enum input input;
    size_t head_n;
    uint8_t head[HEAD];
    uint64_t samples;
    uint32_t sample_hz;
    struct form form;
    struct dialect_range profiler[PROFILER_NAMES]; /* functions of the profiler, to be hidden */
    size_t profiler_n;
    union {
        struct gprof_stream stream;
        struct gmon gmon;
    };
};

static const struct dialect_option options[] = {
    {"hz", "1000", "samples per second; a gmon.out and the counted form contain it"},
    {"width", "3", "bytes of an address in a record, 2 to 4"},
    {"base", "0", "what to add to every address; the counted form contains it"},
    {"hide_profiler", "no",
     "yes: leave out what the profiler itself costs (mcount and its helpers, by their names in the ELF)"},
    {0},
};

/* The functions that compilers call, and helpers in the agents of the thesis, of common C libraries and of
 * this project. */
static const char *const profiler_names[PROFILER_NAMES] = {
    "__gnu_mcount_nc", "_mcount_internal", "__mcount_internal", "mcount",
    "_mcount",         "__fentry__",       "mpt_gprof_arc",     "mpt_gprof_sample"};

static bool choose_hiding(struct gprof *gprof, const struct dialect_settings *settings, struct error *err)
{
    const char *hide = dialect_settings_value(settings, options, "hide_profiler");
    if (!strcmp(hide, "no"))
        return true;
    if (strcmp(hide, "yes") != 0)
        return error_set(err, "The dialect's option hide_profiler is yes or no, not \"%s\".", hide);
    for (size_t i = 0; settings->find_function && i < PROFILER_NAMES; i++)
        if (settings->find_function(settings->find_function_user, profiler_names[i],
                                    &gprof->profiler[gprof->profiler_n]))
            gprof->profiler_n++;
    return gprof->profiler_n > 0 ||
           error_set(
               err,
               "hide_profiler finds no function of a profiler; give the firmware that has one with --elf.");
}

static bool start(void *state, const struct dialect_settings *settings, struct error *err)
{
    struct gprof *gprof = state;
    uint64_t width;
    if (!choose_hiding(gprof, settings, err) ||
        !dialect_settings_u64(settings, options, "hz", 1, HZ_MOST, &gprof->hz, err) ||
        !dialect_settings_u64(settings, options, "width", WIDTH_LEAST, WIDTH_MOST, &width, err) ||
        !dialect_settings_u64(settings, options, "base", 0, UINT64_MAX, &gprof->base, err))
        return false;
    for (size_t i = 0; i < settings->n; i++)
        gprof->hz_is_chosen |= dialect_settings_is(settings, i, "hz");
    gprof->width = (unsigned)width;
    gprof->code = settings->code;
    gprof->code_n = settings->code_n;
    gprof->word_bytes = settings->word_bytes;
    return true;
}

/* ---- events ---- */

/* Samples carry the rate as well, since ticks may belong to another dialect that reports calls on the same
 * link. */
static void tell_clock(struct gprof *gprof, struct batch *batch, uint64_t hz)
{
    gprof->sample_hz = hz > UINT32_MAX ? 0 : (uint32_t)hz;
    batch_add(batch, &(struct event){.kind = EVENT_CLOCK, .clock.ticks_per_second = hz});
}

/* Sets the rate that the target sent; 0 when it does not know it. */
static void tell_rate(struct gprof *gprof, struct batch *batch, uint64_t hz)
{
    if (!hz || hz == gprof->hz)
        return;
    gprof->hz = hz;
    tell_clock(gprof, batch, hz);
}

static bool is_profiler(const struct gprof *gprof, uint64_t address)
{
    for (size_t i = 0; i < gprof->profiler_n; i++)
        if (address >= gprof->profiler[i].start && address < gprof->profiler[i].end)
            return true;
    return false;
}

static void tell_sample(struct gprof *gprof, struct batch *batch, uint64_t address, uint64_t count,
                        uint64_t bytes)
{
    if (is_profiler(gprof, address))
        return;
    gprof->samples += count;
    batch_add(batch,
              &(struct event){
                  .kind = EVENT_SAMPLE,
                  .ticks = gprof->samples,
                  .sample = {.address = address, .count = count, .bytes = bytes, .hz = gprof->sample_hz}});
}

static void tell_arc(struct gprof *gprof, struct batch *batch, uint64_t from, uint64_t to, uint64_t calls)
{
    if (is_profiler(gprof, from) || is_profiler(gprof, to))
        return;
    batch_add(batch, &(struct event){.kind = EVENT_ARC,
                                     .flags = gprof_is_interrupt(from) ? EVENT_INTERRUPT : 0,
                                     .ticks = gprof->samples,
                                     .arc = {.from = from, .to = to, .calls = calls}});
}

static void tell_lost(struct gprof *gprof, struct batch *batch, uint64_t records)
{
    batch_add(batch, &(struct event){.kind = EVENT_LOST, .ticks = gprof->samples, .lost.records = records});
}

/* ---- the two inputs ---- */

static void tell_records(struct gprof *gprof, bool ends, struct batch *batch)
{
    for (;;) {
        struct gprof_item item = gprof_stream_next(&gprof->stream, ends, &gprof->health);
        switch (item.kind) {
        case GPROF_NONE: return;
        case GPROF_SAMPLE: tell_sample(gprof, batch, item.address, item.count, 0); break;
        case GPROF_ARC: tell_arc(gprof, batch, item.from, item.address, item.count); break;
        case GPROF_RATE: tell_rate(gprof, batch, item.count); break;
        case GPROF_GAP: tell_lost(gprof, batch, item.lost); break;
        }
    }
}

static void feed_records(struct gprof *gprof, const uint8_t *bytes, size_t n, struct batch *batch)
{
    while (n) {
        size_t taken = gprof_stream_feed(&gprof->stream, bytes, n);
        bytes += taken;
        n -= taken;
        tell_records(gprof, false, batch);
    }
}

/* Counts the characters that are hex digits or white space. */
static size_t count_fitting(const uint8_t *characters, size_t n)
{
    size_t fit = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t c = characters[i], lower = c | 0x20;
        fit +=
            (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f') || c == ' ' || (c >= '\t' && c <= '\r');
    }
    return fit;
}

static bool is_hex(const uint8_t *bytes, size_t n)
{
    struct console_hex lines = {0};
    uint8_t characters[CONSOLE_HELD + 1];
    size_t fit = 0, all = 0;
    for (size_t i = 0; i <= n; i++) {
        size_t some =
            i < n ? console_hex_take(&lines, bytes[i], characters) : console_hex_finish(&lines, characters);
        fit += count_fitting(characters, some);
        all += some;
    }
    return all && 8 * fit >= 7 * all;
}

static void open_records(struct gprof *gprof, bool hex)
{
    gprof->stream = (struct gprof_stream){
        .width = gprof->width,
        .digits = hex ? 2 : 1,
        .said.base = gprof->base,
        .code = gprof->code,
        .code_n = gprof->code_n,
    };
    gprof->health.form = hex ? "hex digits" : "bytes";
}

/* Switches to the other form, from the kept bytes on. None of them was a record in the old form. */
static void choose_again(struct gprof *gprof, struct batch *batch)
{
    uint64_t base = gprof->stream.said.base, unread = gprof->stream.n - gprof->stream.at;
    gprof->health.bytes_skipped = form_reread(&gprof->form, gprof->health.bytes_skipped, unread);
    open_records(gprof, gprof->stream.digits == 1);
    gprof->stream.said.base = base;
    feed_records(gprof, gprof->form.bytes, gprof->form.n, batch);
}

/* Judges the slice that is complete, or the last, shorter one. */
static bool is_other_form(struct gprof *gprof)
{
    size_t n;
    const uint8_t *slice = form_slice(&gprof->form, &n);
    return form_judge(&gprof->form, is_hex(slice, n) == (gprof->stream.digits == 1), gprof->health.records);
}

static void read_records(struct gprof *gprof, const uint8_t *bytes, size_t n, struct batch *batch)
{
    while (n) {
        size_t some = form_take(&gprof->form, bytes, n, gprof->health.bytes_skipped);
        feed_records(gprof, bytes, some, batch);
        bytes += some;
        n -= some;
        if (form_is_due(&gprof->form, false) && is_other_form(gprof))
            choose_again(gprof, batch);
    }
}

/* Ends the input. A log too short to be certain has the form of its end. */
static void end_records(struct gprof *gprof, struct batch *batch)
{
    bool is_other = form_is_due(&gprof->form, true) && is_other_form(gprof);
    if (!gprof->stream.found && (is_other || gprof->form.contrary))
        choose_again(gprof, batch);
    gprof_stream_end(&gprof->stream);
    tell_records(gprof, true, batch);
    gprof->form.n = 0;
}

static void tell_gmon_rate(struct gprof *gprof, uint64_t rate, struct batch *batch)
{
    if (!rate && !gprof->hz_is_chosen)
        gprof->health.doubt =
            "The gmon.out says that it has 0 samples a second, so the times of its samples are not "
            "known, and shown as of 1000: give --dialect-opt hz=.";
    tell_clock(gprof, batch, rate ? rate : gprof->hz);
}

/* At 10 GHz, this many calls take some months. */
#define CALLS_MOST (UINT64_C(1) << 56)

static void tell_gmon_arc(struct gprof *gprof, const struct gmon_item *item, struct batch *batch)
{
    if (item->count < CALLS_MOST) {
        gprof->health.records++;
        tell_arc(gprof, batch, gprof_is_interrupt(item->from) ? item->from : gprof->base + item->from,
                 gprof->base + item->address, item->count);
        return;
    }
    gprof->health.malformed++;
    gprof->health.doubt =
        "The gmon.out has arcs of more calls than a processor can make, so its fields may have other "
        "sizes than its head says, and all figures may be wrong: have the program write it again.";
}

static void read_gmon(struct gprof *gprof, const uint8_t *bytes, size_t n, struct batch *batch)
{
    for (const uint8_t *end = bytes + n;;) {
        struct gmon_item item = gmon_next(&gprof->gmon, &bytes, end);
        switch (item.kind) {
        case GMON_NONE: return;
        case GMON_RATE: tell_gmon_rate(gprof, item.count, batch); break;
        case GMON_BIN:
            gprof->health.records++;
            tell_sample(gprof, batch, gprof->base + item.address, item.count, item.bytes);
            break;
        case GMON_ARC: tell_gmon_arc(gprof, &item, batch); break;
        case GMON_BAD:
            gprof->input = BROKEN_GMON;
            gprof->health.malformed++;
            gprof->health.bytes_skipped += (uint64_t)(end - bytes);
            tell_lost(gprof, batch, 0);
            return;
        }
    }
}

static void read_input(struct gprof *gprof, const uint8_t *bytes, size_t n, struct batch *batch)
{
    switch (gprof->input) {
    case UNDECIDED: break;
    case RECORDS: read_records(gprof, bytes, n, batch); break;
    case GMON: read_gmon(gprof, bytes, n, batch); break;
    case BROKEN_GMON: gprof->health.bytes_skipped += n; break;
    }
}

/* ---- detecting the form ---- */

static const char *gmon_form(const struct gmon *gmon)
{
    if (gmon->is_gnu)
        return gmon->word_bytes == 4 ? "gmon.out, GNU, 32 bits" : "gmon.out, GNU, 64 bits";
    return gmon->word_bytes == 4 ? "gmon.out, BSD, 32 bits" : "gmon.out, BSD, 64 bits";
}

static void decide(struct gprof *gprof, struct batch *batch)
{
    if (gprof->head_n == 0)
        return;
    if (gmon_open(&gprof->gmon, gprof->head, gprof->head_n, gprof->word_bytes)) {
        gprof->input = GMON;
        gprof->health.form = gmon_form(&gprof->gmon);
    } else {
        gprof->input = RECORDS;
        open_records(gprof, is_hex(gprof->head, gprof->head_n));
        tell_clock(gprof, batch, gprof->hz);
    }
    read_input(gprof, gprof->head, gprof->head_n, batch);
}

/* ---- the dialect ---- */

static void tell_health(struct gprof *gprof)
{
    gprof->told = gprof->health;
    gprof->told.bytes_skipped = form_skipped(&gprof->form, gprof->health.bytes_skipped);
}

static void decode(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
{
    struct gprof *gprof = state;
    struct batch batch;
    batch_open(&batch, out);
    if (gprof->input == UNDECIDED) {
        size_t some = HEAD - gprof->head_n < n ? HEAD - gprof->head_n : n;
        memcpy(gprof->head + gprof->head_n, bytes, some);
        gprof->head_n += some;
        bytes += some;
        n -= some;
        if (gprof->head_n == HEAD)
            decide(gprof, &batch);
    }
    read_input(gprof, bytes, n, &batch);
    batch_flush(&batch);
    tell_health(gprof);
}

static void finish(void *state, const struct event_out *out)
{
    struct gprof *gprof = state;
    struct batch batch;
    batch_open(&batch, out);
    if (gprof->input == UNDECIDED)
        decide(gprof, &batch);
    if (gprof->input == RECORDS)
        end_records(gprof, &batch);
    if (gprof->input == GMON && !gmon_is_whole(&gprof->gmon)) {
        gprof->health.malformed++;
        tell_lost(gprof, &batch, 0);
    } else if (gprof->input == GMON && gprof->health.records == 0) {
        gprof->health.empty = "The gmon.out is valid, and has no sample and no call in it: the program ended "
                              "before its first sample, or was not compiled with -pg. Let it run longer.";
    }
    batch_flush(&batch);
    tell_health(gprof);
}

static void reset(void *state)
{
    struct gprof *gprof = state;
    gprof->input = UNDECIDED;
    gprof->head_n = 0;
    gprof->form = (struct form){0};
}

static const struct dialect_health *health(const void *state)
{
    return &((const struct gprof *)state)->told;
}

/* Counts bytes skipped before the first record. */
struct before {
    const struct dialect_health *health;
    uint64_t skipped;
    bool over;
};

static void watch(void *user, const struct event *events, size_t n)
{
    struct before *before = user;
    if (before->over)
        return;
    before->skipped = before->health->bytes_skipped;
    for (size_t i = 0; i < n; i++)
        before->over |= events[i].kind == EVENT_SAMPLE || events[i].kind == EVENT_ARC;
}

/* A gmon.out is certain. For records, what counts is their share of the bytes after the first record: a boot
 * log may come first. */
static int probe(const uint8_t *bytes, size_t n)
{
    struct gmon gmon;
    if (gmon_open(&gmon, bytes, n < HEAD ? n : HEAD, 0))
        return 100;
    if (n > PROBE_MOST) {
        bytes += n - PROBE_MOST;
        n = PROBE_MOST;
    }
    if (n == 0 || !memcmp(bytes, bytes + 1, n - 1))
        return 0;
    int best = 0;
    for (unsigned width = WIDTH_LEAST; width <= WIDTH_MOST; width++) {
        struct gprof gprof = {.hz = 1, .width = width};
        struct before before = {.health = &gprof.health};
        struct event_out out = {watch, &before};
        for (size_t i = 0; i < n; i++) /* byte by byte, so that `before` is exact */
            decode(&gprof, bytes + i, 1, &out);
        finish(&gprof, &out);
        if (gprof.health.records < PROBE_RECORDS || gprof.health.bytes_skipped >= n)
            continue;
        int sure = (int)(90 * (n - gprof.health.bytes_skipped) / (n - before.skipped));
        if (sure > best)
            best = sure;
    }
    return best;
}

const struct dialect dialect_gprof = {
    .id = "gprof",
    .title = "gprof",
    .summary = "call arcs and PC samples of a gprof agent, or a gmon.out: where time goes, who calls whom",
    .framing = DIALECT_RAW,
    .provides = PROVIDES_TREE | PROVIDES_ARCS | PROVIDES_SAMPLES,
    .ticks_per_second = 1000,
    .extension = MP_EXTENSION_GPROF,
    .options = options,
    .state_size = sizeof(struct gprof),
    .start = start,
    .decode = decode,
    .finish = finish,
    .reset = reset,
    .health = health,
    .probe = probe,
};
