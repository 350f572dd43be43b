/* test_places.c - files of functions are reported by their path on this machine, or not at all. */
#include "check/places.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/miniprofd-places-XXXXXX";

static void make(const char *path)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *at = strchr(whole + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(whole, 0700);
        *at = '/';
    }
    FILE *file = fopen(whole, "w");
    cr_assert_not_null(file);
    fclose(file);
}

/* Expects the path of a file; "" for none. */
static void expect(const struct places *places, const char *directory, const char *file, const char *place)
{
    char here[512];
    snprintf(here, sizeof here, directory[0] == '@' ? "%s%s" : "%.0s%s", root,
             directory + (directory[0] == '@'));
    struct measured_function function = {.name = "f", .file = file, .directory = here};
    struct gate_row row = {.after = &function};
    struct gate_result result = {.rows = &row, .n = 1};
    places_find(places, &result);
    cr_expect_str_eq(row.place ? row.place : "", place, "%s, %s", directory, file);
    free(row.place);
}

Test(places, only_existing_files_are_reported)
{
    cr_assert_not_null(mkdtemp(root));
    make("src/app.c");
    make("lib/app.c");
    make("main.c");
    struct places places = {.root = root};
    expect(&places, "@/build", "../src/app.c", "src/app.c");
    expect(&places, "@/build", "../src/./x/../app.c", "src/app.c");
    expect(&places, "@", "src/app.c", "src/app.c");
    expect(&places, "", "src/app.c", "src/app.c");
    expect(&places, "", "../src/app.c", "src/app.c");
    expect(&places, "", "main.c", "main.c");
    expect(&places, "/builds/7/board/build", "../src/app.c", "src/app.c"); /* built elsewhere */
    expect(&places, "", "/builds/7/board/lib/app.c", "lib/app.c");
    expect(&places, "", "C:\\ci\\2\\board\\src\\app.c", "src/app.c");
    expect(&places, "", "/other/main.c", ""); /* a name alone is ambiguous */
    expect(&places, "", "/builds/7/src/none.c", "");
    expect(&places, "", "../../../../../etc/passwd", "");
    expect(&places, "@/build", "../../outside.c", "");
    expect(&places, "", "", "");
    expect(&places, "", "src", ""); /* a folder */
    char whole[512], source[512];
    snprintf(whole, sizeof whole, "%s/lib/app.c", root);
    snprintf(source, sizeof source, "%s/src", root);
    const struct places other = {.root = source};
    expect(&other, "@/build", "../lib/app.c", whole); /* elsewhere on this machine */
    expect(&other, "@/build", "../src/app.c", "app.c");
    cr_assert(places_add_map(&places, "/builds/7=.") && !places_add_map(&places, "x"));
    cr_assert(places_add_map(&places, "/sdk/9=lib") && !places_add_map(&places, "x="));
    expect(&places, "/sdk/9", "app.c", "lib/app.c");
    expect(&places, "/sdk/99", "app.c", "");
    const char *const made[] = {"src/app.c", "lib/app.c", "main.c", "src", "lib", ""};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        snprintf(whole, sizeof whole, "%s/%s", root, made[i]);
        cr_expect_eq(remove(whole), 0);
    }
}
