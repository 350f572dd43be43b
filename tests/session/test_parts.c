/* test_parts.c - the names of a recording in parts, when another program has changed the files. */
#include "recording/parts.h"

#include "support/folder.h"
#include "support/scarce.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

/* Makes a file whose content is `letter`. */
static void put(const struct folder *folder, const char *name, char letter)
{
    struct folder_path path = folder_file(folder, name);
    folder_write(&path, &letter, 1);
}

/* The file's content; '-' when it is missing. */
static char letter_of(const struct folder *folder, const char *name)
{
    struct folder_path path = folder_file(folder, name);
    FILE *file = fopen(path.text, "re");
    if (!file)
        return '-';
    int letter = getc(file);
    fclose(file);
    return (char)letter;
}

static void expect(const struct folder *folder, const char *name, char letter)
{
    char found = letter_of(folder, name);
    cr_assert_eq(found, letter, "%s holds '%c', not '%c'", name, found, letter);
}

Test(parts, a_deleted_part_is_skipped)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "run");
    struct error err = {""};
    put(&folder, "run", 'a');
    put(&folder, "run.pace", 'A');
    put(&folder, "run.2", 'c');
    put(&folder, "run.2.pace", 'C');
    cr_assert(parts_shift(path.text, 3, &err), "%s", err.text);
    expect(&folder, "run", '-');
    expect(&folder, "run.1", 'a');
    expect(&folder, "run.1.pace", 'A');
    expect(&folder, "run.2", '-');
    expect(&folder, "run.2.pace", '-');
    expect(&folder, "run.3", 'c');
    expect(&folder, "run.3.pace", 'C');
    cr_assert(parts_sync_older(path.text, 4), "what is there no more has nothing to wait for");
    folder_free(&folder);
}

Test(parts, the_oldest_is_deleted_and_may_be_missing)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "run");
    struct error err = {""};
    put(&folder, "run.6", 'g');
    put(&folder, "run.7", 'h'); /* its pace file is gone */
    cr_assert(parts_shift(path.text, PARTS_MOST, &err), "%s", err.text);
    expect(&folder, "run.7", 'g');
    expect(&folder, "run.8", '-');
    folder_free(&folder);
}

Test(parts, an_oldest_that_cannot_be_deleted_is_named_and_nothing_is_moved)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "run"), oldest = folder_file(&folder, "run.7");
    struct error err = {""};
    cr_assert_eq(mkdir(oldest.text, 0700), 0);
    put(&folder, "run", 'a');
    put(&folder, "run.6", 'g');
    cr_assert_not(parts_shift(path.text, PARTS_MOST, &err));
    cr_assert(strstr(err.text, "Cannot delete") && strstr(err.text, oldest.text), "%s", err.text);
    expect(&folder, "run", 'a');
    expect(&folder, "run.6", 'g');
    cr_assert_eq(rmdir(oldest.text), 0, "what is not ours stays");
    folder_free(&folder);
}

Test(parts, times_whose_name_is_taken_leave_the_bytes_where_they_are)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "run"), taken = folder_file(&folder, "run.1.pace");
    struct error err = {""};
    put(&folder, "run", 'a');
    put(&folder, "run.pace", 'A');
    put(&folder, "run.1.pace", 'x');
    cr_assert_not(parts_shift(path.text, 1, &err));
    cr_assert(strstr(err.text, taken.text), "%s", err.text);
    expect(&folder, "run", 'a');
    expect(&folder, "run.pace", 'A');
    expect(&folder, "run.1", '-');
    expect(&folder, "run.1.pace", 'x');
    folder_free(&folder);
}

Test(parts, syncing_ignores_pipes_but_not_errors)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert(parts_sync_fd(ends[1]), "a pipe has nothing to wait for");
    close(ends[0]);
    close(ends[1]);
    errno = 0;
    cr_assert_not(parts_sync_fd(ends[1]));
    cr_assert_eq(errno, EBADF);
}

/* Some file systems cannot rename without replacing; there the new name is checked first. */
Test(parts, where_that_takes_two_steps_names_move_and_nothing_is_overwritten)
{
    static const int codes[] = {EINVAL, ENOSYS};
    for (size_t i = 0; i < 2; i++) {
        struct folder folder = folder_new();
        struct folder_path path = folder_file(&folder, "run"), taken = folder_file(&folder, "run.1");
        struct error err = {""};
        put(&folder, "run", 'a');
        scarce_fail("renameat2", 1, codes[i]);
        cr_assert(parts_shift(path.text, 1, &err), "%s", err.text);
        expect(&folder, "run.1", 'a');
        scarce_fail("renameat2", 1, codes[i]);
        cr_assert(parts_shift(path.text, 1, &err), "what is there no more cannot be in the way: %s",
                  err.text);
        put(&folder, "run", 'b');
        scarce_fail("renameat2", 2,
                    codes[i]); /* the file of bytes; its times, which are missing, come first */
        cr_assert_not(parts_shift(path.text, 1, &err));
        cr_assert(strstr(err.text, taken.text) && strstr(err.text, "File exists"), "%s", err.text);
        expect(&folder, "run", 'b');
        expect(&folder, "run.1", 'a');
        folder_free(&folder);
    }
}

Test(parts, a_failed_rename_is_reported)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "run");
    struct error err = {""};
    put(&folder, "run", 'a');
    scarce_fail("renameat2", 1, EACCES);
    cr_assert_not(parts_shift(path.text, 1, &err));
    cr_assert(strstr(err.text, "Permission denied"), "%s", err.text);
    expect(&folder, "run", 'a');
    folder_free(&folder);
}

/* The bytes of part 1, its times, and their folder. */
Test(parts, a_failed_sync_of_any_file_is_reported)
{
    struct folder folder = folder_new();
    struct folder_path path = folder_file(&folder, "run");
    put(&folder, "run.1", 'b');
    put(&folder, "run.1.pace", 'B');
    for (unsigned nth = 1; nth <= 3; nth++) {
        scarce_fail("fsync", nth, EIO);
        errno = 0;
        cr_assert_not(parts_sync_older(path.text, 2), "the failure of file %u was passed over", nth);
        cr_assert_eq(errno, EIO);
    }
    static const int harmless[] = {EINVAL, EROFS, ENOTSUP};
    for (size_t i = 0; i < 3; i++) {
        scarce_fail("fsync", 1, harmless[i]);
        cr_assert(parts_sync_older(path.text, 2), "it has nothing to wait for");
    }
    folder_free(&folder);
}

/* In the build's folder, since TMPDIR may be in memory. */
Test(parts, a_real_disk_takes_all_that_is_written_through_to_it)
{
    struct folder folder = folder_new_below(".");
    struct folder_path path = folder_file(&folder, "run");
    put(&folder, "run.1", 'b');
    put(&folder, "run.1.pace", 'B');
    cr_assert(parts_sync_older(path.text, 2), "%s", strerror(errno));
    expect(&folder, "run.1", 'b');
    folder_free(&folder);
}

/* The folder of a path is the part before its last slash, or the working directory. */
Test(parts, the_folder_is_waited_for_however_the_path_is_written)
{
    char long_path[PATH_MAX + 8];
    memset(long_path, 'x', sizeof long_path);
    memcpy(long_path + sizeof long_path - 5, "/run", 5);
    struct folder folder = folder_new();
    cr_assert_eq(chdir(folder.path), 0);
    static const char *const paths[] = {"run", "./run", "/run"};
    for (size_t i = 0; i < 3; i++) {
        scarce_fail("fsync", 1, EIO);
        cr_assert_not(parts_sync_older(paths[i], 1), "%s", paths[i]);
        cr_assert(parts_sync_older(paths[i], 1), "%s", paths[i]);
    }
    cr_assert(parts_sync_older(long_path, 1), "no file can be there");
    folder_free(&folder);
}
