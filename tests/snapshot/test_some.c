/* test_some.c - whether a snapshot has any measured data. */
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>

static const struct snapshot_checkpoint never = {.has_pair = true};

static bool has_some_of(const struct snapshot_function *function,
                        const struct snapshot_checkpoint *checkpoint)
{
    const struct snapshot_function functions[] = {{0}, *function};
    const struct snapshot_checkpoint checkpoints[] = {{.has_pair = true}, *checkpoint};
    const struct snapshot snapshot = {
        .functions = functions, .function_count = 2, .checkpoints = checkpoints, .checkpoint_count = 2};
    return snapshot_has_some(&snapshot);
}

Test(some, rows_that_never_ran_are_not_data)
{
    const struct snapshot none = {0};
    cr_expect_not(snapshot_has_some(&none));
    cr_expect_not(has_some_of(&(struct snapshot_function){.calls = 0}, &never));
}

Test(some, any_measurement_is_data)
{
    static const struct snapshot_function functions[] = {
        {.calls = 1}, {.total_ticks = 1}, {.self_ticks = 1}, {.running = 1}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        cr_expect(has_some_of(&functions[i], &never), "%zu", i);
    cr_expect(has_some_of(&(struct snapshot_function){.calls = 0},
                          &(struct snapshot_checkpoint){.has_pair = true, .count = 1}));
    const struct snapshot_checkpoint average = {.mean_ticks = 7};
    cr_expect(has_some_of(&(struct snapshot_function){.calls = 0}, &average), "the target has computed it");
    const struct snapshot sampled = {.sample_total = 1}, spoken = {.message_count = 1};
    cr_expect(snapshot_has_some(&sampled));
    cr_expect(snapshot_has_some(&spoken));
}
