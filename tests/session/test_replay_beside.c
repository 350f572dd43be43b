/* test_replay_beside.c - a recording that is read beside a live session: to its end, or not at all. */
#include "session/session.h"

#include "support/folder.h"
#include "support/stream.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static const struct session_settings live = {.source = {.spec = "unix:/none"}};

static struct snapshot *replay(const char *path, struct board *board, uint32_t most_ms, struct error *err)
{
    struct bound limit;
    cr_assert(bound_parse("0x1000:max<5us", &limit, err));
    const struct replay_order order = {
        .path = path, .limits = &limit, .limits_n = 1, .board = board, .most_ms = most_ms};
    return session_replay(&live, &order, err);
}

Test(replay_beside, a_recording_is_read_whole_and_checked_against_limits)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "a.bin");
    struct stream stream = {0};
    struct error err = {""};
    struct board *board = board_new();
    stream_metadata(&stream, &(struct mp_metadata){.mcu_clock_hz = 1000000, .timer_hz = 1000000});
    for (uint32_t i = 0; i < 20; i++) {
        struct mp_record record = {0x1000, 100 * i, i < 3 ? 10 : 2, 0};
        stream_records(&stream, &record, 1);
    }
    folder_write(&path, stream.bytes, stream.n);
    struct snapshot *snapshot = replay(path.text, board, 60000, &err);
    cr_assert_not_null(snapshot, "%s", err.text);
    cr_expect_eq(snapshot->sequence, 0);
    cr_expect_eq(snapshot->link.records, 20);
    cr_assert_eq(snapshot->bounds.count, 1);
    cr_expect_eq(snapshot->bounds.rows[0].breaches, 3);
    cr_expect_null(board_read(board), "the board is the live session's");
    snapshot_unref(snapshot);
    stream_fini(&stream);
    board_free(board);
    folder_free(&folder);
}

static void expect_refused(const char *path, struct board *board, uint32_t most_ms, const char *words)
{
    struct error err = {""};
    cr_expect_null(replay(path, board, most_ms, &err));
    cr_expect(strstr(err.text, words) != NULL, "%s", err.text);
}

Test(replay_beside, unreadable_and_endless_recordings_are_refused)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "a.bin"), pipe = folder_file(&folder, "pipe");
    struct board *board = board_new();
    expect_refused(path.text, board, 60000, "No such file");
    expect_refused(folder.path, board, 60000, "is a folder");
    folder_write(&path, "", 0);
    expect_refused(path.text, board, 60000, "is empty, so there is no profile");
    folder_write(&path, "hello, world, this is no profile at all\n", 40);
    expect_refused(path.text, board, 60000, "there is no profile");
    cr_assert_eq(mkfifo(pipe.text, 0600), 0);
    int other_end = open(pipe.text, O_RDWR);
    expect_refused(pipe.text, board, 100, "replay it in a miniprofd of its own");
    board_close(board);
    expect_refused(pipe.text, board, 60000, "miniprofd is stopping");
    close(other_end);
    board_free(board);
    folder_free(&folder);
}
