/* test_save.c - an export is written whole or not at all, and never through an existing file. */
#include "export/export.h"
#include "profile/profile.h"
#include "support/folder.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct snapshot *snapshot;
static struct folder folder;
static struct error err;

static void prepare(void)
{
    static const struct snapshot_source source = {.port = "/dev/ttyX", .dialect = "miniprof"};
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    struct profile *profile = profile_new(NULL);
    snapshot = profile_freeze(profile, &source, &target, &link);
    profile_free(profile);
    folder = folder_new();
}

static void clean_up(void)
{
    snapshot_unref(snapshot);
    folder_free(&folder);
}

TestSuite(save, .init = prepare, .fini = clean_up, .timeout = 60);

static bool save(const struct folder_path *path)
{
    return export_to_path(exporter_find("json"), snapshot, path->text, &err);
}

static size_t size_of(const struct folder_path *path)
{
    struct stat about;
    cr_assert_eq(lstat(path->text, &about), 0);
    cr_assert(S_ISREG(about.st_mode));
    return (size_t)about.st_size;
}

static unsigned files(void)
{
    unsigned n = 0;
    DIR *names = opendir(folder.path);
    for (struct dirent *name; (name = readdir(names));)
        n += name->d_name[0] != '.';
    closedir(names);
    return n;
}

Test(save, a_file_takes_the_place_of_the_one_before)
{
    struct folder_path path = folder_file(&folder, "p.json");
    folder_write(&path, "old", 3);
    cr_expect(save(&path), "%s", err.text);
    cr_expect(size_of(&path) > 100);
    cr_expect_eq(files(), 1, "nothing is left beside it");
}

Test(save, links_and_pipes_beside_it_are_not_written_to)
{
    struct folder_path path = folder_file(&folder, "p.json"), part = folder_file(&folder, "p.json.part"),
                       victim = folder_file(&folder, "victim");
    folder_write(&victim, "mine", 4);
    cr_assert_eq(symlink(victim.text, part.text), 0);
    cr_expect(save(&path), "%s", err.text);
    cr_expect_eq(size_of(&victim), 4);
    cr_expect(size_of(&path) > 100);
    remove(part.text);
    cr_assert_eq(mkfifo(part.text, 0600), 0);
    cr_expect(save(&path), "%s", err.text);
}

Test(save, a_file_without_room_leaves_the_old_one)
{
    struct folder_path path = folder_file(&folder, "p.json");
    folder_write(&path, "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){50, RLIM_INFINITY}), 0);
    cr_expect_not(save(&path));
    cr_expect(strstr(err.text, path.text), "%s", err.text);
    cr_expect_eq(size_of(&path), 3);
    cr_expect_eq(files(), 1);
}
