/* test_messages.c - the target's text messages. */
#include "profile/messages.h"
#include "profile/profile.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    return profile_freeze(profile, &source, &target, &link);
}

static void say(struct profile *profile, const char *text, const struct event_message *more)
{
    struct event event = {.kind = EVENT_TEXT, .ticks = 5};
    event.text.text = text;
    event.text.n = (uint32_t)strlen(text);
    event.text.severity = SEVERITY_ERROR;
    event.text.message = more;
    profile_apply(profile, &event, 1);
}

Test(messages, texts_are_kept_clean_and_whole)
{
    struct profile *profile = profile_new(NULL);
    struct event_message more = {
        .status = "OK", .type = "STRING:GENERIC", .location = "a.c:7", .raw_length = 20};
    say(profile, "bad \xFF byte", &more);
    say(profile, "", NULL);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->message_count, 2);
    cr_assert_str_eq(snapshot->messages[0]->text, "bad \xEF\xBF\xBD byte");
    cr_assert_str_eq(snapshot->messages[0]->location, "a.c:7");
    cr_assert_null(snapshot->messages[0]->collateral);
    cr_assert_eq(snapshot->messages[0]->raw_length, 20);
    cr_assert_str_eq(snapshot->messages[1]->text, "");
    cr_assert_null(snapshot->messages[1]->status);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(messages, the_oldest_are_dropped_and_counted_except_in_snapshots)
{
    struct profile *profile = profile_new(NULL);
    say(profile, "first", NULL);
    struct snapshot *early = freeze(profile);
    for (int i = 0; i < MESSAGES_MAX + 9; i++)
        say(profile, "more", NULL);
    struct snapshot *late = freeze(profile);
    cr_assert_str_eq(early->messages[0]->text, "first");
    cr_assert_eq(late->message_count, MESSAGES_MAX);
    cr_assert_eq(late->messages_dropped, 10);
    snapshot_unref(late);
    profile_free(profile);
    cr_assert_str_eq(early->messages[0]->text, "first");
    snapshot_unref(early);
}

Test(messages, long_texts_leave_room_for_fewer)
{
    enum { LENGTH = 65536, SAID = 9 * (MESSAGES_BYTES_MAX / LENGTH) / 8 };
    struct profile *profile = profile_new(NULL);
    char *text = calloc(1, LENGTH + 1);
    memset(text, 'x', LENGTH);
    for (int i = 0; i < SAID; i++)
        say(profile, text, NULL);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_leq((uint64_t)snapshot->message_count * LENGTH, MESSAGES_BYTES_MAX);
    cr_assert_geq(snapshot->message_count, MESSAGES_BYTES_MAX / LENGTH - 2);
    cr_assert_eq(snapshot->message_count + snapshot->messages_dropped, SAID);
    snapshot_unref(snapshot);
    profile_clear(profile);
    say(profile, text, NULL);
    snapshot = freeze(profile);
    cr_assert_eq(snapshot->message_count, 1);
    cr_assert_eq(snapshot->messages_dropped, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
    free(text);
}
