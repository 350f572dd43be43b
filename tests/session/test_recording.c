/* test_recording.c - recordings by order can be replayed, wherever in the stream they began. */
#include "session/session.h"

#include "base/clock.h"
#include "bench.h"
#include "contract/samples.h"
#include "pieces.h"
#include "session/decoder.h"
#include "recording/parts.h"
#include "recording/recording.h"
#include "support/effort.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ONE_PACKET = 22 };

/* The distance of the offsets at which streams are cut. That uses one thread, so ThreadSanitizer, which takes a
 * hundred times as long, need not try every offset. */
#ifdef __SANITIZE_THREAD__
enum { CUT_STEP = 13 };
#else
enum { CUT_STEP = 1 };
#endif

static struct order order; /* the last order and its answer */

/* No commands are sent after the start, so that every recorded byte is known. */
static void quiet_bench(struct bench *bench)
{
    bench_init(bench, true);
    bench->settings.timing =
        (struct session_timing){.update_ms = 5, .idle_ms = 10, .gather_ms = 1, .record_flush_ms = 10};
}

static enum order_result ask(struct bench *bench, enum order_kind kind)
{
    order = (struct order){.kind = kind};
    return mailbox_ask(session_mailbox(bench->session), &order);
}

static bool has_fifteen_rounds(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 15;
}

static bool is_recording(const struct snapshot *s)
{
    return *s->source.recording.path && !*s->source.recording.failure;
}

static bool is_not_recording(const struct snapshot *s)
{
    return !*s->source.recording.path;
}

static bool broke_off(const struct snapshot *s)
{
    return *s->source.recording.failure;
}

static uint64_t size_of(const char *path)
{
    struct stat info;
    cr_assert_eq(stat(path, &info), 0, "%s", path);
    return (uint64_t)info.st_size;
}

Test(recording, a_recording_begun_later_replays_what_followed)
{
    struct bench bench;
    quiet_bench(&bench);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);

    cr_assert_eq(ask(&bench, ORDER_RECORD_END), ORDER_REFUSED);
    cr_assert_str_eq(order.why.text, "Nothing is being recorded.");
    uint64_t before_ns = clock_wall_ns();
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_DONE, "%s", order.why.text);
    struct snapshot_recording begun = order.recording;
    cr_assert_eq(strncmp(begun.path, bench.recordings.path, strlen(bench.recordings.path)), 0);
    cr_assert(begun.since_wall_ns >= before_ns && begun.since_wall_ns <= clock_wall_ns());
    cr_assert_str_eq(bench_await(&bench, is_recording)->source.recording.path, begun.path);
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_REFUSED, "one at a time");
    cr_assert(strstr(order.why.text, begun.path), "%s", order.why.text);

    fake_send_rounds(&bench.fake, 5, 100000);
    bench_await(&bench, has_fifteen_rounds);
    cr_assert_eq(ask(&bench, ORDER_RECORD_END), ORDER_DONE, "%s", order.why.text);
    struct snapshot_recording ended = order.recording;
    cr_assert_str_eq(ended.path, begun.path);
    cr_assert_gt(ended.bytes, begun.bytes);
    cr_assert_eq(size_of(ended.path), ended.bytes);
    bench_await(&bench, is_not_recording);
    cr_assert_eq(ask(&bench, ORDER_RECORD_END), ORDER_REFUSED);

    for (int paced = 0; paced < 2; paced++) {
        struct snapshot *snapshot = bench_replay(ended.path, paced);
        cr_assert_eq(bench_calls_of(snapshot, 0x1000), 5);
        cr_assert_str_eq(snapshot->target.fw_version, "fake", "who it was is known from the first byte on");
        cr_assert_eq(snapshot->target.ticks_per_second, 1000000);
        cr_assert_eq(snapshot->link.target_resets, 0);
        cr_assert_eq(snapshot->link.bytes, ended.bytes);
        cr_assert_eq(snapshot->link.bytes_skipped, 0);
        snapshot_unref(snapshot);
    }
    bench_fini(&bench);
}

static uint64_t bytes_to_await;

static bool has_those_bytes(const struct snapshot *s)
{
    return s->link.bytes >= bytes_to_await;
}

/* Not controlled, so that nothing but these bytes comes. */
Test(recording, a_packet_that_was_cut_in_two_is_left_out)
{
    struct bench bench;
    quiet_bench(&bench);
    bench.settings.control = false;
    bench.settings.timing.idle_ms = 60000;
    bench_start(&bench);
    struct mp_record record = {.address = 0x1000, .start = 100, .duration = 10};
    struct stream stream = {0};
    stream_metadata(&stream, &(struct mp_metadata){48000000, 1000000, 0x1234, "cut"});
    size_t cut = stream.n + 9;
    stream_records(&stream, &record, 1);
    record.start = 200;
    stream_records(&stream, &record, 1);
    fake_send(&bench.fake, stream.bytes, cut);
    bytes_to_await = cut;
    bench_await(&bench, has_those_bytes);
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_DONE);
    fake_send(&bench.fake, stream.bytes + cut, stream.n - cut);
    bytes_to_await = stream.n;
    bench_await(&bench, has_those_bytes);
    cr_assert_eq(ask(&bench, ORDER_RECORD_END), ORDER_DONE);

    struct snapshot *snapshot = bench_replay(order.recording.path, 0);
    cr_assert_eq(bench_calls_of(snapshot, 0x1000), 1);
    cr_assert_str_eq(snapshot->target.fw_version, "cut");
    cr_assert_eq(snapshot->target.elf_build_id, 0x1234);
    cr_assert_gt(snapshot->link.bytes_skipped, 0);
    snapshot_unref(snapshot);
    stream_fini(&stream);
    bench_fini(&bench);
}

enum { CALLS_IN_PARTS = 80000, CALLS_A_PACKET = 13 };

/* Writes METADATA once, then calls, about 1.2 MB. */
static void write_many_calls(struct stream *stream)
{
    struct mp_record records[CALLS_A_PACKET];
    stream_metadata(stream, &(struct mp_metadata){48000000, 1000000, 0x1234, "parts"});
    for (uint32_t call = 0; call < CALLS_IN_PARTS;) {
        size_t n = 0;
        for (; n < CALLS_A_PACKET && call < CALLS_IN_PARTS; n++, call++)
            records[n] = (struct mp_record){.address = 0x1000, .start = 100 * call, .duration = 10};
        stream_records(stream, records, n);
    }
}

/* Replays it alone, at full speed and at its pace; returns its calls. */
static uint64_t calls_in_part(const char *path)
{
    uint64_t calls[2];
    for (int paced = 0; paced < 2; paced++) {
        struct snapshot *snapshot = bench_replay(path, paced ? 1000 : 0);
        calls[paced] = bench_calls_of(snapshot, 0x1000);
        cr_assert_str_eq(snapshot->target.fw_version, "parts", "%s", path);
        cr_assert_eq(snapshot->target.ticks_per_second, 1000000);
        snapshot_unref(snapshot);
    }
    cr_assert(calls[0] == calls[1] && calls[0] > 0, "%s", path);
    return calls[0];
}

static struct folder_path part_of(const struct folder *folder, unsigned part)
{
    char name[16];
    snprintf(name, sizeof name, part ? "recording.%u" : "recording", part);
    return folder_file(folder, name);
}

/* Returns the calls in all parts of the recording in the folder; expects at least `least` parts. */
static uint64_t calls_in_parts(const struct folder *folder, unsigned least)
{
    uint64_t calls = 0;
    for (unsigned part = 0;; part++) {
        struct folder_path one = part_of(folder, part);
        if (access(one.text, F_OK) != 0) {
            cr_assert_geq(part, least);
            return calls;
        }
        calls += calls_in_part(one.text);
    }
}

/* Not controlled, so that nothing but these bytes comes. */
Test(recording, each_part_is_readable_alone_and_no_packet_is_lost_between_two)
{
    struct bench bench;
    quiet_bench(&bench);
    struct folder_path path = folder_file(&bench.folder, "recording");
    bench.settings.record_path = path.text;
    bench.settings.record_most = 2 * RECORDER_LEAST;
    bench.settings.control = false;
    bench.settings.timing.idle_ms = 60000;
    bench_start(&bench);
    struct stream stream = {0};
    write_many_calls(&stream);
    fake_send(&bench.fake, stream.bytes, stream.n);
    bytes_to_await = stream.n;
    bench_await(&bench, has_those_bytes);
    session_stop(bench.session);
    struct error err = {""};
    cr_assert(session_recorded(bench.session, &err), "%s", err.text);
    cr_assert_eq(calls_in_parts(&bench.folder, 4), CALLS_IN_PARTS);
    stream_fini(&stream);
    bench_fini(&bench);
}

/* A read may be larger than a part. */
Test(recording, parts_are_cut_where_they_are_full_however_much_a_read_brings)
{
    enum { READS = 800 * 1024 / INGEST_BUFFER_SIZE };
    size_t sizes[READS];
    for (size_t i = 0; i < READS; i++)
        sizes[i] = INGEST_BUFFER_SIZE;
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    struct stream stream = {0};
    write_many_calls(&stream);
    cr_assert_geq(stream.n, (size_t)READS * INGEST_BUFFER_SIZE);
    struct pieces pieces = {.bytes = stream.bytes, .sizes = sizes, .count = READS};
    pieces_take(&pieces, &(struct session_settings){.record_path = path.text, .record_most = RECORDER_LEAST});
    cr_assert_eq(calls_in_parts(&folder, 7), pieces.records);
    for (unsigned part = 0; part < 7; part++) {
        struct folder_path one = part_of(&folder, part);
        struct stat about;
        cr_assert_eq(stat(one.text, &about), 0);
        cr_assert_leq(about.st_size, RECORDER_LEAST / PARTS_MOST, "%s takes %jd bytes", one.text,
                      (intmax_t)about.st_size);
    }
    stream_fini(&stream);
    folder_free(&folder);
}

static void ignore(void *user, const struct event *events, size_t n) {}

static uint64_t records_of(const struct dialect *dialect, const uint8_t *bytes, size_t n)
{
    struct error err = {""};
    struct decoder *decoder = decoder_new(dialect, NULL, &(struct event_out){ignore, NULL}, &err);
    cr_assert_not_null(decoder, "%s", err.text);
    decoder_feed(decoder, bytes, n);
    decoder_finish(decoder);
    uint64_t records = decoder_records(decoder);
    decoder_free(decoder);
    return records;
}

/* A cut loses only the packet, record or line in which it lies. */
Test(recording, every_dialect_can_join_a_running_stream)
{
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {0};
        samples[i].write(&stream);
        const struct dialect *dialect = dialect_find(samples[i].id);
        uint64_t whole = records_of(dialect, stream.bytes, stream.n);
        for (size_t from = 1; from < stream.n; from += test_effort(17, 1) * CUT_STEP) {
            uint64_t rest = records_of(dialect, stream.bytes + from, stream.n - from);
            uint64_t share = whole * (stream.n - from) / stream.n;
            cr_assert(rest + ONE_PACKET >= share, "%s from byte %zu on: %llu of %llu", dialect->id, from,
                      (unsigned long long)rest, (unsigned long long)whole);
        }
        stream_fini(&stream);
    }
}

/* Expects the recording's error when the disk is full. */
static void expect_break(struct bench *bench)
{
    fake_send_rounds(&bench->fake, 10, 0);
    const struct snapshot *snapshot = bench_await(bench, broke_off);
    cr_assert(strstr(snapshot->source.recording.failure, "the profile goes on"), "%s",
              snapshot->source.recording.failure);
    bench_await(bench, bench_has_ten_rounds);
}

/* A limit on the size of files stands for a full disk. */
Test(recording, a_failed_recording_is_shown_until_it_is_ended)
{
    struct bench bench;
    quiet_bench(&bench);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    struct rlimit before, none;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    none = (struct rlimit){0, before.rlim_max};
    cr_assert_eq(ask(&bench, ORDER_RECORD),
                 ORDER_DONE); /* with the file created, which a full disk may refuse */
    setrlimit(RLIMIT_FSIZE, &none);
    expect_break(&bench);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_assert_eq(ask(&bench, ORDER_RECORD_END), ORDER_FAILED);
    cr_assert(strstr(order.why.text, "the profile goes on"), "%s", order.why.text);
    bench_await(&bench, is_not_recording);
    cr_assert_eq(ask(&bench, ORDER_RECORD_END), ORDER_REFUSED, "it was reported once");
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_DONE, "there is room again");
    session_stop(bench.session);
    struct error err = {""};
    cr_assert(session_recorded(bench.session, &err), "nobody asked for it at the start: %s", err.text);
    bench_fini(&bench);
}

Test(recording, one_asked_for_at_the_start_is_shown_and_missed_when_it_breaks_off)
{
    struct bench bench;
    quiet_bench(&bench);
    struct folder_path path = folder_file(&bench.folder, "recording");
    cr_assert_eq(symlink("/dev/full", path.text), 0);
    bench.settings.record_path = path.text;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    expect_break(&bench);
    session_stop(bench.session);
    struct snapshot *last = session_snapshot(bench.session);
    cr_assert(broke_off(last), "the last snapshot reports it, too");
    snapshot_unref(last);
    struct error err = {""};
    cr_assert_not(session_recorded(bench.session, &err));
    cr_assert(strstr(err.text, path.text), "%s", err.text);
    bench_fini(&bench);
}

Test(recording, one_asked_for_at_the_start_is_ended_by_an_order_and_another_begun)
{
    struct bench bench;
    quiet_bench(&bench);
    struct folder_path path = folder_file(&bench.folder, "recording");
    bench.settings.record_path = path.text;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_REFUSED);
    cr_assert_eq(ask(&bench, ORDER_RECORD_END), ORDER_DONE);
    cr_assert_str_eq(order.recording.path, path.text);
    cr_assert_eq(size_of(path.text), order.recording.bytes);
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_DONE);
    cr_assert_neq(strcmp(order.recording.path, path.text), 0);
    session_stop(bench.session);
    struct error err = {""};
    cr_assert(session_recorded(bench.session, &err), "%s", err.text);
    bench_fini(&bench);
}

Test(recording, an_unusable_folder_is_reported_at_start_or_on_request)
{
    struct bench bench;
    quiet_bench(&bench);
    struct folder gone = folder_new();
    struct folder_path file = folder_file(&bench.folder, "file");
    folder_write(&file, "x", 1);
    const char *const wrong[] = {"/nowhere/at/all", file.text};
    for (size_t i = 0; i < 2; i++) {
        struct error err = {""};
        bench.settings.record_dir = wrong[i];
        cr_assert_null(session_new(&bench.settings, bench.board, &err));
        cr_assert(strstr(err.text, wrong[i]), "%s", err.text);
    }
    bench.settings.record_dir = gone.path;
    bench_start(&bench);
    folder_free(&gone);
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_FAILED);
    cr_assert(strstr(order.why.text, gone.path), "%s", order.why.text);
    bench_fini(&bench);
}

Test(recording, a_deleted_working_directory_fails_only_when_recording)
{
    struct folder gone = folder_new();
    int before = open(".", O_RDONLY | O_DIRECTORY);
    cr_assert(before >= 0 && chdir(gone.path) == 0);
    folder_free(&gone);
    struct recording recording;
    struct error err = {""};
    bool is_ready = recording_init(&recording, NULL, &(struct recorder_terms){0}, &err);
    cr_expect_eq(fchdir(before), 0);
    close(before);
    cr_assert(is_ready, "%s", err.text);
    cr_assert_str_eq(recording.dir, ".", "nobody has asked for a recording yet");
    recording_fini(&recording);
}

Test(recording, a_file_is_not_recorded)
{
    struct bench bench;
    quiet_bench(&bench);
    struct folder_path capture = folder_file(&bench.folder, "capture");
    folder_write(&capture, "x", 1);
    char spec[160];
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    bench.settings.source.spec = spec;
    bench_start(&bench);
    cr_assert_eq(ask(&bench, ORDER_RECORD), ORDER_REFUSED);
    cr_assert(strstr(order.why.text, capture.text), "%s", order.why.text);
    bench_fini(&bench);
}
