/* test_checkpoints.c - marks become rows of the snapshot and stretches of its timeline. */
#include "profile/profile.h"

#include <criterion/criterion.h>
#include <string.h>

static struct event mark(uint32_t checkpoint, uint32_t count)
{
    return (struct event){
        .kind = EVENT_MARK, .ticks = count, .mark = {.topic = 7, .checkpoint = checkpoint, .count = count}};
}

Test(checkpoints, a_pair_is_a_row_and_a_stretch_of_the_timeline)
{
    static const struct event_pair pair = {.name = "boot", .topic = 7, .from = 1, .to = 2, .to_topic = 7};
    static const struct event_plan plan = {.pairs = &pair, .pair_count = 1, .calibration = {3}};
    struct profile *profile = profile_new(NULL);
    struct event events[] = {
        {.kind = EVENT_PLAN, .plan = &plan}, mark(1, 100), mark(2, 150), mark(1, 200), mark(2, 300)};
    profile_apply(profile, events, 5);
    struct snapshot *snapshot = profile_freeze(profile, &(struct snapshot_source){0},
                                               &(struct snapshot_target){0}, &(struct snapshot_link){0});
    cr_assert_eq(snapshot->checkpoint_count, 1);
    const struct snapshot_checkpoint *row = &snapshot->checkpoints[0];
    cr_assert_str_eq(row->name, "boot");
    cr_assert_eq(row->count, 2);
    cr_assert_eq(row->first_ticks, 47, "calibrated");
    cr_assert_eq(row->max_ticks, 97);
    cr_assert_eq(snapshot->context_count, 4, "a lane for each calibration index");
    cr_assert_str_eq(snapshot->contexts[0].name, "secure");
    cr_assert_str_eq(snapshot->contexts[3].name, "non-secure");
    struct snapshot_span spans[4];
    cr_assert_eq(snapshot_timeline_window(snapshot, 0, 1000, spans, 4), 2);
    cr_assert_eq(spans[0].duration_ticks, 50, "as the counter read");
    cr_assert_str_eq(snapshot->functions[spans[0].function].name, "boot");
    profile_free(profile);
    cr_assert_str_eq(snapshot->checkpoints[0].name, "boot", "the snapshot keeps alive what it points to");
    snapshot_unref(snapshot);
}

Test(checkpoints, a_pair_without_a_name_is_called_after_both_of_its_topics_and_stands_where_it_ends)
{
    static const struct event_pair pair = {
        .topic = 7, .from = 1, .to = 2, .to_topic = 8, .of_world = true, .to_calibration = 3};
    static const struct event_plan plan = {.pairs = &pair, .pair_count = 1};
    struct profile *profile = profile_new(NULL);
    struct event events[] = {{.kind = EVENT_PLAN, .plan = &plan}, mark(1, 100), mark(2, 150)};
    events[2].mark.topic = 8;
    events[2].mark.calibration = 3;
    profile_apply(profile, events, 3);
    struct snapshot *snapshot = profile_freeze(profile, &(struct snapshot_source){0},
                                               &(struct snapshot_target){0}, &(struct snapshot_link){0});
    struct snapshot_span spans[4];
    cr_assert_eq(snapshot_timeline_window(snapshot, 0, 1000, spans, 4), 1);
    cr_assert(spans[0].start_ticks == 100 && spans[0].duration_ticks == 50 && spans[0].context == 3);
    cr_assert_str_eq(snapshot->functions[spans[0].function].name, "topic 7: 1 to topic 8: 2");
    profile_free(profile);
    snapshot_unref(snapshot);
}
