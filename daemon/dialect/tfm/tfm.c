/* tfm.c - the TF-M profiler: checkpoints passed in secure and non-secure code, with counter readings.
 *
 * A dump of its database and its printed output are both recognised anywhere in the input: each byte goes to
 * both readers, and what one of them recognises looks invalid to the other. The profile measures the time
 * between checkpoints; this dialect only passes on the plan in the names file. */
#include "dialect/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "dialect/blank.h"
#include "dialect/tfm/direction.h"
#include "dialect/tfm/dump.h"
#include "dialect/tfm/lines.h"
#include "dialect/tfm/names.h"
#include "protocol/packet.h"
#include "protocol/ticks.h"

/* Initial position of reading 0: high enough that nothing before the first mark is below 0. */
#define ORIGIN (UINT64_C(1) << 32)

/* The meaning of entries of the last topic and checkpoint: yes if they report losses. */
enum losses { LOSSES_AUTO, LOSSES_YES, LOSSES_NO };

struct tfm {
    struct dialect_health health;
    struct tfm_lines lines;
    struct tfm_dump dump;
    struct blank blank;
    struct event_plan plan;
    bool has_plan, plan_told;
    uint64_t clock_hz;
    struct tfm_direction direction;
    enum losses losses;
    bool has_held;        /* an entry that may report a loss */
    struct tfm_item held; /* ... until the next one in the same input shows which */
    bool has_marks, has_restarted, runs_down;
    uint32_t count;              /* the last reading */
    uint64_t begin, wide;        /* the first reading and the last one, widened */
    uint64_t moved;              /* to be added for earlier restarts */
    uint64_t newest;             /* newest tick so far */
    const struct event_out *out; /* during a call */
};

static const struct dialect_option options[] = {
    {"names", "", "a JSON file with names of topics and checkpoints, pairs to measure, and calibration"},
    {"clock_hz", "0", "rate of the counter; 0: from the names file"},
    {"counter", "either", "direction of the counter: up, down, or either: found out from its readings"},
    {"losses", "auto",
     "whether an entry of topic 255, checkpoint 65535 says how many are missing, as firmware-ref/tfm has "
     "it: yes, "
     "no, or auto, no where the topic is in use"},
    {0},
};

/* ---- options ---- */

static bool load(const struct dialect_settings *settings, void **companion, struct error *err)
{
    const char *path = dialect_settings_value(settings, options, "names");
    *companion = NULL;
    if (!*path)
        return true;
    *companion = tfm_names_load(path, err);
    return *companion != NULL;
}

static void unload(void *companion)
{
    tfm_names_free(companion);
}

/* Input that this project's agent carries always comes from its own emitter. */
static bool choose_losses(struct tfm *tfm, const struct dialect_settings *settings, struct error *err)
{
    static const char *const names[] = {[LOSSES_AUTO] = "auto", [LOSSES_YES] = "yes", [LOSSES_NO] = "no"};
    const char *losses = dialect_settings_value(settings, options, "losses");
    for (int i = LOSSES_AUTO; i <= LOSSES_NO; i++)
        if (!strcmp(losses, names[i])) {
            tfm->losses = i == LOSSES_AUTO && settings->carried ? LOSSES_YES : (enum losses)i;
            return true;
        }
    return error_set(err, "The option losses of dialect tfm is yes, no or auto, not \"%s\".", losses);
}

static bool start(void *state, const struct dialect_settings *settings, struct error *err)
{
    static const char *const counters[] = {
        [COUNTER_EITHER] = "either", [COUNTER_UP] = "up", [COUNTER_DOWN] = "down"};
    struct tfm *tfm = state;
    const struct tfm_names *names = settings->companion;
    const char *counter = dialect_settings_value(settings, options, "counter");
    if (!choose_losses(tfm, settings, err))
        return false;
    if (!dialect_settings_u64(settings, options, "clock_hz", 0, UINT64_MAX, &tfm->clock_hz, err))
        return false;
    if (names) {
        tfm->plan = names->plan;
        for (size_t i = 0; i < names->plan.pair_count; i++)
            tfm->direction.across |= names->plan.pairs[i].topic != names->plan.pairs[i].to_topic;
        if (!tfm->clock_hz)
            tfm->clock_hz = names->clock_hz;
    }
    for (int i = COUNTER_EITHER; i <= COUNTER_DOWN; i++)
        if (!strcmp(counter, counters[i])) {
            tfm->plan.counter = (enum event_counter)i;
            tfm->has_plan = names || i != COUNTER_EITHER;
            return true;
        }
    return error_set(err, "The option counter of dialect tfm is up, down or either, not \"%s\".", counter);
}

/* ---- events ---- */

static void emit_event(struct tfm *tfm, const struct event *event)
{
    struct event events[3];
    size_t n = 0;
    if (!tfm->plan_told && tfm->has_plan)
        events[n++] = (struct event){.kind = EVENT_PLAN, .plan = &tfm->plan};
    if (!tfm->plan_told && tfm->clock_hz)
        events[n++] = (struct event){.kind = EVENT_CLOCK, .clock.ticks_per_second = tfm->clock_hz};
    tfm->plan_told = true;
    events[n++] = *event;
    tfm->out->batch(tfm->out->user, events, n);
}

/* Returns the counter's direction, if it is known. */
static enum event_counter counter_of(const struct tfm *tfm)
{
    return tfm->plan.counter == COUNTER_EITHER ? tfm_direction_known(&tfm->direction) : tfm->plan.counter;
}

/* The time line so far had the wrong direction: mirrors it at its first reading, unless that is too far
 * back. */
static void turn_round(struct tfm *tfm)
{
    int64_t passed = (int64_t)(tfm->wide - tfm->begin);
    if (passed > -(int64_t)ORIGIN / 2 && passed < (int64_t)ORIGIN / 2)
        tfm->wide = tfm->begin - (uint64_t)passed;
    tfm->runs_down = !tfm->runs_down;
}

static uint64_t widen_count(struct tfm *tfm, uint32_t count)
{
    enum event_counter counter = counter_of(tfm);
    if (counter != COUNTER_EITHER && (counter == COUNTER_DOWN) != tfm->runs_down)
        turn_round(tfm);
    int64_t step = mp_ticks_distance(tfm->count, count, 32);
    if (!tfm->has_marks)
        tfm->begin = tfm->wide = ORIGIN + (tfm->runs_down ? 0 - count : count);
    else
        tfm->wide += (uint64_t)(tfm->runs_down ? -step : step);
    /* Readings that go back repeatedly would reach the lower end of the line, and continue a period
     * higher. */
    if ((int64_t)tfm->wide <= 0)
        tfm->wide += ORIGIN;
    tfm->count = count;
    if (tfm->has_restarted && tfm->wide < tfm->newest)
        tfm->moved = tfm->newest - tfm->wide;
    tfm->has_restarted = false;
    tfm->has_marks = true;
    uint64_t ticks = tfm->wide + tfm->moved;
    if (ticks > tfm->newest)
        tfm->newest = ticks;
    return ticks;
}

static void emit_mark(struct tfm *tfm, const struct tfm_item *item)
{
    static const char doubt[] =
        "Which way the checkpoints' counter runs is not sure, and with it some of the "
        "times: give --dialect-opt counter=up or counter=down.";
    tfm->health.records++;
    tfm_direction_see(&tfm->direction, item);
    tfm->health.doubt =
        tfm->plan.counter == COUNTER_EITHER && tfm_direction_is_in_doubt(&tfm->direction) ? doubt : NULL;
    emit_event(tfm, &(struct event){.kind = EVENT_MARK,
                                    .context = tfm_tag_calibration(item->tag),
                                    .ticks = widen_count(tfm, item->count),
                                    .mark = {.topic = tfm_tag_topic(item->tag),
                                             .checkpoint = tfm_tag_checkpoint(item->tag),
                                             .calibration = tfm_tag_calibration(item->tag),
                                             .count = item->count,
                                             .counter = (uint8_t)counter_of(tfm)}});
}

/* The emitter reports a loss before an entry that was stored, never twice in a row, and uses the topic for
 * nothing else. */
static void settle_held(struct tfm *tfm, const struct tfm_item *next)
{
    if (next && tfm_tag_topic(next->tag) == TFM_TOPIC_LAST && tfm->losses == LOSSES_AUTO &&
        (tfm->has_held || !tfm_tag_is_loss(next->tag)))
        tfm->losses = LOSSES_NO;
    if (!tfm->has_held)
        return;
    tfm->has_held = false;
    if (tfm->losses == LOSSES_NO)
        emit_mark(tfm, &tfm->held);
    else
        tfm->out->batch(tfm->out->user, &(struct event){.kind = EVENT_LOST, .lost.records = tfm->held.count},
                        1);
}

static void handle_item(void *user, const struct tfm_item *item)
{
    struct tfm *tfm = user;
    settle_held(tfm, item);
    if (tfm_tag_is_loss(item->tag) && tfm->losses != LOSSES_NO) {
        tfm->has_held = true;
        tfm->held = *item;
        return;
    }
    emit_mark(tfm, item);
}

static void handle_average(void *user, const char *name, size_t n, bool secure, uint64_t mean)
{
    struct tfm *tfm = user;
    emit_event(
        tfm,
        &(struct event){
            .kind = EVENT_AVERAGE,
            .ticks = tfm->newest,
            .flags = EVENT_ESTIMATED_TIME,
            .average = {.name = name, .n = (uint32_t)n, .calibration = secure ? 0 : 3, .mean_ticks = mean}});
}

static void handle_loss(void *user)
{
    struct tfm *tfm = user;
    tfm->out->batch(tfm->out->user, &(struct event){.kind = EVENT_LOST, .lost.records = 1}, 1);
}

/* ---- the dialect ---- */

static struct tfm_out reader_out(struct tfm *tfm)
{
    return (struct tfm_out){.item = handle_item,
                            .average = handle_average,
                            .lost = handle_loss,
                            .user = tfm,
                            .health = &tfm->health};
}

static void decode(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
{
    struct tfm *tfm = state;
    struct tfm_out readers = reader_out(tfm);
    tfm->out = out;
    blank_see(&tfm->blank, bytes, n);
    for (size_t i = 0; i < n; i++) {
        tfm_lines_byte(&tfm->lines, bytes[i], &readers);
        tfm_dump_byte(&tfm->dump, bytes[i], &readers);
    }
    /* A buffered entry is reported with the next one, which shows what it is, or when none arrives. Packets
     * of our own agent leave no doubt. */
    if (tfm->losses == LOSSES_YES)
        settle_held(tfm, NULL);
}

/* A full database ends with the entry that marks it. */
static void idle(void *state, const struct event_out *out)
{
    struct tfm *tfm = state;
    tfm->out = out;
    settle_held(tfm, NULL);
}

static void finish(void *state, const struct event_out *out)
{
    struct tfm *tfm = state;
    struct tfm_out readers = reader_out(tfm);
    tfm->out = out;
    tfm_lines_finish(&tfm->lines, &readers);
    tfm_dump_finish(&tfm->dump, &readers);
    settle_held(tfm, NULL);
    if (blank_is_dump(&tfm->blank))
        tfm->health.empty = "The dump of the TF-M database is valid, and no checkpoint is in it: none was "
                            "passed before it was dumped. Dump it later.";
}

static void reset(void *state)
{
    struct tfm *tfm = state;
    memset(&tfm->lines, 0, sizeof tfm->lines);
    memset(&tfm->dump, 0, sizeof tfm->dump);
    tfm->moved = 0;
    tfm->has_marks = false;
    tfm->direction.has_last = false;
    tfm->has_restarted = true;
}

static const struct dialect_health *health(const void *state)
{
    return &((const struct tfm *)state)->health;
}

enum {
    PROBE_MOST = 4096,
    PROBE_PAIRS = 4,      /* fewer may be a coincidence */
    PROBE_AVERAGES = 2,   /* likewise */
    PROBE_LINES_MOST = 8, /* with a comma, per pair: other texts also have them */
};

/* The evidence for this dialect: averages, and pairs with a topic or checkpoint and a new count. */
struct evidence {
    uint64_t averages, pairs;
    uint32_t count;
};

static void weigh_events(void *user, const struct event *events, size_t n)
{
    struct evidence *evidence = user;
    for (size_t i = 0; i < n; i++) {
        evidence->averages += events[i].kind == EVENT_AVERAGE;
        if (events[i].kind != EVENT_MARK)
            continue;
        evidence->pairs +=
            (events[i].mark.topic || events[i].mark.checkpoint) && events[i].mark.count != evidence->count;
        evidence->count = (uint32_t)events[i].mark.count;
    }
}

static size_t lines_with_comma(const uint8_t *bytes, size_t n)
{
    size_t lines = 0;
    bool comma = false;
    for (size_t i = 0; i < n; i++) {
        lines += bytes[i] == '\n' && comma;
        comma = bytes[i] != '\n' && (comma || bytes[i] == ',');
    }
    return lines;
}

/* A line with an average has words that occur nowhere else. For pairs, what counts is their share of the
 * bytes without text and, in text, of the lines. */
static int probe(const uint8_t *bytes, size_t n)
{
    struct tfm tfm = {0};
    struct evidence evidence = {0};
    struct event_out out = {weigh_events, &evidence};
    if (n > PROBE_MOST) { /* a boot log may come first */
        bytes += n - PROBE_MOST;
        n = PROBE_MOST;
    }
    decode(&tfm, bytes, n, &out);
    finish(&tfm, &out);
    uint64_t good = tfm.health.records * TFM_PAIR;
    if (evidence.averages >= PROBE_AVERAGES)
        return 85;
    if (evidence.pairs < PROBE_PAIRS || lines_with_comma(bytes, n) > PROBE_LINES_MOST * evidence.pairs)
        return 0;
    return tfm.health.bytes_skipped <= good / 8 ? 85 : good > tfm.health.bytes_skipped ? 50 : 10;
}

const struct dialect dialect_tfm = {
    .id = "tfm",
    .title = "TF-M profiler",
    .summary = "checkpoints passed in secure and non-secure code, from a database dump or the console",
    .framing = DIALECT_RAW,
    .provides = PROVIDES_MARKS | PROVIDES_TIMELINE,
    .extension = MP_EXTENSION_TFM,
    .options = options,
    .state_size = sizeof(struct tfm),
    .load = load,
    .unload = unload,
    .start = start,
    .decode = decode,
    .finish = finish,
    .idle = idle,
    .reset = reset,
    .health = health,
    .probe = probe,
};
