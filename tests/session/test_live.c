/* test_live.c - a session with a device that answers, falls silent, restarts, refuses, goes away and comes
 * back. */
#include "session/session.h"

#include "base/clock.h"
#include "../contract/samples.h"
#include "bench.h"
#include "elf_file.h"

#include <pthread.h>

static bool is_connected(const struct snapshot *s)
{
    return s->source.state == STATE_CONNECTED;
}

static bool is_lost(const struct snapshot *s)
{
    return s->source.state == STATE_LOST;
}

static bool has_twenty_rounds(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 20;
}

static bool has_reset(const struct snapshot *s)
{
    return s->link.target_resets > 0;
}

static bool has_reset_and_profiles(const struct snapshot *s)
{
    return has_reset(s) && bench_is_profiling(s);
}

static bool does_not_answer(const struct snapshot *s)
{
    return strstr(s->source.detail, "does not answer") != NULL;
}

static bool sends_but_does_not_answer(const struct snapshot *s)
{
    return strstr(s->source.detail, "sends but does not answer") != NULL;
}

static bool is_content(const struct snapshot *s)
{
    return bench_is_profiling(s) && !*s->source.detail;
}

static enum order_result command(struct bench *bench, uint8_t code)
{
    struct order order = {.kind = ORDER_COMMAND, .command = code};
    return mailbox_ask(session_mailbox(bench->session), &order);
}

Test(live, a_device_is_met_started_listened_to_and_stopped)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, bench_has_ten_rounds);
    cr_assert_eq(bench_calls_of(s, 0x2000), 10);
    cr_assert_eq(s->source.state, STATE_CONNECTED);
    cr_assert_not(s->source.listen_only);
    cr_assert_str_eq(s->target.fw_version, "fake");
    cr_assert_eq(s->target.buffer_usage_percent, 100, "clamped");
    cr_assert_eq(s->link.target_resets, 0);
    session_stop(bench.session);
    cr_assert_eq(fake_heard(&bench.fake, MP_STOP), 1);
    struct snapshot *last = session_snapshot(bench.session);
    cr_assert_eq(last->source.state, STATE_ENDED);
    snapshot_unref(last);
    bench_fini(&bench);
}

Test(live, status_is_asked_for_again_and_again)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    fake_await(&bench.fake, MP_GET_STATUS, 5);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 1);
    cr_assert_eq(fake_heard(&bench.fake, MP_GET_METADATA), 1);
    bench_fini(&bench);
}

Test(live, a_device_that_does_not_answer_is_asked_again_and_listened_to)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.answer_ms = 10;
    fake_set_deaf(&bench.fake, true);
    bench_start(&bench);
    bench_await(&bench, does_not_answer);
    fake_await(&bench.fake, MP_GET_METADATA, 3);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    bench_await(&bench, sends_but_does_not_answer);
    fake_set_deaf(&bench.fake, false);
    bench_await(&bench, is_content);
    fake_await(&bench.fake, MP_START, 1);
    bench_fini(&bench);
}

Test(live, a_restart_is_noticed_by_its_metadata)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 1000000);
    bench_await(&bench, bench_has_ten_rounds);
    fake_restart(&bench.fake, true);
    bench_await(&bench, has_reset_and_profiles);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, has_twenty_rounds);
    cr_assert_eq(s->link.target_resets, 1);
    cr_assert_eq(s->link.unplaced_calls, 0);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 2);
    bench_fini(&bench);
}

Test(live, a_restart_is_noticed_by_its_counters)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    fake_await(&bench.fake, MP_GET_STATUS, fake_heard(&bench.fake, MP_GET_STATUS) + 2);
    fake_restart(&bench.fake, false);
    const struct snapshot *s = bench_await(&bench, has_reset_and_profiles);
    cr_assert_eq(s->link.target_resets, 1);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 2);
    bench_fini(&bench);
}

Test(live, an_unplugged_device_is_told_and_found_again)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    fake_unplug(&bench.fake);
    const struct snapshot *s = bench_await(&bench, is_lost);
    cr_assert(strstr(s->source.detail, bench.fake.path), "%s", s->source.detail);
    cr_assert_eq(command(&bench, MP_GET_STATUS), ORDER_NO_DEVICE);
    fake_plug_in(&bench.fake);
    s = bench_await(&bench, is_connected);
    cr_assert_eq(s->link.reconnects, 1);
    fake_await(&bench.fake, MP_START, 2);
    fake_send_rounds(&bench.fake, 10, 5000);
    bench_await(&bench, has_twenty_rounds);
    bench_fini(&bench);
}

/* As ser2net does while somebody else has the port. */
Test(live, a_server_that_sends_everybody_away_is_asked_ever_less_often)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.retry_first_ms = 10;
    bench.settings.timing.retry_most_ms = 10000;
    bench_start(&bench);
    uint64_t began_ms = clock_monotonic_ms();
    for (unsigned i = 1; i <= 5; i++) {
        fake_await(&bench.fake, MP_GET_METADATA, i);
        fake_unplug(&bench.fake);
        fake_plug_in(&bench.fake);
    }
    cr_assert_geq(clock_monotonic_ms() - began_ms, 10 + 20 + 40 + 80);
    bench_fini(&bench);
}

Test(live, a_device_that_is_not_there_yet_is_waited_for)
{
    struct bench bench;
    bench_init(&bench, false);
    bench_start(&bench);
    struct snapshot *first = board_wait(bench.board, 0, BENCH_PATIENCE_MS);
    cr_assert_eq(first->source.state, STATE_CONNECTING);
    cr_assert(strstr(first->source.detail, "There is no socket"), "%s", first->source.detail);
    snapshot_unref(first);
    fake_plug_in(&bench.fake);
    const struct snapshot *s = bench_await(&bench, bench_is_profiling);
    cr_assert_eq(s->link.reconnects, 0);
    bench_fini(&bench);
}

Test(live, commands_of_others_are_carried_out_and_answered)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    cr_assert_eq(command(&bench, MP_STOP), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_GET_STATUS), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_GET_METADATA), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_RESET_BUFFERS), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_SET_CONFIG), ORDER_DONE);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 1, "stopped, it stays so");
    cr_assert_eq(command(&bench, MP_START), ORDER_DONE);
    fake_set_refuses(&bench.fake, true);
    cr_assert_eq(command(&bench, MP_RESET_BUFFERS), ORDER_REFUSED);
    fake_set_refuses(&bench.fake, false);
    cr_assert_eq(bench.shown->link.target_resets, 0);
    bench_fini(&bench);
}

Test(live, a_command_without_an_answer_is_said_to_be_so)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.answer_ms = 10;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_set_deaf(&bench.fake, true);
    cr_assert_eq(command(&bench, MP_RESET_BUFFERS), ORDER_SILENT);
    bench_fini(&bench);
}

static void *ask_for_status(void *argument)
{
    struct bench *bench = argument;
    for (int i = 0; i < 10; i++)
        cr_assert_eq(command(bench, MP_GET_STATUS), ORDER_DONE);
    return NULL;
}

Test(live, many_can_ask_at_once)
{
    struct bench bench;
    pthread_t askers[4];
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, is_connected);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&askers[i], NULL, ask_for_status, &bench), 0);
    for (unsigned i = 0; i < 20; i++)
        fake_send_rounds(&bench.fake, 1, 100 * i);
    for (size_t i = 0; i < 4; i++)
        pthread_join(askers[i], NULL);
    bench_await(&bench, has_twenty_rounds);
    bench_fini(&bench);
}

static bool was_cleared(const struct snapshot *s)
{
    return s->cleared_at > 1;
}

Test(live, what_was_aggregated_can_be_forgotten)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 20, 0);
    bench_await(&bench, has_twenty_rounds);
    struct order order = {.kind = ORDER_CLEAR};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_DONE);
    const struct snapshot *s = bench_await(&bench, was_cleared);
    cr_assert_eq(bench_calls_of(s, 0x1000), 0);
    fake_send_rounds(&bench.fake, 10, 10000);
    bench_await(&bench, bench_has_ten_rounds);
    bench_fini(&bench);
}

Test(live, without_control_the_device_hears_nothing)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    bench_await(&bench, is_connected);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, bench_has_ten_rounds);
    cr_assert(s->source.listen_only);
    cr_assert_eq(command(&bench, MP_START), ORDER_NO_DEVICE);
    session_stop(bench.session);
    for (unsigned code = 0; code < 8; code++)
        cr_assert_eq(fake_heard(&bench.fake, (enum mp_command_code)code), 0);
    bench_fini(&bench);
}

/* The packet lies inside the bytes that a damaged one before it claims. */
static bool has_one_round(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 1;
}

Test(live, a_length_that_lies_holds_nothing_back_once_the_line_is_quiet)
{
    static const uint8_t lie[] = {0xAA, 0x55, MP_PROFILE_DATA, 0xD7, 0x03, 0x01, 0x46, 0x00};
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    bench_await(&bench, is_connected);
    fake_send(&bench.fake, lie, sizeof lie);
    fake_send_rounds(&bench.fake, 1, 0);
    bench_await(&bench, has_one_round);
    bench_fini(&bench);
}

static bool makes_no_sense(const struct snapshot *s)
{
    return strstr(s->source.detail, "none of them make sense") != NULL;
}

Test(live, bytes_that_are_no_packets_are_pointed_out)
{
    struct bench bench;
    uint8_t noise[4096] = {0};
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    bench_await(&bench, is_connected);
    fake_send(&bench.fake, noise, sizeof noise);
    const struct snapshot *s = bench_await(&bench, makes_no_sense);
    cr_assert_eq(s->link.bytes_skipped, sizeof noise);
    bench_fini(&bench);
}

static bool looks_like_syst(const struct snapshot *s)
{
    return s->source.looks_like && !strcmp(s->source.looks_like, "syst");
}

Test(live, bytes_of_another_dialect_are_named)
{
    struct bench bench;
    struct stream stream = {0};
    sample_find("syst")->write(&stream);
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    fake_send(&bench.fake, stream.bytes, stream.n);
    const struct snapshot *s = bench_await(&bench, looks_like_syst);
    cr_assert_not_null(strstr(s->source.detail, "--dialect syst"), "%s", s->source.detail);
    stream_fini(&stream);
    bench_fini(&bench);
}

static bool speaks_gprof(const struct snapshot *s)
{
    return !strcmp(s->source.dialect, "gprof");
}

static bool is_auto_and_connected(const struct snapshot *s)
{
    return is_connected(s) && !strcmp(s->source.dialect, "auto");
}

/* Until it is known that the device does not hear commands, it is asked as one that does. */
Test(live, a_dialect_found_out_ends_the_conversation_when_it_has_none)
{
    struct bench bench;
    struct stream stream = {0};
    sample_find("gprof")->write(&stream);
    bench_init(&bench, true);
    bench.settings.dialect = NULL;
    fake_set_deaf(&bench.fake, true);
    bench_start(&bench);
    bench_await(&bench, is_auto_and_connected);
    fake_await(&bench.fake, MP_GET_METADATA, 1);
    fake_send(&bench.fake, stream.bytes, stream.n);
    const struct snapshot *s = bench_await(&bench, speaks_gprof);
    cr_assert(s->source.listen_only);
    cr_assert(s->source.provides & PROVIDES_SAMPLES);
    cr_assert_str_eq(s->source.detail, "");
    stream_fini(&stream);
    bench_fini(&bench);
}

Test(live, a_device_is_met_while_its_dialect_is_found_out)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = NULL;
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, bench_is_profiling);
    cr_assert_str_eq(s->source.dialect, "miniprof");
    cr_assert_not(s->source.listen_only);
    bench_fini(&bench);
}

/* Nothing changes any more, so nothing is made, and the thread sleeps. */
Test(live, with_nothing_to_do_nothing_is_done)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, is_connected);
    cr_assert_null(board_wait(bench.board, s->sequence, 200));
    bench_fini(&bench);
}

Test(live, a_silent_device_cannot_hold_up_the_end_for_long)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.answer_ms = 100;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_set_deaf(&bench.fake, true);
    uint64_t before_ms = clock_monotonic_ms();
    session_stop(bench.session);
    cr_assert_lt(clock_monotonic_ms() - before_ms, BENCH_PATIENCE_MS);
    cr_assert_geq(fake_heard(&bench.fake, MP_STOP), 1);
    bench_fini(&bench);
}

static const char *name_at(const struct snapshot *snapshot, uint64_t address)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].has_address && snapshot->functions[i].address == address)
            return snapshot->functions[i].name;
    return "";
}

static bool shows_first(const struct snapshot *s)
{
    return !strcmp(name_at(s, 0x1000), "first");
}

static bool shows_second(const struct snapshot *s)
{
    return !strcmp(name_at(s, 0x1000), "second");
}

/* The file changes, then the device: names and numbers are of one program at any time. */
Test(live, a_new_program_is_named_by_its_own_symbols_from_when_it_runs)
{
    struct bench bench;
    bench_init(&bench, true);
    struct folder_path elf = folder_file(&bench.folder, "fw.elf");
    fake_set_build_id(&bench.fake, program_write(&elf, "first", 1));
    bench.settings.elf_path = elf.text;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, shows_first);
    cr_assert(s->target.has_match && s->target.elf_match);

    uint32_t id = program_write(&elf, "second", 2);
    fake_await(&bench.fake, MP_GET_STATUS, fake_heard(&bench.fake, MP_GET_STATUS) + 4);
    fake_send_rounds(&bench.fake, 10, 10000);
    s = bench_await(&bench, has_twenty_rounds);
    cr_assert(shows_first(s), "the device still runs the first");

    fake_set_build_id(&bench.fake, id);
    fake_restart(&bench.fake, true);
    s = bench_await(&bench, has_reset_and_profiles);
    fake_send_rounds(&bench.fake, 10, 0);
    s = bench_await(&bench, shows_second);
    cr_assert(s->target.has_match && s->target.elf_match);
    s = bench_await(&bench, bench_has_ten_rounds);
    cr_assert_gt(s->cleared_at, 1, "what the first did is no part of the second's profile");
    bench_fini(&bench);
}

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

Test(live, a_recording_replayed_in_a_hurry_or_at_its_pace_gives_the_same_profile)
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

Test(live, a_recording_that_cannot_go_on_does_not_stop_the_profile)
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
