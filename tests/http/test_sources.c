/* test_sources.c - which of the files that an ELF names are shown. */
#include "api/sources.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "/tmp/test_sources.XXXXXX";
static char elf[64], build[64];
static struct sources sources;

static const char *const folders[] = {"fw", "fw/build", "fw/src", "other", "other/include"};
static const char *const files[] = {"fw/build/fw.elf",  "fw/build/gen.c", "fw/src/main.c",
                                    "fw/src/password",  "other/key.c",    "other/id_rsa",
                                    "other/include/x.h"};

static const char *at(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", top, name);
    return path;
}

static void prepare(void)
{
    char to[128];
    cr_assert_not_null(mkdtemp(top));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        cr_assert_eq(mkdir(at(folders[i]), 0700), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        fclose(fopen(at(files[i]), "w"));
    snprintf(to, sizeof to, "%s/other/key.c", top);
    cr_assert_eq(symlink(to, at("fw/src/link.c")), 0);
    snprintf(elf, sizeof elf, "%s", at("fw/build/fw.elf"));
    snprintf(build, sizeof build, "%s", at("fw/build"));
    sources = (struct sources){.elf = elf};
}

static void clean_up(void)
{
    remove(at("fw/src/link.c"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(at(files[i]));
    for (size_t i = sizeof folders / sizeof *folders; i-- > 0;)
        rmdir(at(folders[i]));
    cr_assert_eq(rmdir(top), 0);
}

TestSuite(sources, .init = prepare, .fini = clean_up);

static bool shown_of(const char *path, const char *built_in)
{
    char real[PATH_MAX];
    struct error err = {""};
    bool good = sources_admit(&sources, path, built_in, real, &err);
    cr_expect(good == (*err.text == '\0'), "%s: %s", path, err.text);
    return good;
}

static bool shown(const char *name)
{
    return shown_of(at(name), build);
}

Test(sources, those_with_the_program_are_shown)
{
    cr_expect(shown("fw/build/gen.c"), "below the folder that the compiler ran in");
    cr_expect(shown("fw/src/main.c"), "beside it");
    cr_expect(shown("fw/src/../src/main.c"));
    cr_expect(shown_of(at("fw/build/gen.c"), NULL), "below the ELF's folder");
    cr_expect_not(shown_of(at("fw/src/main.c"), NULL));
    cr_expect_not(shown_of(at("fw/src/main.c"), "."), "whose folder would that be?");
}

Test(sources, others_are_not_whatever_the_elf_says)
{
    cr_expect_not(shown("other/key.c"));
    cr_expect_not(shown("fw/../other/key.c"));
    cr_expect_not(shown("fw/src/link.c"), "the link leads away");
    cr_expect_not(shown("fw/src/password"), "no source has such a name");
    cr_expect_not(shown("fw/src"), "a folder has none either");
    cr_expect_not(shown_of("/etc/passwd", "/etc"));
    cr_expect_not(shown_of("/etc/passwd", "/"));
    cr_expect_not(shown_of("/usr/include/stdio.h", "/"), "all would be below that");
    cr_expect_not(shown_of("/bin/sh", "/bin"), "no dot anywhere");
    cr_expect_not(shown("nothing.c"), "it is not there");
    sources.elf = "";
    cr_expect_not(shown_of(at("fw/build/gen.c"), NULL));
    sources.elf = "/etc"; /* of the topmost folder, below which all is */
    cr_expect_not(shown_of(at("fw/build/gen.c"), NULL));
    cr_expect_not(shown_of(at("fw/build/gen.c"), "/etc"));
}

Test(sources, a_folder_that_is_not_there_or_is_the_root_has_nothing)
{
    char gone[64];
    snprintf(gone, sizeof gone, "%s", at("fw/gone"));
    cr_expect_not(shown_of(at("fw/src/main.c"), gone));
    cr_expect_not(shown_of(at("fw/src/main.c"), "/nonexistent"));
    sources.elf = "/fw.elf";
    cr_expect_not(shown_of(at("fw/build/gen.c"), NULL));
    sources.elf = elf;
    struct http_source_path maps[] = {{.from = "/a", .to = "/nonexistent"}, {.from = "/b", .to = "/"}};
    sources.maps = maps;
    sources.map_n = 2;
    cr_expect_not(shown("other/key.c"));
}

Test(sources, the_user_may_say_where_sources_are)
{
    char other[64];
    snprintf(other, sizeof other, "%s", at("other"));
    struct http_source_path map = {.from = "/somewhere", .to = other};
    sources.maps = &map;
    sources.map_n = 1;
    cr_expect(shown("other/key.c"));
    cr_expect(shown("other/include/x.h"));
    cr_expect(shown("other/id_rsa"), "the user allowed it");
    cr_expect(shown("fw/src/link.c"), "it is there in the end");
    cr_expect(shown("fw/src/main.c"));
    sources.map_n = 0;
    cr_expect_not(shown("other/key.c"));
    sources.any = true;
    cr_expect(shown("other/key.c"));
    cr_expect(shown_of("/etc/passwd", NULL));
}
