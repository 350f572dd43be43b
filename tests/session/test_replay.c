/* test_replay.c - captures, from file to snapshot. */
#include "session/session.h"

#include "base/clock.h"
#include "support/folder.h"
#include "support/stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

enum { PATIENCE_MS = 120000 };

static struct session_settings settings_for(const char *spec)
{
    return (struct session_settings){
        .source = {.spec = spec, .baud = 115200},
        .dialect = dialect_find("miniprof"),
        .control = true,
    };
}

static struct session *start(const struct session_settings *settings, struct board *board)
{
    struct error err = {""};
    struct session *session = session_new(settings, board, &err);
    cr_assert_not_null(session, "%s", err.text);
    cr_assert(session_start(session, &err), "%s", err.text);
    return session;
}

static void await_end(struct session *session)
{
    struct pollfd wait = {.fd = session_ended_fd(session), .events = POLLIN};
    cr_assert_eq(poll(&wait, 1, PATIENCE_MS), 1);
}

/* Runs a capture to its end; returns its last snapshot. */
static struct snapshot *replay(const char *spec, bool with_board)
{
    struct session_settings settings = settings_for(spec);
    struct board *board = with_board ? board_new() : NULL;
    struct session *session = start(&settings, board);
    struct error err = {""};
    await_end(session);
    struct snapshot *snapshot = session_snapshot(session);
    session_stop(session);
    cr_assert(session_succeeded(session, &err), "%s", err.text);
    session_free(session);
    board_free(board);
    cr_assert_not_null(snapshot);
    return snapshot;
}

/* `rounds` times a caller (0x1000, 10 ticks) with one callee (0x2000, 4 ticks), between
 * METADATA and STATUS. */
static struct stream sample_stream(unsigned rounds)
{
    struct stream stream = {0};
    stream_metadata(&stream, &(struct mp_metadata){.mcu_clock_hz = 48000000,
                                                   .timer_hz = 1000000,
                                                   .elf_build_id = 0x1234,
                                                   .fw_version = "fw \xff\x01"});
    for (unsigned i = 0; i < rounds; i++) {
        struct mp_record records[] = {{0x2000, 100 * i + 3, 4, 1}, {0x1000, 100 * i, 10, 0}};
        stream_records(&stream, records, 2);
    }
    stream_status(&stream, &(struct mp_status){.is_profiling = 1, .records_captured = 2 * rounds});
    return stream;
}

static const struct snapshot_function *function_at(const struct snapshot *snapshot, uint64_t address)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].has_address && snapshot->functions[i].address == address)
            return &snapshot->functions[i];
    cr_assert_fail("no function at 0x%llx", (unsigned long long)address);
    return NULL;
}

static void expect_rounds(const struct snapshot *snapshot, unsigned rounds)
{
    const struct snapshot_function *caller = function_at(snapshot, 0x1000),
                                   *callee = function_at(snapshot, 0x2000);
    cr_assert_eq(caller->calls, rounds);
    cr_assert_eq(callee->calls, rounds);
    cr_assert_eq(caller->total_ticks, 10 * rounds);
    cr_assert_eq(caller->self_ticks, 6 * rounds);
    cr_assert_eq(callee->self_ticks, 4 * rounds);
    cr_assert_eq(snapshot->link.records, 2 * rounds);
    cr_assert_eq(snapshot->link.unplaced_calls, 0);
}

static void replay_sample(unsigned rounds, bool with_board)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    struct stream stream = sample_stream(rounds);
    folder_write(&capture, stream.bytes, stream.n);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct snapshot *snapshot = replay(spec, with_board);
    expect_rounds(snapshot, rounds);
    cr_assert_eq(snapshot->link.bytes, stream.n);
    cr_assert_eq(snapshot->link.packets, rounds + 2);
    cr_assert_eq(snapshot->link.crc_errors + snapshot->link.framing_errors + snapshot->link.bytes_skipped, 0);
    cr_assert_str_eq(snapshot->link.header_order, "AA 55");
    cr_assert_str_eq(snapshot->link.crc_init, "0xFFFF");
    cr_assert_eq(snapshot->link.target_resets, 0);
    cr_assert_eq(snapshot->source.state, STATE_ENDED);
    cr_assert_str_eq(snapshot->source.detail, "");
    cr_assert_str_eq(snapshot->source.port, spec);
    cr_assert(snapshot->source.listen_only, "there is nobody to talk to");
    cr_assert(snapshot->target.has_metadata && snapshot->target.has_status);
    cr_assert_eq(snapshot->target.mcu_clock_hz, 48000000);
    cr_assert_eq(snapshot->target.ticks_per_second, 1000000);
    cr_assert_eq(snapshot->target.elf_build_id, 0x1234);
    cr_assert_eq(snapshot->target.records_captured, 2 * rounds);
    cr_assert_not(snapshot->target.has_match, "there is no ELF to compare with");
    snapshot_unref(snapshot);
    stream_fini(&stream);
    folder_free(&folder);
}

Test(replay, a_capture_comes_out_exactly)
{
    replay_sample(3, false);
}

Test(replay, a_capture_with_readers_waiting_comes_out_exactly)
{
    replay_sample(3, true);
}

Test(replay, a_capture_longer_than_one_read_comes_out_exactly)
{
    replay_sample(50000, true);
}

Test(replay, names_from_the_wire_are_valid_text)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    struct stream stream = sample_stream(1);
    folder_write(&capture, stream.bytes, stream.n);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct snapshot *snapshot = replay(spec, false);
    cr_assert_str_eq(snapshot->target.fw_version, "fw \xef\xbf\xbd\x01");
    snapshot_unref(snapshot);
    stream_fini(&stream);
    folder_free(&folder);
}

/* METADATA is repeated between a call and another, `after`, one level above. Expects the number of calls shown below
 * `after`, and of restarts. */
static void expect_metadata_between(struct mp_record after, unsigned calls_below, unsigned restarts)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    const struct mp_metadata metadata = {.timer_hz = 1000000};
    struct stream stream = {0};
    stream_metadata(&stream, &metadata);
    stream_records(&stream, &(struct mp_record){0x2000, 200, 100, 2}, 1);
    stream_status(&stream, &(struct mp_status){.is_profiling = 1, .records_captured = 1});
    stream_metadata(&stream, &metadata);
    stream_records(&stream, &after, 1);
    stream_status(&stream, &(struct mp_status){.is_profiling = 1, .records_captured = restarts ? 1 : 2});
    folder_write(&capture, stream.bytes, stream.n);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct snapshot *snapshot = replay(spec, false);
    cr_expect_eq(function_at(snapshot, 0x1000)->self_ticks,
                 after.duration - (calls_below ? function_at(snapshot, 0x2000)->total_ticks : 0));
    cr_expect_eq(snapshot->link.target_resets, restarts);
    cr_expect_eq(snapshot->link.out_of_order, 0);
    snapshot_unref(snapshot);
    stream_fini(&stream);
    folder_free(&folder);
}

Test(replay, metadata_that_the_recording_daemon_asked_for_is_no_restart)
{
    expect_metadata_between((struct mp_record){0x1000, 100, 900, 1}, 1, 0);
    expect_metadata_between((struct mp_record){0x1000, 10, 90, 1}, 0, 1);
}

Test(replay, a_read_error_is_reported)
{
    struct session_settings settings =
        settings_for("file:/proc/self/mem"); /* opens, and cannot be read at 0 */
    struct session *session = start(&settings, NULL);
    struct error err = {""};
    await_end(session);
    session_stop(session);
    cr_assert_not(session_succeeded(session, &err));
    cr_assert(strstr(err.text, "/proc/self/mem"), "%s", err.text);
    struct snapshot *snapshot = session_snapshot(session);
    cr_assert_eq(snapshot->source.state, STATE_ENDED);
    cr_assert_str_eq(snapshot->source.detail, err.text);
    snapshot_unref(snapshot);
    session_free(session);
}

Test(replay, an_empty_capture_ends_too)
{
    struct snapshot *snapshot = replay("file:/dev/null", false);
    cr_assert_eq(snapshot->source.state, STATE_ENDED);
    cr_assert_eq(snapshot->link.bytes, 0);
    cr_assert_null(snapshot->link.header_order);
    cr_assert_not(snapshot->target.has_metadata);
    snapshot_unref(snapshot);
}

Test(replay, damage_is_counted_and_the_rest_kept)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    struct stream stream = sample_stream(100);
    stream.bytes[stream.n / 2] ^= 0x40;
    folder_write(&capture, stream.bytes, stream.n);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct snapshot *snapshot = replay(spec, false);
    cr_assert_eq(snapshot->link.records, 198);
    cr_assert_eq(function_at(snapshot, 0x1000)->calls, 99);
    cr_assert_gt(snapshot->link.crc_errors + snapshot->link.framing_errors, 0);
    cr_assert_gt(snapshot->link.bytes_skipped, 0);
    struct snapshot_gap gaps[SNAPSHOT_GAPS_MAX];
    uint64_t from, to;
    cr_assert(snapshot_timeline_range(snapshot, &from, &to));
    cr_assert_eq(snapshot_gaps(snapshot, from, to, gaps), 1, "the timeline shows where");
    cr_assert(gaps[0].from_ticks > from && gaps[0].from_ticks < gaps[0].to_ticks && gaps[0].to_ticks < to);
    snapshot_unref(snapshot);
    stream_fini(&stream);
    folder_free(&folder);
}

Test(replay, records_of_a_malformed_packet_count_as_lost)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    uint8_t payload[MP_PROFILE_DATA_HEAD + 2 * MP_RECORD_SIZE] = {MP_PROFILE_DATA_V1, 200};
    struct stream stream = sample_stream(1);
    stream_packet(&stream, MP_PROFILE_DATA, payload, sizeof payload);
    folder_write(&capture, stream.bytes, stream.n);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct snapshot *snapshot = replay(spec, false);
    cr_assert_eq(snapshot->link.malformed, 1);
    cr_assert_eq(snapshot->link.records_lost, 2);
    cr_assert_eq(snapshot->link.records, 2);
    snapshot_unref(snapshot);
    stream_fini(&stream);
    folder_free(&folder);
}

Test(replay, standard_input_is_a_capture_too)
{
    int ends[2];
    struct stream stream = sample_stream(2);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_geq(dup2(ends[0], STDIN_FILENO), 0);
    close(ends[0]);
    cr_assert_eq(write(ends[1], stream.bytes, stream.n), (ssize_t)stream.n);
    close(ends[1]);
    struct snapshot *snapshot = replay("-", false);
    expect_rounds(snapshot, 2);
    snapshot_unref(snapshot);
    stream_fini(&stream);
}

Test(replay, bad_settings_are_reported_before_the_start)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture"), text = folder_file(&folder, "text");
    folder_write(&capture, "", 0);
    folder_write(&text, "no ELF", 6);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct session_settings good = settings_for(spec);
    struct error err = {""};

    struct session_settings settings = good;
    settings.source.spec = "nonsense";
    cr_assert_null(session_new(&settings, NULL, &err));
    cr_assert(strstr(err.text, "nonsense"), "%s", err.text);

    settings = good;
    settings.source.spec = "file:/nowhere/at/all";
    cr_assert_null(session_new(&settings, NULL, &err));
    cr_assert(strstr(err.text, "/nowhere/at/all"), "%s", err.text);

    settings = good;
    struct elf_list elfs = {.n = 0};
    cr_assert(elf_list_add(&elfs, text.text, &err));
    settings.elfs = &elfs;
    cr_assert_null(session_new(&settings, NULL, &err));
    cr_assert(strstr(err.text, text.text), "%s", err.text);

    settings = good;
    settings.source.speed = 1;
    cr_assert_null(session_new(&settings, NULL, &err));
    cr_assert(strstr(err.text, "--speed"), "%s", err.text);

    settings = good;
    settings.record_path = "/nowhere/at/all";
    cr_assert_null(session_new(&settings, NULL, &err));
    cr_assert(strstr(err.text, "/nowhere/at/all"), "%s", err.text);

    settings = good;
    settings.record_path = capture.text;
    cr_assert_null(session_new(&settings, NULL, &err));
    cr_assert(strstr(err.text, "being read"), "%s", err.text);

    settings = good;
    struct dialect_setting option = {"time_unit", "fortnights"};
    settings.dialect_settings = (struct dialect_settings){.settings = &option, .n = 1};
    cr_assert_null(session_new(&settings, NULL, &err));
    cr_assert(strstr(err.text, "fortnights"), "%s", err.text);
    folder_free(&folder);
}

Test(replay, orders_are_answered_after_the_end)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    struct stream stream = sample_stream(5);
    folder_write(&capture, stream.bytes, stream.n);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct session_settings settings = settings_for(spec);
    struct board *board = board_new();
    struct session *session = start(&settings, board);
    await_end(session);
    struct mailbox *mailbox = session_mailbox(session);

    struct snapshot *snapshot = session_snapshot(session);
    struct snapshot_histogram histogram;
    cr_assert(snapshot_histogram(snapshot, (uint32_t)(function_at(snapshot, 0x1000) - snapshot->functions),
                                 &histogram));
    cr_assert_eq(histogram.n, 1);
    cr_assert_eq(histogram.buckets[0].count, 5);
    free(histogram.buckets);
    struct order order = {.kind = ORDER_COMMAND, .command = MP_START};
    cr_assert_eq(mailbox_ask(mailbox, &order), ORDER_NO_DEVICE);

    uint64_t before = snapshot->sequence;
    snapshot_unref(snapshot);
    order = (struct order){.kind = ORDER_CLEAR};
    cr_assert_eq(mailbox_ask(mailbox, &order), ORDER_DONE);
    for (bool cleared = false; !cleared;) {
        struct snapshot *after = board_wait(board, before, PATIENCE_MS, NULL);
        cr_assert_not_null(after);
        cleared = after->cleared_at > 1;
        before = after->sequence;
        snapshot_unref(after);
    }

    session_stop(session);
    order = (struct order){.kind = ORDER_CLEAR};
    cr_assert_eq(mailbox_ask(mailbox, &order), ORDER_CLOSED);
    session_free(session);
    board_free(board);
    stream_fini(&stream);
    folder_free(&folder);
}

Test(replay, a_session_that_was_never_started_can_be_freed)
{
    struct session_settings settings = settings_for("file:/dev/null");
    struct error err = {""};
    struct session *session = session_new(&settings, NULL, &err);
    cr_assert_not_null(session);
    cr_assert_null(session_snapshot(session));
    session_stop(session);
    session_free(session);
    session_free(NULL);
}

Test(replay, a_recording_has_its_time_of_writing)
{
    static const struct timespec written[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000, .tv_nsec = 5}};
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    char spec[sizeof capture.text + 8];
    struct stream stream = {0};
    stream_records(&stream, &(struct mp_record){0x1000, 5, 2, 0}, 1);
    FILE *file = fopen(capture.text, "wb");
    cr_assert(file && fwrite(stream.bytes, 1, stream.n, file) == stream.n && fclose(file) == 0);
    stream_fini(&stream);
    cr_assert_eq(utimensat(AT_FDCWD, capture.text, written, 0), 0);
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct snapshot *snapshot = replay(spec, false);
    cr_assert_eq(snapshot->captured_at_wall_ns, UINT64_C(1700000000000000005));
    snapshot_unref(snapshot);
    folder_free(&folder);
}

/* ---- when its bytes came ---- */

/* Replays two calls of 0x100, `minutes` apart in the target's time and by the pace file; without the latter their
 * distance is unknown. */
static struct snapshot *replay_silence(uint64_t minutes, bool has_pace)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "capture"), pace = folder_file(&folder, "capture.pace");
    struct stream stream = {0};
    uint64_t us = minutes * 60000000;
    char text[160], spec[sizeof path.text + 8];
    stream_metadata(&stream, &(struct mp_metadata){.timer_hz = 1000000});
    stream_records(&stream, &(struct mp_record){0x100, 5, 10, 0}, 1);
    size_t first = stream.n;
    stream_records(&stream, &(struct mp_record){0x100, (uint32_t)(5 + us), 10, 0}, 1);
    snprintf(text, sizeof text, "miniprofd-pace 1\n0 %zu\n%llu %zu\n", first, (unsigned long long)us,
             stream.n);
    snprintf(spec, sizeof spec, "file:%s", path.text);
    folder_write(&path, stream.bytes, stream.n);
    if (has_pace)
        folder_write(&pace, text, strlen(text));
    struct snapshot *snapshot = replay(spec, false);
    stream_fini(&stream);
    folder_free(&folder);
    return snapshot;
}

Test(replay, a_silence_of_forty_minutes_is_timed_by_arrival)
{
    for (uint64_t minutes = 1; minutes < 200; minutes += 13) {
        struct snapshot *snapshot = replay_silence(minutes, true);
        cr_expect_eq(snapshot->link.out_of_order, 0, "%llu minutes", (unsigned long long)minutes);
        cr_expect_eq(function_at(snapshot, 0x100)->period_max_ticks, minutes * 60000000, "%llu minutes",
                     (unsigned long long)minutes);
        snapshot_unref(snapshot);
    }
    struct snapshot *snapshot = replay_silence(40, false);
    cr_expect_eq(snapshot->link.out_of_order, 1);
    snapshot_unref(snapshot);
}
