/* test_defaults.c - the system's options file has the lowest precedence. */
#include "cli/options.h"
#include "cli/sections.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], system_file[96], users_file[96];

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fputs(text, file) < 0, false);
    cr_assert_eq(fclose(file), 0);
}

static void make_files(void)
{
    char below[80];
    snprintf(folder, sizeof folder, "/tmp/miniprofd-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(below, sizeof below, "%s/miniprofd", folder);
    cr_assert_eq(mkdir(below, 0700), 0);
    snprintf(system_file, sizeof system_file, "%s/system.json", folder);
    snprintf(users_file, sizeof users_file, "%s/config.json", below);
    setenv("XDG_CONFIG_HOME", folder, 1);
    unsetenv("MINIPROFD_PORT");
    unsetenv("MINIPROFD_BAUD");
    unsetenv("MINIPROFD_CONFIG");
}

static void remove_files(void)
{
    char below[80];
    snprintf(below, sizeof below, "%s/miniprofd", folder);
    unlink(system_file);
    unlink(users_file);
    rmdir(below);
    rmdir(folder);
}

/* Expects this port and rate from the files and the command line. */
static void expect_read(char *const *argv, const char *port, uint32_t baud)
{
    struct options options;
    struct error err = {""};
    int argc = 0;
    while (argv[argc])
        argc++;
    cr_assert(options_parse_below(&options, system_file, argc, argv, &err), "%s", err.text);
    cr_expect_str_eq(options.port, port);
    cr_expect_eq(options.baud, baud);
    options_free(&options);
}

static const struct argument_option own_rows[] = {
    {"metric", .value = "M"}, {"gone", .value = "G"}, {"quiet", 'q'}, {"help", 'h'}, {0}};
static const struct arguments own_arguments = {.command = "check", .options = own_rows};

/* Returns the command line joined from the files and this one, separated by spaces, or the error. */
static const char *joined(const char *const *argv)
{
    static char text[512];
    struct sections sections;
    struct error err = {""};
    int argc = 0;
    while (argv[argc])
        argc++;
    if (sections_read(&sections, &own_arguments, system_file, argc, (char *const *)(const void *)argv,
                      &err)) {
        text[0] = '\0';
        for (int i = 0; i < sections.argc; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", sections.argv[i]);
    } else {
        snprintf(text, sizeof text, "%s", err.text);
    }
    sections_free(&sections);
    return text;
}

TestSuite(defaults, .init = make_files, .fini = remove_files);

Test(defaults, the_system_file_is_the_last_fallback)
{
    char name[] = "miniprofd",
         port[] = "--port=file:cli", *const bare[] = {name, NULL}, *const given[] = {name, port, NULL};
    write_file(system_file, "{\"port\": \"file:system\", \"baud\": 9600}");
    expect_read(bare, "file:system", 9600);
    write_file(users_file, "{\"port\": \"file:user\"}");
    expect_read(bare, "file:user", 9600);
    setenv("MINIPROFD_PORT", "file:environment", 1);
    expect_read(bare, "file:environment", 9600);
    setenv("MINIPROFD_BAUD", "19200", 1);
    expect_read(given, "file:cli", 19200);
}

Test(defaults, a_system_without_a_file_is_fine_and_a_bad_one_is_named)
{
    char name[] = "miniprofd", port[] = "--port=file:cli", ask[] = "--help";
    char *const given[] = {name, port, NULL}, *const help[] = {name, ask, NULL};
    struct options options;
    struct error err = {""};
    expect_read(given, "file:cli", 115200);
    write_file(system_file, "{\"buad\": 9600}");
    cr_expect_not(options_parse_below(&options, system_file, 2, given, &err));
    cr_expect_not_null(strstr(err.text, "'buad'"), "%s", err.text);
    cr_expect_not_null(strstr(err.text, system_file), "%s", err.text);
    options_free(&options);
    cr_expect(options_parse_below(&options, system_file, 2, help, &err),
              "help is wanted most where a file is wrong");
    options_free(&options);
    write_file(system_file, "{");
    cr_expect_not(options_parse_below(&options, system_file, 2, given, &err));
    cr_expect_not_null(strstr(err.text, system_file), "%s", err.text);
    options_free(&options);
}

Test(defaults, a_section_of_a_stronger_file_replaces_an_option_of_a_weaker_one)
{
    const char *const bare[] = {"check", "--against", "x", NULL}, *const named[] = {"check", "--metric=m",
                                                                                    "-q", NULL};
    write_file(system_file, "{\"check\": {\"metric\": \"s\", \"gone\": [\"a\", \"b\"], \"quiet\": true}}");
    cr_expect_str_eq(joined(bare), "check --metric=s --gone=a --gone=b --quiet --against x");
    write_file(users_file, "{\"baud\": 9600, \"check\": {\"gone\": \"c\"}, \"top\": {\"batch\": true}}");
    cr_expect_str_eq(joined(bare), "check --gone=c --metric=s --quiet --against x");
    cr_expect_str_eq(joined(named), "check --gone=c --metric=m -q");
    write_file(users_file, "{\"check\": {\"quiet\": false, \"gone\": \"\"}}");
    cr_expect_str_eq(joined(bare), "check --gone= --metric=s --quiet --against x");
    write_file(users_file, "{\"check\": {\"help\": true}}");
    cr_expect(strstr(joined(bare), "'help' is no option of miniprofd check") &&
              strstr(joined(bare), users_file));
    const char *const help[] = {"check", "-h", NULL};
    cr_expect_str_eq(joined(help), "check -h");
    write_file(users_file, "{");
    cr_expect_not_null(strstr(joined(bare), users_file));
}
