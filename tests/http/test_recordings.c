/* test_recordings.c - recordings of this run are listed, and opened beside the live session. */
#include "answer.h"
#include "own_site.h"

#include "handoff/replay.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

/* A fake reader of recordings: each is a snapshot of `calls` calls, of sequence 0. */
struct reader {
    uint64_t calls;
    char path[600];
    size_t limits_n;
};

static struct snapshot *read_made_recording(const void *user, const struct replay_order *order,
                                            struct error *err)
{
    struct reader *reader = (struct reader *)(uintptr_t)user;
    snprintf(reader->path, sizeof reader->path, "%s", order->path);
    reader->limits_n = order->limits_n;
    if (reader->calls == 0) {
        error_set(err, "There is nothing in it.");
        return NULL;
    }
    struct profile *profile = profile_new(NULL);
    for (uint64_t i = 0; i < reader->calls; i++)
        profile_apply(
            profile,
            &(struct event){.kind = EVENT_CALL, .ticks = 10 * i, .call = {.address = 8, .duration = 5}}, 1);
    profile_finish(profile);
    struct snapshot *snapshot = profile_freeze(profile, &fixture.source, &fixture.target, &fixture.link);
    snapshot->sequence = 0;
    profile_free(profile);
    return snapshot;
}

static struct reader reader;
static const struct replay replay = {read_made_recording, &reader};

static void open_site_with_recordings(void)
{
    open_site();
    fixture.site.settings.replay = &replay;
    struct snapshot_keeping *keeping = &fixture.source.keeping;
    snprintf(keeping->dir, sizeof keeping->dir, "/kept");
    keeping->count = 2;
    keeping->rows[0] = (struct snapshot_keeping_row){.name = "breach-1.bin", .bytes = 70, .limit = 3};
    keeping->rows[1] = (struct snapshot_keeping_row){.name = "breach-2.bin", .limit = 3, .is_open = true};
    fixture_publish(&fixture);
}

TestSuite(recordings, .init = open_site_with_recordings, .fini = close_site);

static uint64_t open_recording(const char *body, unsigned expected)
{
    struct request extra = {.content_type = "application/json", .body = body, .body_n = strlen(body)};
    struct jsonio *answer = fixture_json(&fixture, "POST", "/api/v1/recordings/open", &extra, &status);
    cr_assert_eq(status, expected, "%s: %u", body, status);
    uint64_t id = status == 200 ? answer_number(jsonio_member(answer, "pause")) : 0;
    jsonio_free(answer);
    return id;
}

static uint64_t calls_of_pause(uint64_t id)
{
    char target[64];
    snprintf(target, sizeof target, "/api/v1/snapshot?pause=%" PRIu64, id);
    struct jsonio *snapshot = get(target);
    cr_assert_eq(status, 200);
    uint64_t calls =
        answer_number(jsonio_member(jsonio_at(jsonio_member(snapshot, "functions"), 0), "calls"));
    jsonio_free(snapshot);
    return calls;
}

Test(recordings, each_is_shown_as_it_is_though_all_have_one_sequence)
{
    reader.calls = 3;
    uint64_t first = open_recording("{\"path\": \"/kept/breach-1.bin\"}", 200);
    cr_expect_str_eq(reader.path, "/kept/breach-1.bin");
    reader.calls = 5;
    uint64_t second = open_recording("{\"path\": \"/kept/breach-2.bin\"}", 200);
    cr_expect_eq(calls_of_pause(first), 3);
    cr_expect_eq(calls_of_pause(second), 5);
    cr_expect_eq(calls_of_pause(first), 3);
}

Test(recordings, ended_recordings_are_listed_up_to_a_limit)
{
    for (int i = 0; i < RECORDED_MOST + 2; i++) {
        struct snapshot_recording recording = {.bytes = (uint64_t)i};
        snprintf(recording.path, sizeof recording.path, "/tmp/%d.bin", i);
        recorded_add(&fixture.site.recorded, &recording);
    }
    struct jsonio *list = get("/api/v1/recordings");
    const struct jsonio *rows = jsonio_member(list, "recordings");
    cr_assert_eq(jsonio_count(rows), RECORDED_MOST + 2);
    cr_expect_str_eq(jsonio_text(jsonio_member(jsonio_at(rows, 0), "path")), "/tmp/17.bin");
    cr_expect(jsonio_is_null(jsonio_member(jsonio_at(rows, 0), "limit")));
    const struct jsonio *kept = jsonio_at(rows, RECORDED_MOST);
    cr_expect_str_eq(jsonio_text(jsonio_member(kept, "path")), "/kept/breach-2.bin");
    cr_expect(jsonio_is_null(jsonio_member(kept, "bytes")), "more comes");
    cr_expect_eq(answer_number(jsonio_member(kept, "limit")), 3);
    jsonio_free(list);
    reader.calls = 1;
    open_recording("{\"path\": \"/tmp/17.bin\"}", 200);
    open_recording("{\"path\": \"/tmp/0.bin\"}", 404);
}

Test(recordings, only_listed_files_are_read_and_failures_reported)
{
    reader = (struct reader){.calls = 1};
    static const char *const wrong[] = {"", "[]", "{}", "{\"path\": 1}",
                                        "{\"path\": \"/kept/breach-1.bin\", \"x\": 1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        open_recording(wrong[i], 400);
    open_recording("{\"path\": \"/etc/passwd\"}", 404);
    open_recording("{\"path\": \"/kept/../etc/passwd\"}", 404);
    cr_expect_str_eq(reader.path, "", "nothing was read");
    reader.calls = 0;
    open_recording("{\"path\": \"/kept/breach-1.bin\"}", 500);
    atomic_store(&fixture.site.replays, 1); /* another one is being read */
    open_recording("{\"path\": \"/kept/breach-1.bin\"}", 503);
    atomic_store(&fixture.site.replays, 0);
    fixture.site.settings.replay = NULL;
    open_recording("{\"path\": \"/kept/breach-1.bin\"}", 409);
}
