/* test_balance.c - the accounts of reported calls. */
#include "profile/livestacks.h"
#include "profile/profile.h"
#include "support/frozen.h"

#include <criterion/criterion.h>
#include <string.h>

static void enter(struct profile *profile, uint64_t address, uint64_t ticks)
{
    profile_apply(profile, &(struct event){.kind = EVENT_ENTER, .ticks = ticks, .call.address = address}, 1);
}

static void leave(struct profile *profile, uint64_t address, uint64_t ticks)
{
    profile_apply(profile, &(struct event){.kind = EVENT_EXIT, .ticks = ticks, .call.address = address}, 1);
}

static void expect(struct profile *profile, enum ledger_account account, uint64_t n)
{
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot->ledger.booked[account], n, "%s: %" PRIu64 ", not %" PRIu64,
                 ledger_rows[account].key, snapshot->ledger.booked[account], n);
    cr_expect(snapshot->ledger.held & HOLDS_CALLS);
    snapshot_unref(snapshot);
}

Test(balance, a_begun_call_is_running_then_shown_or_unfinished)
{
    struct profile *profile = profile_new(NULL);
    enter(profile, 0x100, 10);
    enter(profile, 0x200, 20);
    expect(profile, ACCOUNT_CALLS_TOLD, 2);
    expect(profile, ACCOUNT_CALLS_RUNNING, 2);
    leave(profile, 0x200, 30);
    expect(profile, ACCOUNT_CALLS_SHOWN, 1);
    profile_apply(profile, &(struct event){.kind = EVENT_RESET}, 1);
    expect(profile, ACCOUNT_CALLS_RUNNING, 0);
    expect(profile, ACCOUNT_CALLS_UNFINISHED, 1);
    profile_free(profile);
}

Test(balance, a_call_waits_for_its_caller_before_it_is_shown)
{
    struct profile *profile = profile_new(NULL);
    const struct event inner = call(0x200, 20, 5, 1), outer = call(0x100, 10, 50, 0);
    profile_apply(profile, &inner, 1);
    expect(profile, ACCOUNT_CALLS_WAITING, 1);
    profile_apply(profile, &outer, 1);
    profile_finish(profile);
    expect(profile, ACCOUNT_CALLS_SHOWN, 2);
    expect(profile, ACCOUNT_CALLS_WAITING, 0);
    profile_free(profile);
}

Test(balance, calls_beyond_the_depth_limit_are_refused)
{
    struct profile *profile = profile_new(NULL);
    for (uint64_t i = 0; i < LIVESTACKS_DEPTH_MAX + 6; i++)
        enter(profile, 0x100, i);
    expect(profile, ACCOUNT_CALLS_REFUSED, 6);
    expect(profile, ACCOUNT_CALLS_RUNNING, LIVESTACKS_DEPTH_MAX);
    profile_free(profile);
}

/* Discarded calls stay in the ledger until the user clears. */
Test(balance, a_new_clock_discards_earlier_calls)
{
    struct profile *profile = profile_new(NULL);
    struct event clock = {.kind = EVENT_CLOCK, .clock = {.ticks_per_second = 1000}};
    profile_apply(profile, &clock, 1);
    enter(profile, 0x100, 10);
    enter(profile, 0x200, 1020);
    leave(profile, 0x200, 2010);
    clock.clock.ticks_per_second = 2000;
    clock.clock.other_unit = true;
    profile_apply(profile, &clock, 1);
    expect(profile, ACCOUNT_CALLS_CLEARED, 1);
    expect(profile, ACCOUNT_CALLS_UNFINISHED, 1);
    expect(profile, ACCOUNT_CALLS_TOLD, 2);
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot->ledger.cleared[BY_TELLING].times, 1);
    cr_expect_eq(snapshot->ledger.cleared[BY_TELLING].own_ns, 2000000000);
    cr_expect_eq(snapshot_incomplete(snapshot).n, 1);
    snapshot_unref(snapshot);
    profile_clear(profile);
    expect(profile, ACCOUNT_CALLS_TOLD, 0);
    expect(profile, ACCOUNT_CALLS_CLEARED, 0);
    profile_free(profile);
}

Test(balance, unused_records_make_a_profile_incomplete)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    const struct snapshot_link link = {.records = 7};
    struct profile *profile = profile_new(NULL);
    struct snapshot *snapshot = profile_freeze(profile, &source, &target, &link);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_assert_eq(reasons.n, 1);
    cr_expect(strstr(reasons.text[0], "7 records came"), "%s", reasons.text[0]);
    snapshot_unref(snapshot);
    profile_clear(profile);
    snapshot = profile_freeze(profile, &source, &target, &link);
    cr_expect_eq(snapshot_incomplete(snapshot).n, 0, "none came since");
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(balance, messages_samples_and_arcs_are_used_records)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    const struct snapshot_link link = {.records = 7};
    const struct event events[] = {{.kind = EVENT_TEXT, .ticks = 5, .text = {.text = "hello", .n = 5}},
                                   {.kind = EVENT_SAMPLE, .sample = {.address = 0x100, .count = 7}},
                                   {.kind = EVENT_ARC, .arc = {.from = 0x200, .to = 0x100, .calls = 3}}};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        struct profile *profile = profile_new(NULL);
        profile_apply(profile, &events[i], 1);
        struct snapshot *snapshot = profile_freeze(profile, &source, &target, &link);
        struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
        for (size_t k = 0; k < reasons.n; k++)
            cr_expect_null(strstr(reasons.text[k], "7 records came"), "%zu: %s", i, reasons.text[k]);
        snapshot_unref(snapshot);
        profile_free(profile);
    }
}

Test(balance, unequal_sums_are_reported)
{
    struct ledger ledger = {
        .booked = {[ACCOUNT_CALLS_TOLD] = 5, [ACCOUNT_CALLS_SHOWN] = 3, [ACCOUNT_CALLS_RUNNING] = 1}};
    char why[LEDGER_REASONS_MAX][LEDGER_SENTENCE];
    ledger_hold(&ledger, HOLDS_TREE | HOLDS_BYTES);
    cr_expect_eq(ledger_reasons(&ledger, why, LEDGER_REASONS_MAX), 0, "calls were not to be compared");
    ledger_hold(&ledger, HOLDS_CALLS);
    cr_expect_eq(ledger.broken, HOLDS_CALLS);
    cr_assert_eq(ledger_reasons(&ledger, why, LEDGER_REASONS_MAX), 1);
    cr_expect(strstr(why[0], "mistake of miniprofd"), "%s", why[0]);
    ledger.booked[ACCOUNT_CALLS_WAITING] = 1;
    ledger_hold(&ledger, HOLDS_CALLS);
    cr_expect_eq(ledger.broken, 0);
}
