/* test_wholefile.c - reading files named by users, without waiting for pipes or devices. */
#include "base/wholefile.h"

#include <criterion/criterion.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/wholefile.XXXXXX";
static char path[sizeof folder + 16];

static void open_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
}

static void remove_folder(void)
{
    remove(path);
    rmdir(folder);
}

TestSuite(wholefile, .init = open_folder, .fini = remove_folder);

static void expect_refused(const char *at, const char *says)
{
    struct wholefile file;
    struct error err = {""};
    cr_expect_not(wholefile_read(&file, "thing", at, 1, &err));
    cr_expect_null(file.bytes);
    cr_expect(strstr(err.text, at) && strstr(err.text, "thing") && strstr(err.text, says), "%s", err.text);
}

Test(wholefile, a_file_is_read_whole)
{
    static const char text[] = "a\0b\n";
    struct wholefile file;
    struct error err = {""};
    FILE *out = fopen(path, "w");
    cr_assert(out && fwrite(text, 1, 4, out) == 4 && fclose(out) == 0);
    cr_assert(wholefile_read(&file, "thing", path, 1, &err), "%s", err.text);
    cr_expect_eq(file.n, 4);
    cr_expect_arr_eq(file.bytes, text, 5, "a NUL stands behind it");
    cr_expect(file.modified_s > 0);
    free(file.bytes);
}

Test(wholefile, special_files_are_refused_without_waiting)
{
    expect_refused(path, "No such file");
    expect_refused(folder, "no regular file");
    expect_refused("/dev/zero", "no regular file");
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_refused(path, "no regular file");
}

Test(wholefile, the_size_is_checked_first)
{
    struct wholefile file;
    struct error err = {""};
    FILE *out = fopen(path, "w");
    cr_assert(out && fclose(out) == 0);
    cr_assert_eq(truncate(path, 1 << 20), 0);
    cr_assert(wholefile_read(&file, "thing", path, 1, &err), "%s", err.text);
    cr_expect_eq(file.n, 1 << 20);
    free(file.bytes);
    cr_assert_eq(truncate(path, (1 << 20) + 1), 0);
    expect_refused(path, "1 MiB");
}
