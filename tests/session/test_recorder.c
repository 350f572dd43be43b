/* test_recorder.c - what is recorded is what came, and comes again in the same way. */
#include "session/recorder.h"

#include "support/folder.h"
#include "source/pace.h"

#include <criterion/criterion.h>
#include <sys/stat.h>

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
    struct recorder *recorder = recorder_new(path.text, 1000, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    uint8_t bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    cr_assert(recorder_keep(recorder, 7000000, bytes, 100, &err));
    cr_assert(recorder_keep(recorder, 7000400, bytes + 100, 50, &err)); /* shares the first one's line */
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

Test(recorder, what_a_crash_may_cost_is_bounded_by_the_flush)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, 250, &err);
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
    cr_assert_null(recorder_new(path.text, 1000, &err));
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
    struct recorder *recorder = recorder_new(path.text, 1000, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    cr_assert_eq(size_of(&pace), strlen(PACE_HEADER), "it is written before anything comes");
    cr_assert(recorder_keep(recorder, 1, (const uint8_t *)"new", 3, &err));
    cr_assert(recorder_free(recorder, &err));
    cr_assert_eq(size_of(&path), 3);
    folder_free(&folder);
}

/* /dev/full takes nothing, as a full disk does; the folder is there only for the pace beside it. */
Test(recorder, a_full_disk_is_told_in_a_sentence)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "recording");
    cr_assert_eq(symlink("/dev/full", path.text), 0);
    struct error err = {""};
    struct recorder *recorder = recorder_new(path.text, 1000, &err);
    cr_assert_not_null(recorder, "%s", err.text);
    cr_assert(recorder_keep(recorder, 1, (const uint8_t *)"abc", 3, &err), "it is still in the buffer");
    cr_assert_not(recorder_flush(recorder, &err));
    cr_assert(strstr(err.text, path.text) && strstr(err.text, "the profile goes on"), "%s", err.text);
    cr_assert_not(recorder_keep(recorder, 2, (const uint8_t *)"def", 3, &err));
    recorder_free(recorder, NULL);
    folder_free(&folder);
}

Test(recorder, a_place_that_cannot_be_written_is_told)
{
    struct error err = {""};
    cr_assert_null(recorder_new("/nowhere/at/all", 1000, &err));
    cr_assert(strstr(err.text, "/nowhere/at/all"), "%s", err.text);
}

static void expect_name(const struct folder *folder, const char *name)
{
    struct error err = {""};
    struct recorder *recorder = recorder_new_in(folder->path, 1795176045123456789, 1000, &err);
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
