/* test_incomplete.c - reasons for an incomplete profile are reported, and no others. */
#include "base/scarcity.h"
#include "profile/profile.h"
#include "support/frozen.h"

#include <criterion/criterion.h>
#include <string.h>

static void hear_status(struct profile *profile, uint32_t overflows)
{
    profile_apply(profile, &(struct event){.kind = EVENT_STATUS, .status = {.buffer_overflows = overflows}},
                  1);
}

static void hear_call(struct profile *profile, uint64_t start)
{
    struct event event = call(0x100, start, 5, 0);
    profile_apply(profile, &event, 1);
}

/* The profile's ledger, with its losses. */
static struct ledger losses_of(struct profile *profile, const struct snapshot_link *link)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    profile_finish(profile);
    struct snapshot *snapshot = profile_freeze(profile, &source, &target, link);
    cr_assert_not_null(snapshot);
    const struct ledger losses = snapshot->ledger;
    cr_expect_eq(losses.broken, 0);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    size_t missing = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        missing += losses.booked[i] > 0 && ledger_rows[i].side == SIDE_LOSS;
    cr_expect_eq(reasons.n, missing, "a reason for each loss");
    for (size_t i = 0; i < reasons.n; i++)
        cr_expect(strchr(reasons.text[i], '.'), "a whole sentence: %s", reasons.text[i]);
    snapshot_unref(snapshot);
    return losses;
}

static const struct snapshot_link quiet_link;

Test(incomplete, a_profile_without_losses_is_complete)
{
    struct profile *profile = profile_new(NULL);
    hear_status(profile, 0);
    hear_call(profile, 10);
    hear_status(profile, 0);
    losses_of(profile, &quiet_link);
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot_incomplete(snapshot).n, 0);
    cr_expect_eq(snapshot->context_count, 1, "what has no contexts has one");
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(incomplete, names_of_the_previous_program_are_reported)
{
    static const enum snapshot_elf states[] = {ELF_READING, ELF_UNREADABLE};
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    for (size_t i = 0; i < 2; i++) {
        struct snapshot *snapshot = profile_freeze(profile, &(struct snapshot_source){.elf_state = states[i]},
                                                   &(struct snapshot_target){0}, &quiet_link);
        struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
        cr_expect(reasons.n == 1 && strstr(reasons.text[0], "names are those of the program before"));
        snapshot_unref(snapshot);
    }
    profile_free(profile);
}

Test(incomplete, an_elf_that_was_read_in_part_is_reported)
{
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    struct snapshot *snapshot = profile_freeze(profile, &(struct snapshot_source){.elf_is_partial = true},
                                               &(struct snapshot_target){0}, &quiet_link);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_expect_eq(reasons.n, 1);
    cr_expect(strstr(reasons.text[0], "ELF"), "%s", reasons.text[0]);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(incomplete, calls_without_a_task_are_reported_on_targets_with_tasks)
{
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    for (uint32_t tasks = 1; tasks <= 4; tasks += 3) {
        struct snapshot *snapshot = profile_freeze(
            profile, &(struct snapshot_source){0},
            &(struct snapshot_target){.description = {.is_known = true, .tasks = tasks}}, &quiet_link);
        struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
        cr_expect_eq(reasons.n, tasks > 1);
        cr_expect(tasks == 1 || strstr(reasons.text[0], "1 call came without the task that made"), "%s",
                  reasons.text[0]);
        snapshot_unref(snapshot);
    }
    profile_free(profile);
}

Test(incomplete, records_without_time_are_reported_until_cleared)
{
    struct snapshot_link link = {.records_without_time = 55};
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    for (int round = 0; round < 3; round++) {
        struct snapshot *snapshot =
            profile_freeze(profile, &(struct snapshot_source){0}, &(struct snapshot_target){0}, &link);
        struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
        cr_expect_eq(reasons.n, round != 1);
        cr_expect(round == 1 || strstr(reasons.text[0], round ? "5 records came" : "55 records came"), "%s",
                  reasons.text[0]);
        snapshot_unref(snapshot);
        if (round == 0)
            profile_clear(profile);
        else
            link.records_without_time += 5;
    }
    profile_free(profile);
}

Test(incomplete, an_assumption_of_the_dialect_is_reported)
{
    static const char doubt[] = "Which way it runs is not known.";
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    struct snapshot *snapshot =
        profile_freeze(profile, &(struct snapshot_source){0}, &(struct snapshot_target){0},
                       &(struct snapshot_link){.doubt = doubt});
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_expect_eq(reasons.n, 1);
    cr_expect_str_eq(reasons.text[0], doubt);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(incomplete, overflows_before_the_first_record_do_not_count)
{
    struct profile *profile = profile_new(NULL);
    hear_status(profile, 40);
    hear_call(profile, 10);
    hear_status(profile, 40);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_OVERFLOWS], 0);
    hear_status(profile, 43);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_OVERFLOWS], 3);
    profile_free(profile);
}

Test(incomplete, overflows_reported_after_calls_count)
{
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    hear_status(profile, 7);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_OVERFLOWS], 7);
    profile_free(profile);
}

/* A STATUS overtakes packets on a slow line. */
Test(incomplete, overflows_before_a_run_do_not_count_twice)
{
    const struct event status = {
        .kind = EVENT_STATUS,
        .status = {.buffer_overflows = 1, .records_captured = 1000, .buffer_usage_percent = 100}};
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, &status, 1);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_OVERFLOWS], 1,
                 "a target that sends each call does not say");
    profile_apply(profile, &(struct event){.kind = EVENT_RUN}, 1);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_OVERFLOWS], 0);
    profile_free(profile);
}

Test(incomplete, a_target_that_starts_anew_counts_from_0)
{
    struct profile *profile = profile_new(NULL);
    hear_status(profile, 40);
    profile_apply(profile, &(struct event){.kind = EVENT_RESET}, 1);
    hear_status(profile, 2);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_OVERFLOWS], 2);
    profile_free(profile);
}

Test(incomplete, a_cleared_profile_is_complete_again)
{
    struct profile *profile = profile_new(NULL);
    struct snapshot_link link = {.records_lost = 5, .crc_errors = 2, .malformed = 1};
    hear_status(profile, 0);
    hear_call(profile, 10);
    hear_status(profile, 1);
    struct ledger losses = losses_of(profile, &link);
    cr_expect_eq(losses.booked[ACCOUNT_RECORDS_LOST], 5);
    cr_expect_eq(losses.booked[ACCOUNT_PACKETS_BAD], 3);
    cr_expect_eq(losses.booked[ACCOUNT_OVERFLOWS], 1);
    profile_clear(profile);
    losses = losses_of(profile, &link);
    cr_expect_eq(losses.booked[ACCOUNT_RECORDS_LOST] + losses.booked[ACCOUNT_PACKETS_BAD] +
                     losses.booked[ACCOUNT_OVERFLOWS],
                 0);
    link.records_lost++;
    hear_status(profile, 3);
    losses = losses_of(profile, &link);
    cr_expect_eq(losses.booked[ACCOUNT_RECORDS_LOST], 1);
    cr_expect_eq(losses.booked[ACCOUNT_OVERFLOWS], 2);
    profile_free(profile);
}

Test(incomplete, memory_shortage_is_reported_until_cleared)
{
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_SHORTAGES], 0);
    cr_expect_null(scarcity_watch(NULL));
    cr_expect_eq(scarcity_watch(profile), profile, "what was got is handed on and counts nothing");
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot->ledger.booked[ACCOUNT_SHORTAGES], 1);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_assert_eq(reasons.n, 1);
    cr_expect(strstr(reasons.text[0], "ran out of memory 1 time "), "%s", reasons.text[0]);
    snapshot_unref(snapshot);
    profile_clear(profile);
    cr_expect_eq(losses_of(profile, &quiet_link).booked[ACCOUNT_SHORTAGES], 0);
    profile_free(profile);
}

Test(incomplete, a_device_silent_at_the_end_is_reported_with_the_time)
{
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    struct snapshot *snapshot =
        profile_freeze(profile, &(struct snapshot_source){0},
                       &(struct snapshot_target){.is_unclosed = true, .mute_ms = 8240}, &quiet_link);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_expect_eq(reasons.n, 1);
    cr_expect(strstr(reasons.text[0], "sent nothing for 8.2 s"), "%s", reasons.text[0]);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(incomplete, a_device_that_ignores_commands_is_reported)
{
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    struct snapshot *snapshot =
        profile_freeze(profile, &(struct snapshot_source){0},
                       &(struct snapshot_target){.is_unclosed = true, .is_deaf = true}, &quiet_link);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_expect_eq(reasons.n, 1);
    cr_expect(strstr(reasons.text[0], "takes no commands any more, though it sends"), "%s", reasons.text[0]);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(incomplete, a_device_without_a_closing_packet_is_reported)
{
    struct profile *profile = profile_new(NULL);
    hear_call(profile, 10);
    for (enum mode mode = MODE_CALLS; mode <= MODE_TREE; mode++) {
        struct snapshot *snapshot =
            profile_freeze(profile, &(struct snapshot_source){0},
                           &(struct snapshot_target){.is_unclosed = true, .mode = mode}, &quiet_link);
        struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
        cr_expect_eq(reasons.n, 1);
        cr_expect(strstr(reasons.text[0], "did not confirm at the end that it had sent everything"));
        cr_expect_eq(strstr(reasons.text[0], "call tree") != NULL, mode == MODE_TREE);
        snapshot_unref(snapshot);
    }
    profile_free(profile);
}
