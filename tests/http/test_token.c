/* test_token.c - where a generated token is stored, and where not. */
#include "server/token.h"

#include "nobody.h"
#include "support/folder.h"
#include "support/scarce.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static struct folder folder;
static char home[96], runtime[96], path[PATH_MAX];
static struct error err;

/* $HOME and $XDG_RUNTIME_DIR are empty folders of this user's. */
static void open_folders(void)
{
    folder = folder_new();
    snprintf(home, sizeof home, "%s/home", folder.path);
    snprintf(runtime, sizeof runtime, "%s/run", folder.path);
    cr_assert(mkdir(home, 0700) == 0 && mkdir(runtime, 0700) == 0);
    setenv("HOME", home, 1);
    setenv("XDG_RUNTIME_DIR", runtime, 1);
}

static void close_folders(void)
{
    static const char *const left[] = {"run/miniprofd", "run", "home/.cache/miniprofd", "home/.cache",
                                       "home"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        remove(folder_file(&folder, left[i]).text);
    folder_free(&folder);
}

TestSuite(own_token, .init = open_folders, .fini = close_folders);

/* Makes a token, which must lie in that folder, and deletes it. */
static void expect_in(const char *top, const char *name)
{
    char line[64] = "", begin[160];
    struct stat about;
    snprintf(begin, sizeof begin, "%s/%s/token-", top, name);
    cr_assert(token_make(path, &err), "%s", err.text);
    cr_expect(strncmp(path, begin, strlen(begin)) == 0, "%s", path);
    int fd = open(path, O_RDONLY);
    cr_assert(fd >= 0 && fstat(fd, &about) == 0);
    cr_expect_eq(about.st_mode & 0777, 0600);
    cr_expect_eq(read(fd, line, sizeof line), 33, "32 digits and the end of the line");
    cr_expect_eq(strspn(line, "0123456789abcdef"), 32);
    close(fd);
    unlink(path);
}

static void expect_none(const char *words)
{
    err = (struct error){0};
    cr_expect_not(token_make(path, &err), "%s", path);
    cr_expect(strstr(err.text, words), "%s", err.text);
}

Test(own_token, the_file_is_in_the_runtime_folder_or_at_home)
{
    expect_in(runtime, "miniprofd");
    cr_assert_eq(chdir(folder.path), 0);
    setenv("XDG_RUNTIME_DIR", "run", 1);
    expect_in(home, ".cache/miniprofd");
    unsetenv("XDG_RUNTIME_DIR");
    expect_in(home, ".cache/miniprofd");
}

Test(own_token, each_token_is_new)
{
    char first[PATH_MAX], text[2][33] = {"", ""};
    cr_assert(token_make(first, &err) && token_make(path, &err), "%s", err.text);
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(i ? path : first, "r");
        cr_assert(file && fread(text[i], 1, 32, file) == 32);
        fclose(file);
        unlink(i ? path : first);
    }
    cr_expect_str_neq(text[0], text[1]);
}

Test(own_token, a_folder_open_to_others_is_not_used)
{
    char there[128], elsewhere[128];
    snprintf(there, sizeof there, "%s/miniprofd", runtime);
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", home);
    cr_assert_eq(mkdir(there, 0750), 0);
    expect_in(home, ".cache/miniprofd");
    cr_assert_eq(rmdir(there), 0);
    cr_assert(mkdir(elsewhere, 0700) == 0 && symlink(elsewhere, there) == 0);
    expect_in(home, ".cache/miniprofd");
    cr_assert(unlink(there) == 0 && rmdir(elsewhere) == 0);
    FILE *file = fopen(there, "w");
    cr_assert(file && fclose(file) == 0 && chmod(there, 0600) == 0);
    expect_in(home, ".cache/miniprofd");
    cr_assert_eq(unlink(there), 0);
    setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
    expect_in(home, ".cache/miniprofd");
}

Test(own_token, a_folder_of_another_user_is_not_used)
{
    char there[128];
    snprintf(there, sizeof there, "%s/miniprofd", runtime);
    if (geteuid() != 0)
        cr_skip_test("only root can make a folder that is somebody else's");
    cr_assert(mkdir(there, 0700) == 0 && chown(there, NOBODY, (gid_t)-1) == 0);
    expect_in(home, ".cache/miniprofd");
}

Test(own_token, there_is_no_token_without_a_folder)
{
    cr_assert_eq(chdir(folder.path), 0);
    unsetenv("XDG_RUNTIME_DIR");
    setenv("HOME", "home", 1); /* it exists, but is relative to the working directory */
    expect_none("neither XDG_RUNTIME_DIR nor HOME");
    unsetenv("HOME");
    expect_none("neither XDG_RUNTIME_DIR nor HOME");
}

Test(own_token, there_is_no_token_below_a_path_that_is_too_long)
{
    static char longest[PATH_MAX + 1];
    memset(longest, 'x', PATH_MAX);
    longest[0] = '/';
    setenv("XDG_RUNTIME_DIR", longest, 1);
    expect_in(home, ".cache/miniprofd");
    setenv("HOME", longest, 1);
    expect_none("neither XDG_RUNTIME_DIR nor HOME");

    /* A folder that is there, and has no room for a name behind it. */
    size_t n = strlen(strcpy(longest, home));
    while (n + sizeof "/miniprofd" + 12 < PATH_MAX)
        n += (size_t)sprintf(longest + n, "/.");
    setenv("XDG_RUNTIME_DIR", longest, 1);
    setenv("HOME", "", 1);
    expect_none("neither XDG_RUNTIME_DIR nor HOME");
    remove(folder_file(&folder, "home/miniprofd").text);
}

Test(own_token, that_cannot_be_written_leaves_no_file)
{
    char there[128];
    snprintf(there, sizeof there, "%s/miniprofd", runtime);
    scarce_fail("write", 1, ENOSPC);
    expect_none("No space left");
    scarce_fail("getrandom", 1, ENOSYS);
    expect_none("Cannot write the token file");
    cr_expect_eq(rmdir(there), 0, "it is empty");

    cr_assert(mkdir(there, 0500) == 0 && chmod(runtime, 0755) == 0 && chmod(folder.path, 0755) == 0);
    cr_assert(geteuid() != 0 || chown(there, NOBODY, (gid_t)-1) == 0);
    bool is_root = rights_drop();
    expect_none("Cannot make the token file");
    rights_restore(is_root);
}
