/* test_annotation.c - a function's source and instructions over HTTP, and unusual source files. */
#include "fixture.h"

#include "base/jsonio.h"
#include "api/textfile.h"
#include "support/scarce.h"
#include "support/two_functions.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct fixture fixture;
static char folder[] = "/tmp/test_annotation.XXXXXX";
static struct http_source_path map;
static unsigned status;

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t n)
{
    FILE *file = fopen(in_folder(name), "wb");
    cr_assert(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static void write_source(const char *name, unsigned lines)
{
    char text[4096];
    int n = 0;
    for (unsigned i = 1; i <= lines; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "line %u\r\n", i);
    write_file(name, text, (size_t)n);
}

static void modified(const char *name, time_t when)
{
    struct timespec times[2] = {{.tv_sec = when}, {.tv_sec = when}};
    cr_assert_eq(utimensat(AT_FDCWD, in_folder(name), times, 0), 0);
}

static void sample(uint64_t address, uint64_t count, uint64_t bytes)
{
    profile_apply(fixture.profile, &(struct event){.kind = EVENT_SAMPLE, .sample = {address, count, bytes}},
                  1);
}

/* Function 0 is f, function 1 is g, function 2 has no address. The ELF is as old as 1000 s after 1970. */
static void open_site(void)
{
    size_t n;
    uint8_t *elf = two_functions_elf(true, &n);
    struct error err = {0};
    cr_assert(mkdtemp(folder));
    write_file("fw.elf", elf, n);
    modified("fw.elf", 1000);
    free(elf);
    fixture_init(&fixture);
    map = (struct http_source_path){.from = "", .to = folder};
    fixture.settings.source_paths = &map;
    fixture.settings.source_path_n = 1;
    struct symtab *symtab = symtab_load(in_folder("fw.elf"), &err);
    cr_assert(symtab, "%s", err.text);
    pthread_mutex_lock(&fixture.lock);
    profile_set_symbols(fixture.profile, symtab);
    sample(F, 3, 0);
    sample(F + 2, 5, 8);
    sample(G, 1, 0);
    profile_apply(fixture.profile,
                  &(struct event){.kind = EVENT_ENTER, .flags = EVENT_BY_NAME, .named = {"wired", 5}}, 1);
    pthread_mutex_unlock(&fixture.lock);
    symtab_unref(symtab);
    fixture_publish(&fixture);
    fixture_open_site(&fixture);
}

static void close_site(void)
{
    static const char *const left[] = {"main.c", "fw.elf", "inc/p.h", "inc", "pipe"};
    fixture_fini(&fixture);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        remove(in_folder(left[i]));
    cr_assert_eq(rmdir(folder), 0);
}

TestSuite(annotation, .init = open_site, .fini = close_site);

static struct jsonio *get(const char *target)
{
    return fixture_json(&fixture, "GET", target, NULL, &status);
}

static const struct jsonio *row(const struct jsonio *json, const char *list, size_t index)
{
    return jsonio_at(jsonio_member(json, list), index);
}

static void expect_text(const struct jsonio *object, const char *name, const char *text)
{
    const char *found = jsonio_text(jsonio_member(object, name));
    cr_expect(found && strcmp(found, text) == 0, "%s is %s instead of %s", name, found ? found : "no text",
              text);
}

static void expect_number(const struct jsonio *object, const char *name, double number)
{
    double found = -1;
    cr_expect(jsonio_double(jsonio_member(object, name), &found) && found == number, "%s is %g instead of %g",
              name, found, number);
}

static void expect_available(const struct jsonio *json, bool source, bool disassembly)
{
    const struct jsonio *available = jsonio_member(json, "available"),
                        *reason = jsonio_member(json, "reason");
    bool found = !source;
    jsonio_bool(jsonio_member(available, "source"), &found);
    cr_expect_eq(found, source);
    cr_expect_eq(jsonio_is_null(jsonio_member(reason, "source")), source);
    jsonio_bool(jsonio_member(available, "disassembly"), &found);
    cr_expect_eq(found, disassembly);
    cr_expect_eq(jsonio_is_null(jsonio_member(reason, "disassembly")), disassembly);
}

Test(annotation, lines_and_instructions_of_a_function)
{
    write_source("main.c", 30);
    struct jsonio *json = get("/api/v1/functions/0/source");
    cr_assert_eq(status, 200);
    expect_text(json, "name", "f");
    expect_text(json, "file", "main.c");
    expect_text(json, "path", in_folder("main.c"));
    expect_number(json, "line", 10);
    expect_number(json, "bin_bytes", 8);
    expect_number(json, "left_out", 0);
    expect_available(json, true, true);
    cr_expect_eq(jsonio_count(jsonio_member(json, "lines")), 3, "10 to 12");
    expect_text(row(json, "lines", 0), "text", "line 10");
    expect_number(row(json, "lines", 0), "samples", 3);
    expect_number(row(json, "lines", 1), "instructions", 0);
    expect_number(row(json, "lines", 2), "line", 12);
    expect_number(row(json, "lines", 2), "samples", 2.5);
    const struct jsonio *call = row(json, "instructions", 1);
    expect_text(call, "address", "0x00008002");
    expect_text(call, "bytes", "f000 f803");
    expect_text(call, "text", "bl #0x800c");
    expect_number(call, "line", 12);
    expect_number(call, "samples", 2.5);
    expect_text(jsonio_member(call, "target"), "name", "g");
    expect_number(jsonio_member(call, "target"), "function", 1);
    jsonio_free(json);
}

Test(annotation, lines_from_elsewhere_stand_apart)
{
    write_source("main.c", 30);
    cr_assert_eq(mkdir(in_folder("inc"), 0700), 0);
    write_source("inc/p.h", 5);
    struct jsonio *json = get("/api/v1/functions/0/source");
    const struct jsonio *inlined = jsonio_member(json, "inlined");
    cr_assert_eq(jsonio_count(inlined), 2, "main.c:20 is g's, and p.h:3");
    expect_number(jsonio_at(inlined, 0), "file", 0);
    expect_number(row(jsonio_at(inlined, 0), "lines", 0), "line", 20);
    expect_text(row(jsonio_at(inlined, 1), "lines", 0), "text", "line 3");
    expect_text(row(json, "files", 1), "path", in_folder("inc/p.h"));
    jsonio_free(json);
}

Test(annotation, without_the_file_line_numbers_and_advice_are_given)
{
    struct jsonio *json = get("/api/v1/functions/0/source");
    cr_assert_eq(status, 200);
    expect_available(json, false, true);
    const char *reason = jsonio_text(jsonio_member(jsonio_member(json, "reason"), "source"));
    cr_expect(reason && strstr(reason, in_folder("main.c")) && strstr(reason, "--source-path"), "%s", reason);
    cr_expect_eq(jsonio_count(jsonio_member(json, "lines")), 2);
    cr_expect(jsonio_is_null(jsonio_member(row(json, "lines", 1), "text")));
    expect_number(row(json, "lines", 1), "line", 12);
    jsonio_free(json);
}

Test(annotation, a_file_shorter_than_the_function_is_shown_to_its_end)
{
    write_source("main.c", 11);
    struct jsonio *json = get("/api/v1/functions/0/source");
    cr_expect_eq(jsonio_count(jsonio_member(json, "lines")), 3);
    cr_expect(jsonio_is_null(jsonio_member(row(json, "lines", 2), "text")));
    jsonio_free(json);
}

Test(annotation, a_file_newer_than_the_program_is_marked)
{
    bool changed = true;
    write_source("main.c", 30);
    modified("main.c", 999);
    struct jsonio *json = get("/api/v1/functions/0/source");
    cr_expect(jsonio_bool(jsonio_member(row(json, "files", 0), "changed"), &changed) && !changed);
    jsonio_free(json);
    modified("main.c", 1001);
    json = get("/api/v1/functions/0/source");
    cr_expect(jsonio_bool(jsonio_member(row(json, "files", 0), "changed"), &changed) && changed);
    jsonio_free(json);
}

Test(annotation, a_program_without_a_date_has_no_newer_files)
{
    bool changed = true;
    struct error err = {0};
    modified("fw.elf", 0); /* as builds do that are to come out the same each time */
    struct symtab *symtab = symtab_load(in_folder("fw.elf"), &err);
    cr_assert(symtab, "%s", err.text);
    pthread_mutex_lock(&fixture.lock);
    profile_set_symbols(fixture.profile, symtab);
    pthread_mutex_unlock(&fixture.lock);
    symtab_unref(symtab);
    fixture_publish(&fixture);
    write_source("main.c", 30);
    struct jsonio *json = get("/api/v1/functions/0/source");
    cr_expect(jsonio_bool(jsonio_member(row(json, "files", 0), "changed"), &changed) && !changed);
    jsonio_free(json);
}

Test(annotation, a_mapped_path_that_is_too_long_is_shown_unmapped)
{
    static char deep[PATH_MAX];
    memset(deep, 'x', sizeof deep - 3);
    map.to = deep;
    struct jsonio *json = get("/api/v1/functions/0/source");
    cr_assert_eq(status, 200);
    expect_text(json, "path", "main.c");
    expect_text(jsonio_member(json, "reason"), "source", "The path of this source file is too long.");
    jsonio_free(json);
}

Test(annotation, any_bytes_become_text_and_long_lines_are_cut)
{
    char bytes[6000];
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "\n\n\n\n\n\n\n\n\n\xff<\t\x01\n", 14);
    write_file("main.c", bytes, sizeof bytes);
    struct jsonio *json = get("/api/v1/functions/0/source");
    expect_text(row(json, "lines", 0), "text", "\xef\xbf\xbd<\t\x01");
    cr_expect_eq(strlen(jsonio_text(jsonio_member(row(json, "lines", 1), "text"))), 1000);
    jsonio_free(json);
}

static void expect_refused(const char *words)
{
    struct jsonio *json = get("/api/v1/functions/0/source");
    cr_expect_eq(status, 200);
    expect_available(json, false, true);
    const char *reason = jsonio_text(jsonio_member(jsonio_member(json, "reason"), "source"));
    cr_expect(reason && strstr(reason, words), "%s", reason);
    jsonio_free(json);
}

Test(annotation, a_directory_pipe_device_giant_or_program_is_not_read, .timeout = 300)
{
    struct error err;
    struct textfile text;
    cr_assert_eq(mkdir(in_folder("main.c"), 0700), 0);
    expect_refused("no regular file");
    rmdir(in_folder("main.c"));
    cr_assert_eq(mkfifo(in_folder("main.c"), 0600), 0);
    expect_refused("no regular file");
    remove(in_folder("main.c"));
    write_file("main.c", "", 0);
    cr_assert_eq(truncate(in_folder("main.c"), (TEXTFILE_MOST << 20) + 1), 0);
    expect_refused("8 MiB");
    write_file("main.c", "a\0b", 3);
    expect_refused("not text");
    char *lines = malloc(TEXTFILE_LINES_MOST + 1);
    memset(lines, '\n', TEXTFILE_LINES_MOST + 1);
    write_file("main.c", lines, TEXTFILE_LINES_MOST + 1);
    expect_refused("lines");
    write_file("main.c", lines, 999);
    cr_expect_not(textfile_init(&text, in_folder("main.c"), 4998, &err));
    cr_expect(strstr(err.text, "too many"), "%s", err.text);
    cr_assert(textfile_init(&text, in_folder("main.c"), 5003, &err), "%s", err.text);
    cr_expect_eq(text.lines, 999);
    cr_expect(textfile_bytes(&text) <= 5003);
    textfile_fini(&text);
    free(lines);
    cr_expect_not(textfile_init(&text, "/dev/zero", SIZE_MAX, &err));
}

Test(annotation, a_function_without_an_address_has_no_source)
{
    struct jsonio *json = get("/api/v1/functions/2/source");
    cr_assert_eq(status, 200);
    expect_text(json, "name", "wired");
    cr_expect(jsonio_is_null(jsonio_member(json, "address")));
    expect_available(json, false, false);
    cr_expect_eq(jsonio_count(jsonio_member(json, "instructions")), 0);
    jsonio_free(json);
}

Test(annotation, unknown_functions_and_queries_are_refused)
{
    static const struct {
        const char *target;
        unsigned status;
    } cases[] = {
        {"/api/v1/functions/3/source", 404},        {"/api/v1/functions/4294967296/source", 404},
        {"/api/v1/functions/x/source", 400},        {"/api/v1/functions/-1/source", 400},
        {"/api/v1/functions//source", 404},         {"/api/v1/functions/0/source/", 404},
        {"/api/v1/functions/0/sources", 404},       {"/api/v1/functions/0/source?path=/etc/passwd", 400},
        {"/api/v1/functions/0/%2e%2e/source", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jsonio_free(get(cases[i].target));
        cr_expect_eq(status, cases[i].status, "%s: %u", cases[i].target, status);
    }
}

Test(annotation, the_number_of_answers_at_a_time_is_limited)
{
    struct response sent[4];
    for (int i = 0; i < 4; i++)
        sent[i] = fixture_ask(&fixture, "GET", "/api/v1/functions/0/source", NULL);
    struct response refused = fixture_ask(&fixture, "GET", "/api/v1/functions/0/source", NULL);
    cr_expect_eq(refused.status, 503);
    cr_expect_not_null(response_header_value(&refused, "Retry-After"));
    response_fini(&refused);
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(sent[i].status, 200);
        response_fini(&sent[i]);
    }
    cr_expect_eq(fixture.site.annotations, 0);
}

Test(annotation, a_text_is_split_at_line_ends)
{
    struct error err = {0};
    struct textfile text;
    size_t n = 1;
    write_file("main.c", "\r\n\nlast", 7);
    cr_assert(textfile_init(&text, in_folder("main.c"), 1000, &err), "%s", err.text);
    cr_expect_eq(text.lines, 3);
    cr_expect(textfile_line(&text, 1, &n) && n == 0);
    cr_expect(textfile_line(&text, 2, &n) && n == 0);
    const char *last = textfile_line(&text, 3, &n);
    cr_expect(n == 4 && memcmp(last, "last", 4) == 0);
    cr_expect_null(textfile_line(&text, 4, &n));
    cr_expect_null(textfile_line(&text, 0, &n), "lines count from 1");
    textfile_fini(&text);
    bool is_told = false;
    for (unsigned nth = 1; nth < 10 && !is_told; nth++) {
        scarce_begin(nth);
        bool good = textfile_init(&text, in_folder("main.c"), 1000, &err);
        cr_assert(scarce_end() && !good);
        is_told = strstr(err.text, "Out of memory while reading the source file") != NULL;
    }
    cr_expect(is_told, "%s", err.text);
}

static void expect_place(const char *from, const char *to, const char *path, const char *wanted)
{
    char room[PATH_MAX];
    const struct http_source_path one = {from, to};
    const char *found = textfile_place(&one, 1, path, room);
    cr_expect(found && strcmp(found, wanted) == 0, "%s=%s: %s becomes %s", from, to, path,
              found ? found : "nothing");
}

Test(annotation, the_front_of_a_path_is_replaced_by_whole_directories)
{
    expect_place("/build", "/home/me", "/build/src/a.c", "/home/me/src/a.c");
    expect_place("/build/", "/home/me", "/build/src/a.c", "/home/me/src/a.c");
    expect_place("/build", "/home/me/", "/build/src/a.c", "/home/me/src/a.c");
    expect_place("/build", "/home/me", "/builds/src/a.c", "/builds/src/a.c");
    expect_place("/build/src/a.c", "/b.c", "/build/src/a.c", "/b.c");
    expect_place("", "/home/me", "src/a.c", "/home/me/src/a.c");
    expect_place("", "/home/me", "/src/a.c", "/src/a.c");
    expect_place("C:", "/mnt/c", "C:/fw/a.c", "/mnt/c/fw/a.c");
    expect_place("/build", "", "/build/src/a.c", "src/a.c");
    expect_place("/build/", "/", "/build/src/a.c", "/src/a.c");

    char room[PATH_MAX], *longer = calloc(1, PATH_MAX + 1);
    memset(longer, 'x', PATH_MAX - 2);
    cr_expect_null(textfile_place(&(struct http_source_path){"", "/home"}, 1, longer, room));
    longer[PATH_MAX - 2] = longer[PATH_MAX - 1] = 'x';
    cr_expect_null(textfile_place(NULL, 0, longer, room));
    free(longer);
    const struct http_source_path several[] = {{"/a/b", "/first"}, {"/a", "/second"}};
    cr_expect_str_eq(textfile_place(several, 2, "/a/b/c", room), "/first/c");
    cr_expect_str_eq(textfile_place(several, 2, "/a/c", room), "/second/c");
}
