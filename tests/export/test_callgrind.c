/* test_callgrind.c - the calls in the file, which callgrind_annotate does not show. */
#include "export/export.h"
#include "profile/profile.h"
#include "support/frozen.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The sum of all calls= lines. */
static uint64_t calls_told(const struct snapshot *snapshot)
{
    struct sink_buffer out;
    uint64_t calls = 0;
    sink_buffer_init(&out);
    exporter_find("callgrind")->write(snapshot, &out.sink);
    for (const char *at = out.bytes; (at = strstr(at, "calls=")); at++)
        calls += strtoull(at + strlen("calls="), NULL, 10);
    sink_buffer_fini(&out);
    return calls;
}

/* Their callers were lost; the placeholders of these have neither calls nor ticks. */
Test(callgrind, calls_below_an_empty_caller_are_written)
{
    struct profile *profile = profile_new(NULL);
    const struct event events[] = {call(0x100, 5, 0, 2), call(0x100, 6, 0, 3), call(0x200, 6, 0, 0)};
    profile_apply(profile, events, 3);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(calls_told(snapshot), 3);
    snapshot_unref(snapshot);
    profile_free(profile);
}
