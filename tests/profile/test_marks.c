/* test_marks.c - measurements between checkpoints against a separate implementation of the definition. */
#include "profile/marks.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "support/random.h"

enum { MARKS = 400 };

static struct event mark(uint32_t topic, uint32_t checkpoint, uint32_t calibration, uint32_t count)
{
    return (struct event){.kind = EVENT_MARK,
                          .ticks = UINT64_C(0x100000000) + count,
                          .mark = {topic, checkpoint, calibration, count}};
}

static struct marks marks_of(void)
{
    struct marks marks;
    cr_assert(marks_init(&marks));
    return marks;
}

static void add(struct marks *marks, const struct event *event)
{
    marks_add(marks, event, 7, NULL, NULL);
}

static void add_plan(struct marks *marks, const struct event_plan *plan)
{
    add(marks, &(struct event){.kind = EVENT_PLAN, .plan = plan});
}

/* ---- the definition: look for `from`, from there for `to`, and go on behind it ---- */

struct model {
    uint64_t count, first, min, max, sum;
};

static struct model model_of(const struct event *events, size_t n, const struct event_pair *pair,
                             uint32_t cost)
{
    struct model model = {.min = UINT64_MAX};
#define IS(i, t, cp, world)                                                                                  \
    (events[i].mark.topic == (t) && events[i].mark.checkpoint == (cp) &&                                     \
     events[i].mark.calibration == (world))
    for (size_t i = 0; i < n; i++) {
        if (!IS(i, pair->topic, pair->from, pair->calibration))
            continue;
        size_t k = i + 1;
        while (k < n && !IS(k, pair->to_topic, pair->to, pair->to_calibration))
            k++;
        if (k == n)
            break;
        int64_t raw = (int64_t)events[k].mark.count - (int64_t)events[i].mark.count;
        uint64_t ticks = (uint64_t)(raw < 0 ? -raw : raw);
        ticks = ticks > cost ? ticks - cost : 0;
        if (!model.count++)
            model.first = ticks;
        model.min = ticks < model.min ? ticks : model.min;
        model.max = ticks > model.max ? ticks : model.max;
        model.sum += ticks;
        i = k;
    }
#undef IS
    return model;
}

static const struct snapshot_checkpoint *row_of(const struct marks *marks, const struct event_pair *pair)
{
    static const char *const contexts[] = {"secure", "1", "2", "non-secure"};
    for (uint32_t i = 0; i < marks->count; i++) {
        const struct snapshot_checkpoint *row = &marks->rows[i];
        if (row->topic == pair->topic && row->from == pair->from && row->to_topic == pair->to_topic &&
            row->to == pair->to && !strcmp(row->name, pair->name) &&
            !strcmp(row->context, contexts[pair->calibration]) &&
            !strcmp(row->to_context, contexts[pair->to_calibration]))
            return row;
    }
    return NULL;
}

/* Compares the pair's row with the definition. Returns its number of rows, 0 or 1. */
static uint32_t check_row(const struct marks *marks, const struct event *events,
                          const struct event_pair *pair, const uint32_t *calibration)
{
    struct model model = model_of(events, MARKS, pair, calibration[pair->to_calibration]);
    const struct snapshot_checkpoint *row = row_of(marks, pair);
    cr_assert_eq(row != NULL, model.count > 0, "pair %s", pair->name);
    if (!row)
        return 0;
    cr_assert(row->has_pair && row->changed == 7);
    cr_assert_eq(row->count, model.count);
    cr_assert_eq(row->first_ticks, model.first);
    cr_assert_eq(row->min_ticks, model.min);
    cr_assert_eq(row->max_ticks, model.max);
    cr_assert_eq(row->mean_ticks, (double)model.sum / (double)model.count);
    return 1;
}

Test(marks, pairs_are_measured_as_the_original_analysis_does)
{
    static const struct event_pair pairs[] = {
        {"a", 0, 0, 1, 0},
        {"b", 0, 1, 2, 0},
        {"same", 0, 2, 2, 0},
        {"back", 0, 3, 0, 0},
        {"other", 1, 0, 3, 1},
        {"never", 2, 0, 1, 2},
        {"across", 0, 1, 1, 1},
        {"never there", 0, 1, 1, 2},
        {"secure alone", 0, 0, 1, 0, true, 0, 0},
        {"to the other world", 0, 0, 1, 0, true, 0, 3},
        {"same place, both worlds", 1, 2, 2, 1, true, 3, 0},
        {"both", 1, 3, 0, 0, true, 3, 2},
    };
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    struct test_random random = test_random_start("marks");
    for (int round = 0; round < 50; round++) {
        struct event events[MARKS];
        uint32_t counter = 5000000;
        for (size_t i = 0; i < MARKS; i++) {
            counter += (uint32_t)test_random_below(&random, 2000) - (round % 2 ? 900 : 0);
            events[i] = mark((uint32_t)test_random_below(&random, 2), (uint32_t)test_random_below(&random, 4),
                             (uint32_t)test_random_below(&random, 4), counter);
        }
        struct event_plan plan = {.pairs = pairs, .pair_count = PAIRS, .calibration = {7, 0, 1500, 23}};
        struct marks marks = marks_of();
        add_plan(&marks, &plan);
        for (size_t i = 0; i < MARKS; i++)
            add(&marks, &events[i]);
        uint32_t rows = 0;
        for (size_t p = 0; p < PAIRS; p++)
            for (uint32_t c = 0; c < (pairs[p].of_world ? 1 : 4); c++) {
                struct event_pair pair = pairs[p];
                if (!pair.of_world)
                    pair.calibration = pair.to_calibration = c;
                rows += check_row(&marks, events, &pair, plan.calibration);
            }
        cr_assert_eq(marks.count, rows, "and no others");
        marks_fini(&marks);
    }
}

Test(marks, a_pair_across_topics_and_worlds_has_the_names_and_the_calibration_of_its_end)
{
    static const struct event_pair pair = {"request", 4, 1, 2, 5, true, 3, 0};
    static const struct event_mark_name mark_names[] = {
        {"client", 4, 0, true}, {"server", 5, 0, true}, {"sent", 4, 1, false}, {"done", 5, 2, false}};
    struct marks marks = marks_of();
    add_plan(&marks, &(struct event_plan){.pairs = &pair,
                                          .pair_count = 1,
                                          .names = mark_names,
                                          .name_count = 4,
                                          .calibration = {[0] = 8, [3] = 20}});
    struct event events[] = {mark(5, 2, 0, 10), mark(4, 1, 0, 20),  mark(4, 1, 3, 30), mark(5, 2, 3, 40),
                             mark(4, 2, 0, 50), mark(5, 2, 0, 130), mark(5, 2, 0, 140)};
    for (size_t i = 0; i < 7; i++)
        add(&marks, &events[i]);
    cr_assert_eq(marks.count, 1);
    const struct snapshot_checkpoint *row = &marks.rows[0];
    cr_assert(row->count == 1 && row->first_ticks == 92, "%" PRIu64, row->first_ticks);
    cr_assert_str_eq(row->topic_name, "client");
    cr_assert_str_eq(row->from_name, "sent");
    cr_assert_str_eq(row->to_topic_name, "server");
    cr_assert_str_eq(row->to_name, "done");
    cr_assert_str_eq(row->context, "non-secure");
    cr_assert_str_eq(row->to_context, "secure");
    add(&marks, &events[2]);
    marks_abandon(&marks);
    add(&marks, &events[5]);
    cr_assert_eq(row->count, 1, "what is under way when something is missing is given up here, too");
    marks_fini(&marks);
}

Test(marks, without_pairs_consecutive_checkpoints_of_a_topic_are_measured)
{
    struct marks marks = marks_of();
    static const struct event_mark_name mark_names[] = {{"psa", 4, 0, true}, {"sent", 4, 1, false}};
    add_plan(&marks, &(struct event_plan){.names = mark_names, .name_count = 2, .calibration = {[3] = 10}});
    struct event events[] = {mark(4, 0, 0, 100), mark(5, 9, 0, 120), mark(4, 1, 0, 150), mark(4, 0, 3, 500),
                             mark(4, 2, 0, 180), mark(4, 1, 3, 505), mark(4, 0, 0, 200), mark(4, 1, 0, 230)};
    for (size_t i = 0; i < 8; i++)
        add(&marks, &events[i]);
    cr_assert_eq(marks.count, 4);
    cr_assert(marks.rows[0].from == 0 && marks.rows[0].to == 1 && marks.rows[0].count == 2);
    cr_assert(marks.rows[0].first_ticks == 50 && marks.rows[0].min_ticks == 30 &&
              marks.rows[0].mean_ticks == 40);
    cr_assert_str_eq(marks.rows[0].topic_name, "psa");
    cr_assert_str_eq(marks.rows[0].to_name, "sent");
    cr_assert_null(marks.rows[0].from_name);
    cr_assert_null(marks.rows[0].name);
    cr_assert(marks.rows[1].from == 1 && marks.rows[1].to == 2);
    cr_assert_str_eq(marks.rows[2].context, "non-secure");
    cr_assert_eq(marks.rows[2].max_ticks, 0, "5 ticks less 10 of calibration");
    marks_fini(&marks);
}

static uint64_t one_distance(enum event_counter counter, uint32_t from, uint32_t to)
{
    struct marks marks = marks_of();
    add_plan(&marks, &(struct event_plan){.counter = counter});
    struct event events[] = {mark(0, 0, 0, from), mark(0, 1, 0, to)};
    add(&marks, &events[0]);
    add(&marks, &events[1]);
    uint64_t ticks = marks.rows[0].first_ticks;
    marks_fini(&marks);
    return ticks;
}

Test(marks, counters_run_up_or_down_and_wrap)
{
    cr_assert_eq(one_distance(COUNTER_EITHER, 100, 150), 50);
    cr_assert_eq(one_distance(COUNTER_EITHER, 150, 100), 50, "the original takes whichever way it is");
    cr_assert_eq(one_distance(COUNTER_EITHER, 0xFFFFFFF0, 0x10), 0x20);
    cr_assert_eq(one_distance(COUNTER_EITHER, 0x10, 0xFFFFFFF0), 0x20, "or round, if that is shorter");
    cr_assert_eq(one_distance(COUNTER_UP, 0, 0xF0000000), 0xF0000000);
    cr_assert_eq(one_distance(COUNTER_UP, 0x90000000, 0x80000000), 0xF0000000);
    cr_assert_eq(one_distance(COUNTER_DOWN, 0x10, 0xFFFFFFF0), 0x20);
}

Test(marks, the_plan_overrides_the_detected_direction)
{
    static const enum event_counter found[] = {COUNTER_UP, COUNTER_DOWN, COUNTER_DOWN};
    static const enum event_counter said[] = {COUNTER_EITHER, COUNTER_EITHER, COUNTER_UP};
    static const uint64_t ticks[] = {0xF0000000, 0x10000000, 0xF0000000};
    for (int i = 0; i < 3; i++) {
        struct marks marks = marks_of();
        add_plan(&marks, &(struct event_plan){.counter = said[i]});
        struct event from = mark(0, 0, 0, 0), to = mark(0, 1, 0, 0xF0000000);
        to.mark.counter = (uint8_t)found[i];
        add(&marks, &from);
        add(&marks, &to);
        cr_assert_eq(marks.rows[0].max_ticks, ticks[i]);
        marks_fini(&marks);
    }
}

static void take_span(void *user, const struct marks_span *span)
{
    *(struct marks_span *)user = *span;
}

Test(marks, each_measurement_is_a_span_on_the_time_line)
{
    struct marks marks = marks_of();
    struct marks_span span = {0};
    struct event events[] = {mark(0, 0, 3, 1000), mark(0, 1, 3, 1500)};
    marks_add(&marks, &events[0], 1, take_span, &span);
    marks_add(&marks, &events[1], 1, take_span, &span);
    cr_assert(span.row == 0 && span.calibration == 3);
    cr_assert(span.start_ticks == UINT64_C(0x100000000) + 1000 && span.duration_ticks == 500);
    marks_fini(&marks);
}

Test(marks, a_loss_abandons_open_measurements)
{
    static const struct event_pair pair = {"p", 0, 0, 1, 0};
    struct marks marks = marks_of();
    add_plan(&marks, &(struct event_plan){.pairs = &pair, .pair_count = 1});
    struct event events[] = {mark(0, 0, 0, 10), mark(0, 1, 0, 30)};
    add(&marks, &events[0]);
    marks_abandon(&marks);
    add(&marks, &events[1]);
    cr_assert_eq(marks.count, 0);
    add(&marks, &events[0]);
    add(&marks, &events[1]);
    cr_assert_eq(marks.count, 1);
    marks_clear(&marks);
    cr_assert_eq(marks.count, 0);
    add(&marks, &events[0]);
    add(&marks, &events[1]);
    cr_assert_eq(marks.rows[0].count, 1, "the plan outlives clearing");
    cr_assert_str_eq(marks.rows[0].name, "p");
    marks_fini(&marks);
}

Test(marks, averages_of_the_target_are_rows_of_which_only_the_mean_is_known)
{
    struct marks marks = marks_of();
    struct event event = {.kind = EVENT_AVERAGE, .average = {"psa_callX", 8, 3, 1999}};
    add(&marks, &event);
    event.average.mean_ticks = 2000;
    add(&marks, &event);
    event.average.calibration = 0;
    add(&marks, &event);
    cr_assert_eq(marks.count, 2);
    cr_assert_str_eq(marks.rows[0].name, "psa_call");
    cr_assert_str_eq(marks.rows[0].context, "non-secure");
    cr_assert_str_eq(marks.rows[1].context, "secure");
    cr_assert(!marks.rows[0].has_pair && marks.rows[0].count == 0 && marks.rows[0].mean_ticks == 2000);
    marks_fini(&marks);
}

Test(marks, rows_have_a_ceiling)
{
    struct marks marks = marks_of();
    for (uint32_t i = 0; i < MARKS_ROWS_MAX + 100; i++) {
        struct event event = mark(i >> 16, i & 0xFFFF, 0, i);
        add(&marks, &event);
        event = mark(255, i * 7919 & 0xFFFF, 1, i);
        add(&marks, &event);
    }
    cr_assert_eq(marks.count, MARKS_ROWS_MAX);
    cr_assert_gt(marks.over_limit, 0);
    marks_fini(&marks);
}
