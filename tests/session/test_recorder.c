/* test_recorder.c - a recording has the bytes received, and replays them in the same way. */
#include "recording/recorder.h"

#include "support/folder.h"
#include "support/scarce.h"
#include "source/pace.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sys/stat.h>

static const struct recorder_terms unlimited = {.flush_ms = 1000},
                                   limited = {.flush_ms = 1000, .most = RECORDER_LEAST};

static size_t size_of(const struct folder_path *path)
{
    struct stat info;
    cr_assert_eq(stat(path->text, &info), 0);
    return (size_t)info.st_size;
}

Test(recorder, bytes_are_kept_exactly_and_times_beside_them)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, &unlimited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    uint8_t bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    cr_assert(recorder_keep(recorder, 7000000, bytes, 100, &err));
    cr_assert(recorder_keep(recorder, 7000400, bytes + 100, 50,
                            &err)); /* shares the line of the first in the pace file */
    cr_assert(recorder_keep(recorder, 7250000, bytes + 150, 106, &err));
    cr_assert(recorder_free(recorder, &err), "%s", err.text);

    uint8_t kept[300];
    FILE *file = fopen(path.text, "re");
    cr_assert_eq(fread(kept, 1, sizeof kept, file), 256);
    fclose(file);
    cr_assert_arr_eq(kept, bytes, 256);

    struct pace pace;
    cr_assert(pace_open(&pace, path.text, &err), "%s", err.text);
    cr_assert(pace_next(&pace));
    cr_assert(pace.elapsed_us == 0 && pace.offset == 150);
    cr_assert(pace_next(&pace));
    cr_assert(pace.elapsed_us == 250000 && pace.offset == 256);
    cr_assert_not(pace_next(&pace));
    pace_close(&pace);
    folder_free(&folder);
}

Test(recorder, gaps_stand_between_the_times)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording"),
                       times = folder_file(&folder, "recording.pace");
    struct error err = {""};
    char text[200] = "";
    struct recorder *recorder = recorder_new(path.text, &unlimited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    recorder_skip(recorder, 1000000, 9);
    cr_assert(recorder_keep(recorder, 1000000, (const uint8_t *)"abc", 3, &err));
    recorder_skip(recorder, 1000100, 7);
    cr_assert(recorder_keep(recorder, 1000100, (const uint8_t *)"de", 2, &err));
    recorder_skip(recorder, 0, 5);
    cr_assert(recorder_free(recorder, &err), "%s", err.text);
    FILE *file = fopen(times.text, "re");
    cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    cr_expect_str_eq(text, PACE_HEADER "0 0 -9\n0 3\n100 3 -7\n100 5\n100 5 -5\n");
    folder_free(&folder);
}

Test(recorder, unwritten_bytes_are_flushed_in_time)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, &(struct recorder_terms){.flush_ms = 250}, &err);
    cr_assert_eq(recorder_deadline_ms(recorder), UINT64_MAX, "nothing waits");
    cr_assert(recorder_keep(recorder, 5000000, (const uint8_t *)"abc", 3, &err));
    cr_assert(recorder_keep(recorder, 5100000, (const uint8_t *)"def", 3, &err));
    cr_assert_eq(recorder_deadline_ms(recorder), 5250, "it counts from the first byte that waits");
    cr_assert(recorder_flush(recorder, &err));
    cr_assert_eq(recorder_deadline_ms(recorder), UINT64_MAX);
    cr_assert_eq(size_of(&path), 6, "it is in the file before anybody closes it");
    cr_assert(recorder_free(recorder, &err));
    folder_free(&folder);
}

Test(recorder, a_recording_of_before_is_not_overwritten)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording"),
                       pace = folder_file(&folder, "recording.pace");
    folder_write(&path, "precious", 8);
    folder_write(&pace, "precious", 8);
    struct error err = {""};
    cr_assert_null(recorder_new(path.text, &unlimited, &err));
    cr_assert(strstr(err.text, path.text) && strstr(err.text, "another name"), "%s", err.text);
    cr_assert_eq(size_of(&path), 8);
    cr_assert_eq(size_of(&pace), 8);
    folder_free(&folder);
}

Test(recorder, an_empty_file_is_taken_with_times_that_belong_to_nothing)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording"),
                       pace = folder_file(&folder, "recording.pace");
    folder_write(&path, "", 0);
    folder_write(&pace, "old and longer than a header", 28);
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, &unlimited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    cr_assert_eq(size_of(&pace), strlen(PACE_HEADER), "it is written before anything comes");
    cr_assert(recorder_keep(recorder, 1, (const uint8_t *)"new", 3, &err));
    cr_assert(recorder_free(recorder, &err));
    cr_assert_eq(size_of(&path), 3);
    folder_free(&folder);
}

/* /dev/full refuses all bytes, as a full disk does; the folder is for the pace file beside it. */
Test(recorder, a_full_disk_is_reported)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    cr_assert_eq(symlink("/dev/full", path.text), 0);
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, &unlimited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    cr_assert(recorder_keep(recorder, 1, (const uint8_t *)"abc", 3, &err), "it is still in the buffer");
    cr_assert_not(recorder_flush(recorder, &err));
    cr_assert(strstr(err.text, path.text) && strstr(err.text, "the profile goes on"), "%s", err.text);
    cr_assert_not(recorder_keep(recorder, 2, (const uint8_t *)"def", 3, &err));
    recorder_free(recorder, NULL);
    folder_free(&folder);
}

/* Bytes must not be written through a dangling link to another path. */
Test(recorder, a_dangling_link_is_not_replaced)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording"), nowhere = folder_file(&folder, "nowhere");
    struct error err = {""};
    cr_assert_eq(symlink(nowhere.text, path.text), 0);
    cr_assert_null(recorder_new(path.text, &unlimited, &err));
    cr_expect(strstr(err.text, "is there already and is not overwritten"), "%s", err.text);
    cr_expect_neq(access(nowhere.text, F_OK), 0);
    folder_free(&folder);
}

Test(recorder, a_file_of_the_user_stays_when_its_times_cannot_be_written_and_one_of_ours_goes)
{
    for (int is_theirs = 0; is_theirs < 2; is_theirs++) {
        struct folder folder = folder_new();
        struct folder_path path = folder_file(&folder, "recording"),
                           times = folder_file(&folder, "recording.pace");
        struct error err = {""};
        cr_assert_eq(mkdir(times.text, 0700), 0);
        if (is_theirs)
            folder_write(&path, "", 0);
        cr_assert_null(recorder_new(path.text, &unlimited, &err));
        cr_expect(strstr(err.text, times.text) && strstr(err.text, "pace"), "%s", err.text);
        cr_expect_eq(access(path.text, F_OK) == 0, is_theirs);
        cr_assert_eq(rmdir(times.text), 0);
        folder_free(&folder);
    }
}

Test(recorder, an_unwritable_path_is_reported)
{
    struct error err = {""};
    cr_assert_null(recorder_new("/nowhere/at/all", &unlimited, &err));
    cr_assert(strstr(err.text, "/nowhere/at/all"), "%s", err.text);
}

static void expect_name(const struct folder *folder, const char *name)
{
    struct error err = {""};
    struct recorder *recorder = recorder_new_in(folder->path, 1795176045123456789, &unlimited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    cr_assert_str_eq(recorder_path(recorder), folder_file(folder, name).text);
    cr_assert(recorder_free(recorder, &err));
}

Test(recorder, a_name_of_its_own_making_is_the_time_and_replaces_nothing)
{
    struct folder folder = folder_new();
    struct folder_path first = folder_file(&folder, "miniprofd-20261120-120045.bin"),
                       pace = folder_file(&folder, "miniprofd-20261120-120045-2.bin.pace"),
                       link = folder_file(&folder, "miniprofd-20261120-120045-3.bin");
    folder_write(&first, "precious", 8);
    folder_write(&pace, "precious", 8);
    cr_assert_eq(symlink("/nowhere/at/all", link.text), 0);
    expect_name(&folder, "miniprofd-20261120-120045-4.bin");
    expect_name(&folder, "miniprofd-20261120-120045-5.bin");
    cr_assert_eq(size_of(&first), 8);
    cr_assert_eq(size_of(&pace), 8);
    struct folder_path bytes = folder_file(&folder, "miniprofd-20261120-120045-2.bin");
    cr_assert_neq(access(bytes.text, F_OK), 0, "nothing is left of the attempt");
    folder_free(&folder);
}

Test(recorder, a_path_that_is_too_long_is_reported)
{
    char path[PATH_MAX + 8];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    struct error err = {""};
    cr_assert_null(recorder_new(path, &unlimited, &err));
    cr_assert(strstr(err.text, "'xxxx") && strstr(err.text, "too long"), "%s", err.text);
    path[PATH_MAX - 10] = '\0'; /* of a folder, too long for a file name in it */
    cr_assert_null(recorder_new_in(path, 1795176045123456789, &unlimited, &err));
    cr_assert(strstr(err.text, "folder for recordings") && strstr(err.text, "too long"), "%s", err.text);
}

Test(recorder, no_free_name_in_a_second_is_an_error)
{
    struct folder folder = folder_new();
    enum { NAMES = 100 };
    for (int i = 1; i <= NAMES; i++) {
        char name[64];
        snprintf(name, sizeof name,
                 i > 1 ? "miniprofd-20261120-120045-%d.bin" : "miniprofd-20261120-120045.bin", i);
        struct folder_path taken = folder_file(&folder, name);
        folder_write(&taken, "precious", 8);
    }
    struct error err = {""};
    cr_assert_null(recorder_new_in(folder.path, 1795176045123456789, &unlimited, &err));
    cr_assert(strstr(err.text, folder.path), "%s", err.text);
    folder_free(&folder);
}

/* ---- in parts ---- */

enum { PIECE = 10007, PIECES = 300 };

/* The n-th recorded byte. */
static uint8_t byte_at(size_t n)
{
    return (uint8_t)(n * 2654435761u >> 13);
}

static void keep_piece(struct recorder *recorder, unsigned piece)
{
    uint8_t bytes[PIECE];
    struct error err = {""};
    for (size_t i = 0; i < PIECE; i++)
        bytes[i] = byte_at((size_t)piece * PIECE + i);
    if (recorder_is_full(recorder, PIECE))
        cr_assert(recorder_turn(recorder, &err), "%s", err.text);
    cr_assert_not(recorder_is_full(recorder, PIECE), "a part that has just begun has room");
    cr_assert(recorder_keep(recorder, 5000000 + (uint64_t)piece * 1500, bytes, PIECE, &err), "%s", err.text);
}

/* Expects that its bytes end at `end`, and that its times begin again and cover all of them; returns the offset of
 * its first byte. */
static size_t expect_part(const struct folder_path *path, size_t end)
{
    size_t n = size_of(path), begin = end - n;
    FILE *file = fopen(path->text, "re");
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(getc(file), byte_at(begin + i), "%s, byte %zu", path->text, i);
    fclose(file);
    struct pace pace;
    struct error err = {""};
    cr_assert(pace_open(&pace, path->text, &err), "%s", err.text);
    cr_assert(pace_next(&pace));
    cr_assert_eq(pace.elapsed_us, 0);
    while (pace_next(&pace))
        ;
    cr_assert_eq(pace.offset, n);
    cr_assert_eq(pace.elapsed_us, (n / PIECE - 1) * 1500);
    pace_close(&pace);
    return begin;
}

Test(recorder, the_newest_is_kept_in_parts_that_take_no_more_than_the_limit)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, &limited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    for (unsigned piece = 0; piece < PIECES; piece++)
        keep_piece(recorder, piece);
    uint64_t told = recorder_bytes(recorder);
    cr_assert(recorder_free(recorder, &err), "%s", err.text);

    size_t end = (size_t)PIECES * PIECE, on_disk = 0;
    for (unsigned part = 0; part < 8; part++) {
        char name[32];
        snprintf(name, sizeof name, part ? "recording.%u" : "recording", part);
        struct folder_path one = folder_file(&folder, name);
        end = expect_part(&one, end);
        strcat(name, ".pace");
        struct folder_path times = folder_file(&folder, name);
        on_disk += size_of(&one) + size_of(&times);
    }
    cr_assert_eq(told, (size_t)PIECES * PIECE - end);
    cr_assert_leq(on_disk, RECORDER_LEAST);
    cr_assert_gt(on_disk, RECORDER_LEAST / 8 * 6, "and it is not far from it");
    struct folder_path ninth = folder_file(&folder, "recording.8");
    cr_assert_neq(access(ninth.text, F_OK), 0);
    folder_free(&folder);
}

Test(recorder, parts_do_not_overwrite_other_files)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    const char *const taken[] = {"recording.1", "recording.7.pace"};
    for (size_t i = 0; i < 2; i++) {
        struct folder_path other = folder_file(&folder, taken[i]);
        folder_write(&other, "precious", 8);
        struct error err = {""};
        cr_assert_null(recorder_new(path.text, &limited, &err));
        cr_assert(strstr(err.text, other.text) && strstr(err.text, "another name"), "%s", err.text);
        cr_assert_eq(size_of(&other), 8);
        cr_assert_neq(access(path.text, F_OK), 0, "nothing is left of the attempt");
        unlink(other.text);
    }
    folder_free(&folder);
}

Test(recorder, a_file_that_is_put_into_the_way_ends_the_recording_and_stays)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording"), other = folder_file(&folder, "recording.1");
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, &limited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    keep_piece(recorder, 0);
    folder_write(&other, "precious", 8);
    cr_assert_not(recorder_turn(recorder, &err));
    cr_assert(strstr(err.text, other.text), "%s", err.text);
    recorder_free(recorder, NULL);
    cr_assert_eq(size_of(&other), 8);
    cr_assert_eq(size_of(&path), PIECE, "what was recorded is whole");
    folder_free(&folder);
}

Test(recorder, only_a_regular_file_is_kept_in_parts)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    cr_assert_eq(symlink("/dev/full", path.text), 0);
    struct error err = {""};
    cr_assert_null(recorder_new(path.text, &limited, &err));
    cr_assert(strstr(err.text, path.text) && strstr(err.text, "--record-limit"), "%s", err.text);
    folder_free(&folder);
}

/* The sync of bytes, times or folder fails: the recording is not reported as whole. */
Test(recorder, a_failed_sync_is_reported_at_the_end)
{
    for (unsigned nth = 1; nth <= 3; nth++) {
        struct folder folder = folder_new();
        struct folder_path path = folder_file(&folder, "recording");
        struct error err = {""};
        struct recorder *recorder = recorder_new(path.text, &unlimited, &err);
        cr_assert_not_null(recorder, "%s", err.text);
        cr_assert(recorder_keep(recorder, 1, (const uint8_t *)"abc", 3, &err));
        scarce_fail("fsync", nth, EIO);
        cr_assert_not(recorder_free(recorder, &err), "failure %u was passed over", nth);
        cr_assert(strstr(err.text, path.text) && strstr(err.text, "as a whole"), "%s", err.text);
        cr_assert_eq(size_of(&path), 3);
        folder_free(&folder);
    }
}

Test(recorder, a_full_disk_at_the_end_of_a_part_is_reported)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, &limited, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    keep_piece(recorder, 0);
    cr_assert(recorder_flush(recorder, &err), "%s", err.text);
    cr_assert(recorder_keep(recorder, 2000000, (const uint8_t *)"abc", 3, &err));
    scarce_fail("write", 1, ENOSPC);
    cr_assert_not(recorder_turn(recorder, &err));
    cr_assert(strstr(err.text, path.text) && strstr(err.text, "No space left"), "%s", err.text);
    recorder_free(recorder, NULL);
    cr_assert_eq(size_of(&path), PIECE, "what had been written stays where it was");
    folder_free(&folder);
}

Test(recorder, without_memory_there_is_none_and_no_file)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    struct error err = {""};
    scarce_begin(1);
    cr_assert_null(recorder_new(path.text, &unlimited, &err));
    cr_assert(scarce_end());
    cr_assert(strstr(err.text, "Out of memory") && strstr(err.text, path.text), "%s", err.text);
    cr_assert_neq(access(path.text, F_OK), 0);
    folder_free(&folder);
}
