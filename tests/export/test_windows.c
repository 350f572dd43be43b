/* test_windows.c - exports of a target that counts its calls, and sends windows. */
#include "export/export.h"
#include "support/frozen.h"

#include <string.h>

static struct event in_window(enum event_kind kind, uint64_t ticks)
{
    return (struct event){.kind = (uint8_t)kind, .flags = EVENT_KEPT, .ticks = ticks, .call.address = 0x2000};
}

static struct event stage(enum event_window_stage stage, uint64_t ticks)
{
    return (struct event){
        .kind = EVENT_WINDOW, .ticks = ticks, .window = {.stage = (uint8_t)stage, .is_whole = true}};
}

/* A tree of one function, and two windows with a call of it in each. */
static struct profile *counted(void)
{
    struct profile *profile = profile_new(NULL);
    struct event_node node = {.parent = EVENT_NO_NODE, .address = 0x2000, .calls = 5, .ticks = 700};
    profile_apply(profile, &(struct event){.kind = EVENT_NODE, .ticks = 9000, .node = &node}, 1);
    for (uint64_t at = 1000; at <= 5000; at += 4000) {
        struct event why = stage(WINDOW_TELLS, at + 60);
        why.window.reason = WINDOW_SLOW;
        why.window.address = 0x2000;
        why.window.duration = 50;
        const struct event events[] = {stage(WINDOW_BEGINS, at),        in_window(EVENT_SWITCH, at),
                                       in_window(EVENT_ENTER, at + 10), why,
                                       in_window(EVENT_EXIT, at + 60),  stage(WINDOW_ENDS, at + 100)};
        profile_apply(profile, events, sizeof events / sizeof *events);
    }
    return profile;
}

static char *written(const struct snapshot *snapshot, const char *format, struct sink_buffer *out)
{
    sink_buffer_init(out);
    exporter_find(format)->write(snapshot, &out->sink);
    return out->bytes;
}

static size_t times(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

Test(windows, a_trace_shows_where_calls_are_known)
{
    struct profile *profile = counted();
    struct snapshot *snapshot = freeze(profile);
    struct sink_buffer out;
    const char *text = written(snapshot, "chrome", &out);
    cr_expect_eq(times(text, "\"cat\":\"call\""), 2u);
    cr_expect_eq(times(text, "\"cat\":\"window\""), 2u);
    cr_expect_not_null(strstr(text, "\"args\":{\"name\":\"windows: calls are known inside of them only\"}"));
    cr_expect_null(strstr(text, "\"cut\""), "both calls lie inside");
    cr_expect_not_null(strstr(text, "\"slow\":\"0x00002000\",\"ticks\":50,\"number\":1"));
    sink_buffer_fini(&out);

    struct snapshot *range = snapshot_window(snapshot, 5020, 8000);
    text = written(range, "chrome", &out);
    cr_expect_eq(times(text, "\"cat\":\"window\""), 1u);
    cr_expect_not_null(strstr(text, "\"complete\":false"));
    sink_buffer_fini(&out);
    snapshot_unref(range);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(windows, a_trace_marks_a_call_that_the_edge_of_a_window_cuts)
{
    struct profile *profile = counted();
    const struct event events[] = {stage(WINDOW_BEGINS, 7000), in_window(EVENT_SWITCH, 7000),
                                   in_window(EVENT_ENTER, 7010), stage(WINDOW_ENDS, 7100)};
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    struct sink_buffer out;
    const char *text = written(snapshot, "chrome", &out);
    cr_expect_eq(times(text, "\"cat\":\"call\""), 3u);
    cr_expect_not_null(strstr(text, "\"start_ticks\":7010,\"ticks\":90,\"depth\":0,\"cut\":true}"));
    cr_expect_eq(times(text, "\"cut\""), 1u);
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(windows, exports_of_totals_use_the_counts_of_the_target)
{
    struct profile *profile = counted();
    struct snapshot *snapshot = freeze(profile);
    static const char *const formats[][2] = {{"collapsed", "0x00002000 700\n"}, {"csv", ",5,"}};
    for (size_t i = 0; i < 2; i++) {
        struct sink_buffer out;
        const char *text = written(snapshot, formats[i][0], &out);
        cr_expect_not_null(strstr(text, formats[i][1]), "%s: %s", formats[i][0], text);
        sink_buffer_fini(&out);
    }
    snapshot_unref(snapshot);
    profile_free(profile);
}
