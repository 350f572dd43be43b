/* test_parts.c - the names of a recording in parts, where somebody else has been at the files. */
#include "session/parts.h"

#include "support/folder.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sys/stat.h>

/* Makes a file whose content is `letter`. */
static void put(const struct folder *folder, const char *name, char letter)
{
    struct folder_path path = folder_file(folder, name);
    folder_write(&path, &letter, 1);
}

/* What the file holds; '-' when there is none. */
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

Test(parts, one_that_was_deleted_meanwhile_is_missing_and_the_others_go_on)
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

Test(parts, the_oldest_goes_and_may_have_gone_before)
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

Test(parts, what_is_no_disk_is_passed_over_and_a_failure_is_not)
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
