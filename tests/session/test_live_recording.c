/* test_live_recording.c - a session is recorded, and the recording is replayed. */
#include "live.h"

#include <unistd.h>

static void expect_same_profile(const struct snapshot *a, const struct snapshot *b)
{
    cr_assert_eq(a->function_count, b->function_count);
    for (uint32_t i = 0; i < a->function_count; i++) {
        const struct snapshot_function *f = &a->functions[i], *g = &b->functions[i];
        cr_assert_str_eq(f->name, g->name);
        cr_assert(f->calls == g->calls && f->total_ticks == g->total_ticks &&
                  f->self_ticks == g->self_ticks && f->min_ticks == g->min_ticks &&
                  f->max_ticks == g->max_ticks && f->p99_ticks == g->p99_ticks);
    }
    cr_assert_eq(a->node_count, b->node_count);
    for (uint32_t i = 0; i < a->node_count; i++) {
        const struct snapshot_node *n = &a->nodes[i], *m = &b->nodes[i];
        cr_assert(n->parent == m->parent && n->function == m->function && n->calls == m->calls &&
                  n->total_ticks == m->total_ticks && n->self_ticks == m->self_ticks);
    }
    cr_assert_eq(a->link.bytes, b->link.bytes);
    cr_assert_eq(a->link.packets, b->link.packets);
    cr_assert_eq(a->link.records, b->link.records);
    cr_assert_eq(a->link.bytes_skipped, b->link.bytes_skipped);
    cr_assert_eq(a->target.records_captured, b->target.records_captured);
    cr_assert_str_eq(a->target.fw_version, b->target.fw_version);
}

Test(live_recording, a_recording_replayed_in_a_hurry_or_at_its_pace_gives_the_same_profile)
{
    struct bench bench;
    bench_init(&bench, true);
    struct folder_path recording = folder_file(&bench.folder, "recording");
    bench.settings.record_path = recording.text;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    fake_send(&bench.fake, "noise", 5);
    fake_send_rounds(&bench.fake, 10, 5000);
    bench_await(&bench, has_twenty_rounds);
    session_stop(bench.session);
    struct snapshot *live = session_snapshot(bench.session);
    struct snapshot *hurried = bench_replay(recording.text, 0), *paced = bench_replay(recording.text, 1);
    expect_same_profile(live, hurried);
    expect_same_profile(live, paced);
    snapshot_unref(live);
    snapshot_unref(hurried);
    snapshot_unref(paced);
    bench_fini(&bench);
}

Test(live_recording, a_recording_that_cannot_go_on_does_not_stop_the_profile)
{
    struct bench bench;
    bench_init(&bench, true);
    struct folder_path recording = folder_file(&bench.folder, "recording");
    cr_assert_eq(symlink("/dev/full", recording.text), 0);
    bench.settings.record_path = recording.text;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    bench_fini(&bench);
}
