/* marks.c - measures the time between two checkpoints.
 *
 * The rules are those of TF-M's own analysis. The measurement of a pair begins at the first `from` and ends
 * at the first `to` after it. Further `from` in between are ignored, and the next measurement begins after
 * that `to`. Both must have the same calibration index, unless the plan has one for each. The calibration
 * value of the index at the end is subtracted, down to 0; where there are two, TF-M calls that the more
 * precise one.
 *
 * The counter has 32 bits. The original analysis takes the absolute difference of two readings, so a counter
 * may count up or down, but the result is wrong after a wrap. Here, the plan has the direction, or the mark,
 * if the dialect found it out. If both are unknown, the shorter way round is taken, which differs from the
 * original only after wraps. */
#include "profile/marks.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool marks_init(struct marks *marks)
{
    *marks = (struct marks){.names = names_new()};
    return marks->names != NULL;
}

void marks_abandon(struct marks *marks)
{
    memset(marks->last, 0, sizeof marks->last);
    for (uint32_t i = 0; i < marks->pair_count; i++)
        memset(marks->pairs[i].open, 0, sizeof marks->pairs[i].open);
}

static void forget_rows(struct marks_pair *pair)
{
    for (int calibration = 0; calibration < 4; calibration++)
        pair->row[calibration] = MAP_NONE;
}

void marks_clear(struct marks *marks)
{
    marks_abandon(marks);
    marks->count = 0;
    marks->over_limit = 0;
    map_clear(&marks->by_key);
    for (uint32_t i = 0; i < marks->pair_count; i++)
        forget_rows(&marks->pairs[i]);
}

void marks_fini(struct marks *marks)
{
    free(marks->rows);
    free(marks->sums);
    free(marks->pairs);
    free(marks->texts);
    map_fini(&marks->mark_names);
    map_fini(&marks->by_key);
    if (marks->names)
        names_unref(marks->names);
}

/* ---- names ---- */

static const char *keep_text(struct marks *marks, const char *text, size_t n)
{
    char *clean = text_clean_utf8_dup(text, n);
    const char *kept = clean ? names_add(marks->names, clean) : "";
    free(clean);
    return kept;
}

enum { WHOLE_TOPIC = 0x10000 }; /* in place of a checkpoint, which has only 16 bits */

static uint64_t name_key(uint32_t topic, uint32_t checkpoint)
{
    return (uint64_t)topic << 32 | checkpoint;
}

static const char *name_of(const struct marks *marks, uint32_t topic, uint32_t checkpoint)
{
    uint32_t place = map_find(&marks->mark_names, name_key(topic, checkpoint));
    return place == MAP_NONE ? NULL : marks->texts[place];
}

const char *marks_name(const struct marks *marks, uint32_t topic, uint32_t checkpoint)
{
    return name_of(marks, topic, checkpoint & 0xFFFF);
}

/* ---- the plan ---- */

static void take_names(struct marks *marks, const struct event_plan *plan)
{
    size_t n = plan->name_count < MARKS_NAMES_MAX ? plan->name_count : MARKS_NAMES_MAX;
    free(marks->texts);
    marks->text_count = 0;
    map_clear(&marks->mark_names);
    marks->texts = scarcity_watch(calloc(n + 1, sizeof *marks->texts));
    for (size_t i = 0; marks->texts && i < n; i++) {
        const struct event_mark_name *name = &plan->names[i];
        uint64_t key = name_key(name->topic, name->is_topic ? WHOLE_TOPIC : name->checkpoint & 0xFFFF);
        if (map_set(&marks->mark_names, key, marks->text_count))
            marks->texts[marks->text_count++] = keep_text(marks, name->name, strlen(name->name));
    }
}

static void take_plan(struct marks *marks, const struct event_plan *plan)
{
    size_t n = plan->pair_count < MARKS_PAIRS_MAX ? plan->pair_count : MARKS_PAIRS_MAX;
    free(marks->pairs);
    marks->pair_count = 0;
    marks->pairs = scarcity_watch(calloc(n + 1, sizeof *marks->pairs));
    take_names(marks, plan);
    memcpy(marks->calibration, plan->calibration, sizeof marks->calibration);
    marks->counter = plan->counter;
    memset(marks->last, 0, sizeof marks->last);
    for (size_t i = 0; marks->pairs && i < n; i++) {
        const struct event_pair *pair = &plan->pairs[i];
        struct marks_pair *kept = &marks->pairs[marks->pair_count++];
        *kept = (struct marks_pair){.planned = *pair};
        kept->planned.name = pair->name ? keep_text(marks, pair->name, strlen(pair->name)) : NULL;
        forget_rows(kept);
    }
}

/* ---- rows ---- */

const char *marks_context(uint32_t calibration)
{
    static const char *const names[4] = {"secure", "1", "2", "non-secure"};
    return names[calibration];
}

/* Adds a row; MAP_NONE when there is no room. */
static uint32_t add_row(struct marks *marks, const struct snapshot_checkpoint *row)
{
    if (marks->count == MARKS_ROWS_MAX)
        return MAP_NONE;
    if (marks->count == marks->capacity) {
        uint32_t capacity = marks->capacity ? 2 * marks->capacity : 64;
        if (!scarcity_grow(&marks->rows, capacity, sizeof *marks->rows) ||
            !scarcity_grow(&marks->sums, capacity, sizeof *marks->sums))
            return MAP_NONE;
        marks->capacity = capacity;
    }
    marks->rows[marks->count] = *row;
    marks->sums[marks->count] = 0;
    return marks->count++;
}

static uint32_t add_pair_row(struct marks *marks, const struct event_pair *pair)
{
    return add_row(marks,
                   &(struct snapshot_checkpoint){.name = pair->name,
                                                 .context = marks_context(pair->calibration),
                                                 .to_context = marks_context(pair->to_calibration),
                                                 .has_pair = true,
                                                 .topic = pair->topic,
                                                 .from = pair->from,
                                                 .to_topic = pair->to_topic,
                                                 .to = pair->to,
                                                 .topic_name = name_of(marks, pair->topic, WHOLE_TOPIC),
                                                 .from_name = name_of(marks, pair->topic, pair->from),
                                                 .to_topic_name = name_of(marks, pair->to_topic, WHOLE_TOPIC),
                                                 .to_name = name_of(marks, pair->to_topic, pair->to)});
}

static uint32_t count_between(enum event_counter counter, uint32_t from, uint32_t to)
{
    uint32_t up = to - from, down = from - to;
    switch (counter) {
    case COUNTER_UP: return up;
    case COUNTER_DOWN: return down;
    default: return down < up ? down : up;
    }
}

/* Two readings of a pair of checkpoints. */
struct measurement {
    uint32_t from_count;
    const struct event *to; /* the mark at the end */
    uint64_t start_ticks;
};

static void measure_pair(struct marks *marks, uint32_t row, const struct measurement *measurement,
                         uint64_t sequence, marks_span_fn span, void *user)
{
    enum event_counter counter = marks->counter ? marks->counter : measurement->to->mark.counter;
    uint32_t raw = count_between(counter, measurement->from_count, measurement->to->mark.count);
    uint32_t calibration = measurement->to->mark.calibration & 3, cost = marks->calibration[calibration];
    uint64_t ticks = raw > cost ? raw - cost : 0;
    if (row == MAP_NONE) {
        marks->over_limit++;
        return;
    }
    struct snapshot_checkpoint *kept = &marks->rows[row];
    if (kept->count == 0)
        kept->first_ticks = kept->min_ticks = kept->max_ticks = ticks;
    if (ticks < kept->min_ticks)
        kept->min_ticks = ticks;
    if (ticks > kept->max_ticks)
        kept->max_ticks = ticks;
    kept->count++;
    marks->sums[row] += ticks;
    kept->mean_ticks = (double)marks->sums[row] / (double)kept->count;
    kept->changed = sequence;
    if (span)
        span(user, &(struct marks_span){row, calibration, measurement->start_ticks, raw});
}

/* ---- marks ---- */

/* True when the pair may begin at the mark. */
static bool is_begin(const struct event_pair *pair, const struct event *event)
{
    return event->mark.topic == pair->topic && event->mark.checkpoint == pair->from &&
           (!pair->of_world || (event->mark.calibration & 3) == pair->calibration);
}

static bool is_end(const struct event_pair *pair, const struct event *event)
{
    return event->mark.topic == pair->to_topic && event->mark.checkpoint == pair->to &&
           (!pair->of_world || (event->mark.calibration & 3) == pair->to_calibration);
}

static void add_to_pair(struct marks *marks, struct marks_pair *pair, const struct event *event,
                        uint64_t sequence, marks_span_fn span, void *user)
{
    struct event_pair met = pair->planned;
    uint32_t place = met.of_world ? 0 : event->mark.calibration & 3;
    struct marks_open *open = &pair->open[place];
    if (open->is_open && is_end(&met, event)) {
        uint32_t *row = &pair->row[place];
        if (!met.of_world)
            met.calibration = met.to_calibration = place;
        if (*row == MAP_NONE)
            *row = add_pair_row(marks, &met);
        open->is_open = false;
        measure_pair(marks, *row, &(struct measurement){open->count, event, open->ticks}, sequence, span,
                     user);
    } else if (!open->is_open && is_begin(&met, event)) {
        *open = (struct marks_open){true, event->mark.count, event->ticks};
    }
}

static void add_consecutive(struct marks *marks, const struct event *event, uint64_t sequence,
                            marks_span_fn span, void *user)
{
    uint32_t calibration = event->mark.calibration & 3, topic = event->mark.topic & 0xFF;
    struct marks_last *last = &marks->last[topic][calibration];
    if (last->is_set) {
        uint64_t key = (uint64_t)calibration << 40 | (uint64_t)topic << 32 |
                       (uint64_t)last->checkpoint << 16 | (event->mark.checkpoint & 0xFFFF);
        uint32_t row = map_find(&marks->by_key, key);
        if (row == MAP_NONE) {
            row = add_pair_row(marks, &(struct event_pair){.topic = topic,
                                                           .from = last->checkpoint,
                                                           .to = event->mark.checkpoint & 0xFFFF,
                                                           .to_topic = topic,
                                                           .calibration = calibration,
                                                           .to_calibration = calibration});
            if (row != MAP_NONE && !map_set(&marks->by_key, key, row)) {
                marks->count--;
                row = MAP_NONE;
            }
        }
        measure_pair(marks, row, &(struct measurement){last->count, event, last->ticks}, sequence, span,
                     user);
    }
    *last = (struct marks_last){true, event->mark.checkpoint & 0xFFFF, event->mark.count, event->ticks};
}

static void add_mark(struct marks *marks, const struct event *event, uint64_t sequence, marks_span_fn span,
                     void *user)
{
    if (marks->pair_count == 0)
        add_consecutive(marks, event, sequence, span, user);
    for (uint32_t i = 0; i < marks->pair_count; i++) {
        const struct event_pair *pair = &marks->pairs[i].planned;
        if (pair->topic == event->mark.topic || pair->to_topic == event->mark.topic)
            add_to_pair(marks, &marks->pairs[i], event, sequence, span, user);
    }
}

/* ---- averages ---- */

/* Keeps the newest average of a name. Few have a name, so a linear search is fast enough. */
static void add_average(struct marks *marks, const struct event *event, uint64_t sequence)
{
    const char *context = marks_context(event->average.calibration & 3);
    char *name = text_clean_utf8_dup(event->average.name, event->average.n);
    uint32_t row = 0;
    if (!name)
        return;
    while (row < marks->count && (marks->rows[row].has_pair || marks->rows[row].context != context ||
                                  strcmp(marks->rows[row].name, name) != 0))
        row++;
    if (row == marks->count)
        row = row < MARKS_AVERAGES_MAX
                  ? add_row(marks, &(struct snapshot_checkpoint){.name = names_add(marks->names, name),
                                                                 .context = context})
                  : MAP_NONE;
    if (row == MAP_NONE) {
        marks->over_limit++;
    } else {
        marks->rows[row].mean_ticks = (double)event->average.mean_ticks;
        marks->rows[row].changed = sequence;
    }
    free(name);
}

void marks_add(struct marks *marks, const struct event *event, uint64_t sequence, marks_span_fn span,
               void *user)
{
    switch (event->kind) {
    case EVENT_PLAN: take_plan(marks, event->plan); break;
    case EVENT_MARK: add_mark(marks, event, sequence, span, user); break;
    case EVENT_AVERAGE: add_average(marks, event, sequence); break;
    default: break;
    }
}
