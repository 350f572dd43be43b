/* test_changed.c - rare events mark the profile as changed, so that they are shown without
 * waiting for a call. */
#include "support/frozen.h"

Test(changed, each_event_that_adds_data_requests_a_snapshot)
{
    static const struct event_description description = {.versions = 2};
    const struct event events[] = {
        {.kind = EVENT_ARC, .arc = {.from = 0x1000, .to = 0x2000, .calls = 1}},
        {.kind = EVENT_SAMPLE, .sample = {.address = 0x1000, .count = 1, .bytes = 2, .hz = 100}},
        {.kind = EVENT_TEXT, .ticks = 1, .text = {.text = "x", .n = 1}},
        {.kind = EVENT_DESCRIPTION, .description = &description},
        {.kind = EVENT_LOST, .lost = {.records = 1}},
        {.kind = EVENT_RESET},
    };
    struct profile *profile = profile_new(NULL);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        snapshot_unref(freeze(profile));
        cr_expect_not(profile_changed(profile), "%zu", i);
        profile_apply(profile, &events[i], 1);
        cr_expect(profile_changed(profile), "%zu", i);
    }
    profile_free(profile);
}
