/* test_writer.c - recordings are written by a separate thread; a pipe without a reader stands for a stalled disk. */
#include "bench.h"

#include "base/clock.h"
#include "recording/writer.h"
#include "recording/parts.h"
#include "source/pace.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 10000, PIECES = 40, ROOM = 100000, ENOUGH = PIECE * PIECES };

struct stalled {
    struct folder folder;
    struct folder_path path;
    int reader;
    struct wake *wake;
    struct writer *writer;
    struct tape *tape;
    bool is_ended;
};

static struct tape *tape_at(const char *path, uint64_t most)
{
    struct error err = {""};
    struct recorder *recorder =
        recorder_new(path, &(struct recorder_terms){.flush_ms = 1, .most = most}, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    struct tape *tape = tape_new(recorder, &err);
    cr_assert_not_null(tape, "%s", err.text);
    return tape;
}

static struct stalled stalled_new(void)
{
    struct error err = {""};
    struct stalled stalled = {.folder = folder_new()};
    stalled.path = folder_file(&stalled.folder, "pipe");
    cr_assert_eq(mkfifo(stalled.path.text, 0600), 0);
    stalled.reader = open(stalled.path.text, O_RDONLY | O_NONBLOCK);
    cr_assert_geq(stalled.reader, 0);
    stalled.wake = malloc(sizeof *stalled.wake);
    cr_assert(wake_init(stalled.wake, &err));
    stalled.writer = writer_new(ROOM, stalled.wake, &err);
    cr_assert_not_null(stalled.writer, "%s", err.text);
    stalled.tape = tape_at(stalled.path.text, 0);
    tape_hand_over(stalled.tape, stalled.writer);
    return stalled;
}

static void stalled_free(struct stalled *stalled)
{
    if (!stalled->is_ended)
        tape_end(stalled->tape);
    tape_free(stalled->tape);
    writer_free(stalled->writer);
    close(stalled->reader);
    wake_fini(stalled->wake);
    free(stalled->wake);
    folder_free(&stalled->folder);
}

/* Keeps pieces; the bytes of each are its number. */
static void keep_pieces(struct tape *tape, unsigned from, unsigned to)
{
    static const struct tape_head head = {
        .known = (const uint8_t *)"K", .known_n = 1, .unfinished = (const uint8_t *)"U", .unfinished_n = 1};
    uint8_t bytes[PIECE];
    struct error err = {""};
    for (unsigned i = from; i < to; i++) {
        memset(bytes, (int)i, sizeof bytes);
        cr_assert(tape_keep(tape, 1000 * i, &head, bytes, sizeof bytes, &err), "%s", err.text);
    }
}

static uint64_t soon_ms(void)
{
    return clock_monotonic_ms() + BENCH_PATIENCE_MS;
}

/* Keeps pieces until the pipe is full and the thread blocks, so that the queue is no longer emptied. Returns their
 * number. */
static unsigned fill_pipe(const struct stalled *stalled)
{
    enum { PAGE = 4096 };
    int size = fcntl(stalled->reader, F_GETPIPE_SZ), waiting = 0;
    unsigned pieces = (unsigned)size / PIECE + 1;
    keep_pieces(stalled->tape, 0, pieces);
    for (uint64_t until_ms = soon_ms(); waiting <= size - PAGE && clock_monotonic_ms() < until_ms;) {
        cr_assert_eq(ioctl(stalled->reader, FIONREAD, &waiting), 0);
        sched_yield();
    }
    return pieces;
}

/* Reads until the other end is closed. */
static size_t read_all(int fd, uint8_t *out, size_t room)
{
    size_t have = 0;
    fcntl(fd, F_SETFL, 0);
    for (ssize_t n; (n = read(fd, out + have, room - have)) > 0;)
        have += (size_t)n;
    return have;
}

Test(writer, bytes_the_disk_is_too_slow_for_are_a_sized_gap)
{
    static uint8_t got[2 * ENOUGH];
    struct error why;
    struct stalled stalled = stalled_new();
    keep_pieces(stalled.tape, fill_pipe(&stalled), PIECES); /* does not block without a reader */
    uint64_t lost = tape_lost(stalled.tape);
    cr_assert(lost > 0 && lost % PIECE == 0);
    cr_assert_eq(tape_bytes(stalled.tape), ENOUGH - lost);
    cr_assert_leq(tape_queued(stalled.tape), ROOM);
    cr_assert_eq(tape_state(stalled.tape, NULL), TAPE_OPEN);

    /* Now there is room again. */
    size_t have = 0;
    fcntl(stalled.reader, F_SETFL, 0);
    while (have < ENOUGH - lost) {
        ssize_t n = read(stalled.reader, got + have, sizeof got - have);
        cr_assert_gt(n, 0);
        have += (size_t)n;
    }
    cr_assert(writer_drain(stalled.writer, soon_ms()));
    keep_pieces(stalled.tape, PIECES, PIECES + 2);
    tape_end(stalled.tape);
    stalled.is_ended = true;
    have += read_all(stalled.reader, got + have, sizeof got - have);
    cr_assert_eq(have, ENOUGH - lost + 1 + 2 * PIECE, "none but what was reported is missing");
    cr_assert_eq(got[ENOUGH - lost - 1], (ENOUGH - lost) / PIECE - 1);
    cr_assert_eq(got[ENOUGH - lost], 'U', "behind the gap the packet under way is whole");
    cr_assert_eq(got[ENOUGH - lost + 1], PIECES);
    cr_assert_eq(tape_lost(stalled.tape), lost - 1, "what came later is no loss, nor what was at hand still");
    cr_assert(writer_drain(stalled.writer, soon_ms()));
    cr_assert_eq(tape_state(stalled.tape, &why), TAPE_KEPT, "%s", why.text);

    /* A replay finds the gap, too. */
    struct pace pace;
    uint64_t missing = 0;
    cr_assert(pace_open(&pace, stalled.path.text, &why), "%s", why.text);
    while (pace_next(&pace)) {
        missing += pace.missing;
        cr_expect(pace.missing == 0 || pace.offset == ENOUGH - lost);
    }
    pace_close(&pace);
    cr_expect_eq(missing, lost - 1, "with it, the bytes of the line");
    stalled_free(&stalled);
}

Test(writer, a_stalled_disk_does_not_delay_the_end)
{
    struct stalled stalled = stalled_new();
    keep_pieces(stalled.tape, 0, PIECES);
    tape_end(stalled.tape);
    stalled.is_ended = true;
    cr_assert_not(writer_drain(stalled.writer, clock_monotonic_ms() + 20));
    cr_assert_eq(tape_state(stalled.tape, NULL), TAPE_OPEN);
    cr_assert_gt(tape_queued(stalled.tape), 0, "this many are missing at its end");
    stalled_free(&stalled); /* of which nothing waits */
}

Test(writer, a_failed_tape_reports_an_error_and_accepts_no_more)
{
    struct stalled stalled = stalled_new();
    struct folder_path full = folder_file(&stalled.folder, "full");
    struct error why = {""};
    cr_assert_eq(symlink("/dev/full", full.text), 0);
    struct tape *tape = tape_at(full.text, 0);
    tape_hand_over(tape, stalled.writer);
    cr_assert(tape_keep(tape, 1000, NULL, (const uint8_t *)"x", 1, &why));
    struct pollfd rung = {.fd = stalled.wake->fd, .events = POLLIN};
    cr_assert_eq(poll(&rung, 1, BENCH_PATIENCE_MS), 1, "it is notified");
    cr_assert_not(tape_flush(tape, 0, &why));
    cr_assert(strstr(why.text, full.text), "%s", why.text);
    cr_assert_not(tape_keep(tape, 2000, NULL, (const uint8_t *)"x", 1, &why));
    cr_assert_eq(tape_lost(tape), 0);
    tape_end(tape);
    cr_assert(writer_drain(stalled.writer, soon_ms()));
    cr_assert_eq(tape_state(tape, &why), TAPE_FAILED);
    tape_free(tape);
    stalled_free(&stalled);
}

Test(writer, a_released_tape_reports_its_failure_later)
{
    struct stalled stalled = stalled_new();
    struct folder_path full = folder_file(&stalled.folder, "full"),
                       gone = folder_file(&stalled.folder, "gone");
    struct error why = {""};
    cr_assert_eq(symlink("/dev/full", full.text), 0);
    keep_pieces(stalled.tape, 0, PIECES); /* the queue is blocked */
    struct tape *tape = tape_at(full.text, 0);
    tape_hand_over(tape, stalled.writer);
    cr_assert(tape_keep(tape, 1000, NULL, (const uint8_t *)"x", 1, &why));
    tape_end(tape);
    tape_free(tape);
    folder_write(&gone, "x", 1);
    writer_remove(stalled.writer, gone.text);
    cr_assert_not(writer_take_failure(stalled.writer, &why));
    close(stalled.reader); /* now all fail at once */
    cr_assert(writer_drain(stalled.writer, soon_ms()));
    cr_assert_neq(access(gone.text, F_OK), 0);
    cr_assert(writer_take_failure(stalled.writer, &why));
    cr_assert(strstr(why.text, full.text), "%s", why.text);
    cr_assert_not(writer_take_failure(stalled.writer, &why), "once");
    tape_end(stalled.tape);
    stalled.is_ended = true;
    stalled.reader = -1;
    stalled_free(&stalled);
}

Test(writer, parts_are_turned_by_the_thread)
{
    struct stalled stalled = stalled_new();
    struct folder_path path = folder_file(&stalled.folder, "parts");
    struct error why;
    struct stat about;
    struct tape *tape = tape_at(path.text, RECORDER_LEAST);
    tape_hand_over(tape, stalled.writer);
    for (unsigned i = 0; i < 2 * RECORDER_LEAST / PARTS_MOST / PIECE; i++) {
        keep_pieces(tape, i, i + 1);
        cr_assert(writer_drain(stalled.writer, soon_ms()));
    }
    tape_end(tape);
    cr_assert(writer_drain(stalled.writer, soon_ms()));
    cr_assert_eq(tape_state(tape, &why), TAPE_KEPT, "%s", why.text);
    cr_assert_eq(stat(path.text, &about), 0);
    uint64_t bytes = (uint64_t)about.st_size;
    cr_assert_eq(stat(folder_file(&stalled.folder, "parts.1").text, &about), 0);
    cr_assert_eq(bytes + (uint64_t)about.st_size, tape_bytes(tape));
    tape_free(tape);
    stalled_free(&stalled);
}

/* ---- in a session ---- */

static bool has_many_rounds(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 20000;
}

static bool is_whole(const struct snapshot *s)
{
    return s->ledger.booked[ACCOUNT_RECORDS_LOST] == 0 && s->link.crc_errors == 0;
}

Test(writer, a_stalled_disk_delays_neither_profile_nor_end)
{
    struct bench bench;
    struct error err = {""};
    bench_init(&bench, true);
    struct folder_path path = folder_file(&bench.folder, "pipe");
    cr_assert_eq(mkfifo(path.text, 0600), 0);
    int reader = open(path.text, O_RDONLY | O_NONBLOCK);
    cr_assert_geq(reader, 0);
    bench.settings.record_path = path.text;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    for (uint32_t round = 0; round < 20000; round += 1000)
        fake_send_rounds(&bench.fake, 1000, 100 * round);
    cr_assert(is_whole(bench_await(&bench, has_many_rounds)), "nothing is missing in the profile");
    uint64_t before_ms = clock_monotonic_ms();
    session_stop(bench.session);
    cr_assert_lt(clock_monotonic_ms() - before_ms, BENCH_PATIENCE_MS / 4);
    cr_assert_not(session_recorded(bench.session, &err));
    cr_assert(strstr(err.text, "lacks its last"), "%s", err.text);
    close(reader);
    bench_fini(&bench);
}
