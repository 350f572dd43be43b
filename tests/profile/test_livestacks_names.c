/* test_livestacks_names.c - functions and contexts that are reported by name. */
#include "profile/functions.h"
#include "profile/profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    return profile_freeze(profile, &source, &target, &link);
}

Test(livestacks_names, functions_known_by_name_are_one_row_each)
{
    struct profile *profile = profile_new(NULL);
    const char *names[] = {"alpha", "beta", "\xFF<script>", "alpha"};
    for (size_t i = 0; i < 4; i++) {
        struct event events[2];
        for (size_t k = 0; k < 2; k++)
            events[k] = (struct event){.kind = (uint8_t)(k ? EVENT_EXIT : EVENT_ENTER),
                                       .flags = EVENT_BY_NAME,
                                       .ticks = 10 * i + k,
                                       .named = {names[i], (uint32_t)strlen(names[i])}};
        profile_apply(profile, events, 2);
    }
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->function_count, 3);
    cr_assert_str_eq(snapshot->functions[0].name, "alpha");
    cr_assert_eq(snapshot->functions[0].calls, 2);
    cr_assert_str_eq(snapshot->functions[2].name, "\xEF\xBF\xBD<script>");
    snapshot_unref(snapshot);
    profile_free(profile);
}

static void run_by_name(struct profile *profile, const char *name, size_t n)
{
    for (size_t k = 0; k < 2; k++)
        profile_apply(profile,
                      &(struct event){.kind = (uint8_t)(k ? EVENT_EXIT : EVENT_ENTER),
                                      .flags = EVENT_BY_NAME,
                                      .ticks = k,
                                      .named = {name, (uint32_t)n}},
                      1);
}

Test(livestacks_names, names_beyond_the_limit_are_one_row)
{
    struct profile *profile = profile_new(NULL);
    enum { LENGTH = 65536, SAID = FUNCTIONS_NAME_BYTES / LENGTH + 50 };
    char *name = malloc(LENGTH);
    memset(name, 'x', LENGTH);
    for (int i = 0; i < SAID; i++) {
        snprintf(name, 8, "%07d", i);
        name[7] = 'x';
        run_by_name(profile, name, LENGTH);
        run_by_name(profile, name, LENGTH);
    }
    struct snapshot *snapshot = freeze(profile);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        calls += snapshot->functions[i].calls;
    cr_assert_eq(calls, 2 * SAID);
    cr_assert_leq(snapshot->function_count, FUNCTIONS_NAME_BYTES / LENGTH + 1);
    cr_assert_eq(snapshot->functions[snapshot->function_count - 1].kind, KIND_OTHER);
    cr_assert_gt(snapshot->link.over_limit, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
    free(name);
}

/* The search for a name must not pass all earlier ones. */
Test(livestacks_names, names_without_a_row_have_constant_cost, .timeout = 300)
{
    struct profile_limits limits = {.functions = 60000};
    struct profile *profile = profile_new(&limits);
    for (uint64_t i = 0; i < 60000; i++)
        profile_apply(profile, &(struct event){.kind = EVENT_SAMPLE, .sample = {0x1000 + 16 * i, 1}}, 1);
    for (int i = 0; i < 100000; i++)
        run_by_name(profile, "late", 4);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->functions[60000].calls, 100000);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks_names, a_context_is_called_after_the_origin_of_its_messages)
{
    struct profile *profile = profile_new(NULL);
    const struct event_message long_origin = {
        .origin = "a very long name of a module, which has \xff in it and goes on well beyond its end"};
    const struct event_message driver = {.origin = "driver"};
    const struct event_message by_channel = {.origin = "{01234567-89AB-CDEF-8001-020304050607}",
                                             .has_channel = true,
                                             .master = 65535,
                                             .channel = 65534};
    const struct event events[] = {
        {.kind = EVENT_ENTER, .context = 0, .ticks = 1, .call = {.address = 0x100}},
        {.kind = EVENT_TEXT, .context = 0, .ticks = 1, .text = {.text = "", .unit = 3, .message = &driver}},
        {.kind = EVENT_ENTER, .context = 9, .ticks = 2, .call = {.address = 0x200}},
        {.kind = EVENT_TEXT, .context = 9, .text = {.text = "", .unit = 65535, .message = &long_origin}},
        {.kind = EVENT_TEXT, .context = 9, .text = {.text = "", .unit = 1, .message = &driver}},
        {.kind = EVENT_ENTER, .context = 5, .ticks = 3, .call = {.address = 0x200}},
        {.kind = EVENT_ENTER, .context = 7, .ticks = 4, .call = {.address = 0x200}},
        {.kind = EVENT_TEXT, .context = 7, .text = {.text = "", .unit = 2047, .message = &by_channel}},
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->context_count, 4);
    cr_expect_str_eq(snapshot->contexts[3].name, "{01234567-89AB-CDEF-8001-020304050607}:2047 @65535/65534");
    cr_expect_str_eq(snapshot->contexts[0].name, "driver:3");
    cr_expect_str_eq(snapshot->contexts[1].name,
                     "a very long name of a module, which has \xEF\xBF\xBD in it and goes on wel:65535");
    cr_expect_str_eq(snapshot->contexts[2].name, "context 5");
    cr_expect_str_eq(snapshot->contexts[2].kind, "unknown");
    snapshot_unref(snapshot);
    profile_free(profile);
}

static void learn_interrupt(struct profile *profile, uint32_t context, uint8_t flags, const char *name)
{
    const struct event event = {
        .kind = EVENT_CONTEXT,
        .context = context,
        .flags = flags,
        .context_is = {.name = name, .n = (uint32_t)strlen(name), .kind = CONTEXT_INTERRUPT}};
    profile_apply(profile, &event, 1);
}

/* Says that a function of that name ran in the context. */
#define AE "\u00e4\u00e4\u00e4\u00e4\u00e4" /* letters of two bytes */

static void run_named(struct profile *profile, uint32_t context, const char *name)
{
    struct event event = {.kind = EVENT_ENTER, .flags = EVENT_BY_NAME, .context = context};
    event.named.name = name;
    event.named.n = (uint32_t)strlen(name);
    profile_apply(profile, &event, 1);
    event.kind = EVENT_EXIT;
    profile_apply(profile, &event, 1);
}

Test(livestacks_names, an_unnamed_interrupt_gets_the_name_of_its_only_handler)
{
    struct profile *profile = profile_new(NULL);
    learn_interrupt(profile, 1, EVENT_NUMBERED, "interrupt 15");
    learn_interrupt(profile, 2, EVENT_NUMBERED, "interrupt 16");
    learn_interrupt(profile, 3, 0, "interrupt 17");
    learn_interrupt(profile, 4, EVENT_NUMBERED, "interrupt 4294967295");
    learn_interrupt(profile, 5, EVENT_NUMBERED, "interrupt 19");
    run_named(profile, 1, "SysTick_Handler");
    run_named(profile, 1, "SysTick_Handler");
    run_named(profile, 2, "SysTick_Handler");
    run_named(profile, 3, "SysTick_Handler");
    run_named(profile, 4, "Verarbeitungs" AE AE AE AE AE AE "_Handler");
    profile_apply(profile, &(struct event){.kind = EVENT_ENTER, .context = 5, .call = {.address = 0x100}}, 1);
    struct snapshot *snapshot = freeze(profile);
    cr_expect_str_eq(snapshot->contexts[0].name, "SysTick_Handler (15)");
    cr_expect_str_eq(snapshot->contexts[1].name, "SysTick_Handler (16)");
    cr_expect_str_eq(snapshot->contexts[2].name, "interrupt 17", "the target called it so");
    cr_expect_str_eq(snapshot->contexts[3].name, "Verarbeitungs" AE AE AE AE "\u00e4\u00e4 (4294967295)",
                     "cut between letters");
    cr_expect_str_eq(snapshot->contexts[4].name, "interrupt 19", "an address says nothing");
    snapshot_unref(snapshot);
    run_named(profile, 1, "Other_Handler");
    learn_interrupt(profile, 2, 0, "tick");
    snapshot = freeze(profile);
    cr_expect_str_eq(snapshot->contexts[0].name, "interrupt 15", "which of the two is anybody's guess");
    cr_expect_str_eq(snapshot->contexts[1].name, "tick");
    snapshot_unref(snapshot);
    profile_free(profile);
}

static void learn_thread(struct profile *profile, const char *name)
{
    const struct event event = {
        .kind = EVENT_CONTEXT,
        .context = 1,
        .context_is = {.name = name, .n = (uint32_t)strlen(name), .kind = CONTEXT_THREAD}};
    profile_apply(profile, &event, 1);
}

static void enter_in_thread(struct profile *profile, uint64_t address, uint64_t ticks)
{
    profile_apply(profile,
                  &(struct event){.kind = EVENT_ENTER, .context = 1, .ticks = ticks, .call.address = address},
                  1);
}

static bool has_context(const struct snapshot *snapshot, const char *name)
{
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        if (!strcmp(snapshot->contexts[i].name, name))
            return true;
    return false;
}

Test(livestacks_names, a_renamed_thread_is_new_once_its_calls_have_ended)
{
    for (int is_another = 0; is_another < 2; is_another++) {
        struct profile *profile = profile_new(NULL);
        learn_thread(profile, "first");
        enter_in_thread(profile, 0x100, 100);
        learn_thread(profile, "second");
        if (is_another)
            profile_apply(profile, &(struct event){.kind = EVENT_STACK, .context = 1, .ticks = 200}, 1);
        enter_in_thread(profile, 0x200, 200);
        struct snapshot *snapshot = freeze(profile);
        cr_expect_eq(has_context(snapshot, "first"), is_another, "%d", is_another);
        cr_expect(has_context(snapshot, "second"), "%d", is_another);
        snapshot_unref(snapshot);
        profile_free(profile);
    }
}
