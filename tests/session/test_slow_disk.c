/* test_slow_disk.c - errors of recordings, also of those around broken limits, with a slow or full disk or without
 * memory: an incomplete file is reported with the number of missing bytes. */
#include "base/clock.h"
#include "recording/keeper.h"
#include "recording/recording.h"
#include "source/pace.h"
#include "support/folder.h"
#include "support/scarce.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ROOM = 2000, PIECE = 1000, PATIENCE_MS = 120000, SECOND_US = 1000000, NEVER_MS = 3600000 };

static const struct recorder_terms unlimited = {.flush_ms = NEVER_MS};
static const uint8_t piece[PIECE];

/* The writer thread, with a queue of ROOM bytes, and a file on a stalled disk that blocks it on request. */
struct office {
    struct folder folder, stalling;
    struct wake *wake;
    struct writer *writer;
    struct tape *stalled;
};

static struct office office_new(void)
{
    struct error err = {""};
    struct office office = {.folder = folder_new(), .stalling = folder_new()};
    office.wake = malloc(sizeof *office.wake);
    cr_assert(office.wake && wake_init(office.wake, &err), "%s", err.text);
    office.writer = writer_new(ROOM, office.wake, &err);
    cr_assert_not_null(office.writer, "%s", err.text);
    return office;
}

static void office_drain(struct office *office)
{
    cr_assert(writer_drain(office->writer, clock_monotonic_ms() + PATIENCE_MS));
}

/* Blocks the thread. */
static void office_stall(struct office *office)
{
    struct error err = {""};
    scarce_stall(office->stalling.path);
    office->stalled = tape_open(office->writer, office->stalling.path, 0, &unlimited, &err);
    cr_assert_not_null(office->stalled, "%s", err.text);
    scarce_await_stalled();
}

static void office_go_on(struct office *office)
{
    scarce_go_on();
    office_drain(office);
}

static void office_free(struct office *office)
{
    if (office->stalled)
        tape_end(office->stalled);
    tape_free(office->stalled);
    office_drain(office);
    writer_free(office->writer);
    wake_fini(office->wake);
    free(office->wake);
    folder_free(&office->stalling);
    folder_free(&office->folder);
}

static struct recording recording_in(struct office *office)
{
    struct recording recording;
    struct error err = {""};
    cr_assert(recording_init(&recording, office->folder.path, &unlimited, &err), "%s", err.text);
    recording_write_by(&recording, office->writer);
    return recording;
}

/* Begins a recording. */
static struct recording recording_begun(struct office *office)
{
    struct error err = {""};
    struct recording recording = recording_in(office);
    cr_assert(recording_begin(&recording, SECOND_US, (const uint8_t *)"HEAD", 4, &err), "%s", err.text);
    office_drain(office);
    cr_assert(recording_opened(&recording, &err), "%s", err.text);
    return recording;
}

/* ---- recordings ---- */

Test(slow_disk, a_gap_is_reported_at_once_and_its_size_at_the_end)
{
    struct error err = {""};
    struct snapshot_recording last;
    struct office office = office_new();
    struct recording recording = recording_begun(&office);
    office_stall(&office);
    cr_expect_not(recording_keep(&recording, 2 * SECOND_US, NULL, piece, PIECE), "there is room for one");
    cr_expect(recording_keep(&recording, 3 * SECOND_US, NULL, piece, PIECE));
    cr_expect_not(recording_keep(&recording, 4 * SECOND_US, NULL, piece, PIECE), "it is known");
    office_go_on(&office);
    recording_close(&recording);
    office_drain(&office);
    cr_expect_not(recording_end(&recording, &last, &err));
    cr_expect_eq(last.bytes, 4 + PIECE);
    cr_expect_eq(last.bytes_lost, 2 * PIECE);
    cr_expect(strstr(err.text, last.path) && strstr(err.text, "lacks 2000 bytes"), "%s", err.text);
    recording_fini(&recording);
    office_free(&office);
}

Test(slow_disk, a_recording_that_fails_at_its_end_is_not_whole)
{
    struct error err = {""};
    struct snapshot_recording last;
    struct office office = office_new();
    struct folder_path full = folder_file(&office.folder, "full");
    struct recording recording = recording_in(&office);
    cr_assert_eq(symlink("/dev/full", full.text), 0);
    cr_assert(recording_begin_at(&recording, full.text, &err), "%s", err.text);
    cr_assert_not(recording_keep(&recording, SECOND_US, NULL, piece, PIECE), "it is not written yet");
    recording_close(&recording);
    office_drain(&office);
    cr_expect_not(recording_is_closing(&recording));
    cr_expect_not(recording_end(&recording, &last, &err));
    cr_expect(strstr(err.text, full.text) && strstr(err.text, strerror(ENOSPC)), "%s", err.text);
    cr_expect(strstr(recording.promise_broken.text, strerror(ENOSPC)), "the option asked for it");
    recording_fini(&recording);
    office_free(&office);
}

Test(slow_disk, a_trailing_gap_of_the_line_is_recorded)
{
    struct error err = {""};
    struct snapshot_recording last;
    struct pace pace;
    uint64_t missing = 0;
    struct office office = office_new();
    struct recording older = recording_begun(&office), recording = recording_begun(&office);
    recording_skip(&recording, 77);
    recording_close(&older); /* the one that was begun first */
    recording_close(&recording);
    office_drain(&office);
    cr_assert(recording_end(&older, &last, &err) && recording_end(&recording, &last, &err), "%s", err.text);
    cr_assert(pace_open(&pace, last.path, &err), "%s", err.text);
    while (pace_next(&pace))
        missing += pace.missing;
    pace_close(&pace);
    cr_expect_eq(missing, 77);
    office_free(&office);
}

/* ---- the time around broken limits ---- */

static struct keeper keeper_in(struct office *office)
{
    struct keeper keeper;
    struct error err = {""};
    cr_assert(keeper_init(&keeper,
                          &(struct keeper_terms){.dir = office->folder.path,
                                                 .around_ms = 2000,
                                                 .files = 2,
                                                 .most = 1 << 20,
                                                 .flush_ms = NEVER_MS},
                          &err),
              "%s", err.text);
    keeper_write_by(&keeper, office->writer);
    return keeper;
}

static const struct snapshot_breach breach = {.bound = 1, .wall_ns = 1795176045123456789, .excess = 2};

Test(slow_disk, a_file_that_cannot_be_created_is_reported_later)
{
    struct office office = office_new();
    struct keeper keeper = keeper_in(&office);
    folder_free(&office.folder);
    office_stall(&office);
    cr_expect(keeper_hear(&keeper, 5 * SECOND_US, &breach, NULL, 0));
    cr_expect_str_eq(keeper.shown.failure, "", "it is not known yet");
    office_go_on(&office);
    cr_expect(keeper_rest(&keeper, 5000));
    cr_expect(strstr(keeper.shown.failure, office.folder.path), "%s", keeper.shown.failure);
    cr_expect(keeper.shown.count == 0 && keeper.shown.made == 0);
    cr_expect_eq(keeper_deadline_ms(&keeper), UINT64_MAX);
    cr_expect_not(keeper_hear(&keeper, 6 * SECOND_US, &breach, NULL, 0), "not again at once");
    cr_assert_eq(mkdir(office.folder.path, 0700), 0);
    keeper_fini(&keeper);
    office_free(&office);
}

Test(slow_disk, an_incomplete_recording_of_a_breach_is_reported)
{
    struct office office = office_new();
    struct keeper keeper = keeper_in(&office);
    office_stall(&office);
    cr_expect(keeper_hear(&keeper, 5 * SECOND_US, &breach, (const uint8_t *)"HEAD", 4));
    for (uint64_t i = 0; i < 4; i++)
        keeper_take(&keeper, 5 * SECOND_US + i, piece, PIECE);
    office_go_on(&office);
    cr_expect(keeper_take(&keeper, 8 * SECOND_US, piece, PIECE), "its time is over");
    cr_assert_eq(keeper.shown.count, 1);
    cr_expect_not(keeper.shown.rows[0].is_open);
    cr_expect_eq(keeper.shown.rows[0].bytes, 4 + PIECE);
    cr_expect(strstr(keeper.shown.failure, "lacks 3000 bytes"), "%s", keeper.shown.failure);
    keeper_fini(&keeper);
    office_free(&office);
}

/* It was ended and released before. A limit on the size of files stands for a full disk. */
Test(slow_disk, a_recording_that_fails_at_its_end_is_reported_later)
{
    struct rlimit before, none;
    struct office office = office_new();
    struct keeper keeper = keeper_in(&office);
    cr_expect(keeper_hear(&keeper, 5 * SECOND_US, &breach, NULL, 0));
    office_drain(&office);
    keeper_rest(&keeper, 5000);
    cr_assert_eq(keeper.shown.count, 1, "it is shown");
    office_stall(&office);
    keeper_take(&keeper, 6 * SECOND_US, piece, PIECE);
    cr_expect(keeper_take(&keeper, 8 * SECOND_US, piece, PIECE), "it is over");
    cr_expect_str_eq(keeper.shown.failure, "");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    none = (struct rlimit){0, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    office_go_on(&office);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect(keeper_rest(&keeper, 9000));
    cr_expect(strstr(keeper.shown.failure, keeper.shown.rows[0].name), "%s", keeper.shown.failure);
    cr_expect_not(keeper_rest(&keeper, 9000), "once");
    keeper_fini(&keeper);
    office_free(&office);
}

/* Limits may be removed and added while the program runs, so ids have no maximum. */
Test(slow_disk, as_many_limits_are_noted_of_a_recording_as_there_may_be)
{
    struct office office = office_new();
    struct keeper keeper = keeper_in(&office);
    struct snapshot_breach other = breach;
    for (other.bound = 1; other.bound <= BOUNDS_MAX + 3; other.bound++)
        cr_expect_eq(keeper_hear(&keeper, 5 * SECOND_US, &other, NULL, 0), other.bound == 1);
    office_drain(&office);
    keeper_finish(&keeper);
    cr_assert_eq(keeper.shown.count, 1);
    cr_expect_eq(keeper.misses[0].count, BOUNDS_MAX);
    cr_expect_eq(keeper.misses[0].rows[BOUNDS_MAX - 1].limit, BOUNDS_MAX);
    keeper_fini(&keeper);
    office_free(&office);
}

/* ---- without a thread, and without memory ---- */

Test(slow_disk, a_tape_without_a_thread_stays_failed)
{
    struct error err = {""};
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "parts");
    const struct recorder_terms parts = {.flush_ms = NEVER_MS, .most = RECORDER_LEAST};
    const struct tape_head head = {(const uint8_t *)"K", (const uint8_t *)"U", 1, 1};
    struct tape *tape = tape_new(recorder_new(path.text, &parts, &err), &err);
    cr_assert_not_null(tape, "%s", err.text);
    scarce_fail("renameat2", 1, EACCES);
    uint64_t kept = 0;
    while (tape_keep(tape, SECOND_US + kept, &head, piece, PIECE, &err))
        cr_assert_lt(kept += PIECE, RECORDER_LEAST);
    cr_expect(kept > 0 && strstr(err.text, strerror(EACCES)), "%s", err.text);
    cr_expect_eq(tape_deadline_ms(tape), UINT64_MAX);
    cr_expect_not(tape_flush(tape, UINT64_MAX, &err));
    cr_expect_not(tape_keep(tape, 2 * SECOND_US, &head, piece, PIECE, &err));
    tape_end(tape);
    cr_expect_eq(tape_state(tape, &err), TAPE_FAILED);
    tape_free(tape);
    folder_free(&folder);
}

Test(slow_disk, a_tape_that_is_not_on_the_disk_at_its_end_has_failed)
{
    struct error err = {""};
    struct folder folder = folder_new();
    struct tape *tape = tape_open(NULL, folder.path, 0, &unlimited, &err);
    cr_assert_not_null(tape, "%s", err.text);
    cr_assert(tape_keep(tape, SECOND_US, NULL, piece, PIECE, &err), "%s", err.text);
    scarce_fail("fsync", 1, EIO);
    tape_end(tape);
    cr_expect_eq(tape_state(tape, &err), TAPE_FAILED);
    cr_expect(strstr(err.text, tape_path(tape)) && strstr(err.text, strerror(EIO)), "%s", err.text);
    tape_free(tape);
    folder_free(&folder);
}

Test(slow_disk, without_memory_or_thread_recording_gives_an_error)
{
    struct office office = office_new();
    struct folder_path path = folder_file(&office.folder, "recording");
    for (unsigned nth = 1; nth <= 2; nth++) {
        struct error err = {""};
        scarce_begin(nth);
        cr_expect_null(writer_new(ROOM, office.wake, &err));
        cr_assert(scarce_end());
        cr_expect(strstr(err.text, nth == 1 ? "Out of memory" : "Cannot start the thread"), "%s", err.text);
    }
    struct error err = {""};
    scarce_begin(1);
    cr_expect_null(tape_open(office.writer, office.folder.path, 0, &unlimited, &err));
    cr_assert(scarce_end());
    cr_expect(strstr(err.text, "Out of memory") && strstr(err.text, office.folder.path), "%s", err.text);
    struct recorder *recorder = recorder_new(path.text, &unlimited, &err);
    scarce_begin(1);
    cr_expect_null(tape_new(recorder, &err));
    cr_assert(scarce_end());
    cr_expect(strstr(err.text, "Out of memory") && strstr(err.text, path.text), "%s", err.text);
    office_free(&office);
}
