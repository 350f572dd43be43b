/* test_targets_file.c - the targets file, which other programs also write: a file of another form stays unchanged,
 * as does one that could not be replaced as a whole. */
#include "announce/targets_file.h"

#include "base/clock.h"
#include "support/folder.h"
#include "support/scarce.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sys/stat.h>

#define STRANGER "[{\"targets\": [\"far:1\"], \"labels\": {\"rack\": \"7\"}}]"

enum { TEXT_SIZE = 2000 };

static const struct targets_entry ours = {
    .address = "near:7777", .board = "bench", .version = "0", .build_id = "", .process = ""};

struct list {
    struct folder folder;
    struct folder_path path, made;
    targets_deadline deadline;
};

static void list_init(struct list *list, const char *text)
{
    list->folder = folder_new();
    list->path = folder_file(&list->folder, "boards.json");
    list->made = folder_file(&list->folder, "boards.json.new");
    atomic_init(&list->deadline, clock_monotonic_ms() + 60000);
    folder_write(&list->path, text, strlen(text));
}

static void list_read(const struct list *list, char text[static TEXT_SIZE])
{
    FILE *file = fopen(list->path.text, "re");
    cr_assert_not_null(file);
    text[fread(text, 1, TEXT_SIZE - 1, file)] = '\0';
    fclose(file);
}

/* Expects this text in the file and no temporary file. */
static void expect_list(const struct list *list, const char *wanted)
{
    char text[TEXT_SIZE];
    list_read(list, text);
    cr_expect_str_eq(text, wanted);
    cr_expect_neq(access(list->made.text, F_OK), 0);
}

static bool list_put(struct list *list, struct error *err)
{
    return targets_file_put(list->path.text, &ours, true, &list->deadline, err);
}

Test(targets_file, a_file_of_another_form_is_left_unchanged)
{
    static const char *const texts[] = {
        "[",
        "\"far:1\"",
        "{\"targets\": []}",
        "[1]",
        "[[]]",
        "[{}]",
        "[{\"targets\": \"far:1\"}]",
        "[{\"targets\": [1]}]",
        "[{\"targets\": [\"far:1\"], \"labels\": []}]",
        "[{\"targets\": [\"far:1\"], \"labels\": {\"rack\": 7}}]",
        "[{\"targets\": [\"far:1\"], \"proxy\": \"x\"}]",
        "[{\"targets\": [\"far:1\"], \"labels\": {}, \"proxy\": \"x\"}]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct list list;
        struct error err = {""};
        list_init(&list, texts[i]);
        cr_expect_not(list_put(&list, &err), "%s", texts[i]);
        cr_expect(strstr(err.text, list.path.text), "%s: %s", texts[i], err.text);
        cr_expect_not(targets_file_remove(list.path.text, ours.address, &list.deadline, &err));
        expect_list(&list, texts[i]);
        folder_free(&list.folder);
    }
}

/* Any process may have written the entry: it is removed only if its process is known to have ended. */
Test(targets_file, an_entry_with_an_invalid_process_stays)
{
    static const char *const processes[] = {
        "",
        "1",
        "x y z",
        "1 2 pid:[3] 4 5",
        "-1 -1 pid:[0] 0 0",
        "1 2 pid:[333333333333333333333333333333333333333333333333333] 4 5",
        "99999999999999999999999999 2 pid:[3] 99999999999999999999 5"};
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        struct list list;
        struct error err = {""};
        char text[TEXT_SIZE];
        snprintf(text, sizeof text, "[{\"targets\":[\"far:1\"],\"labels\":{\"__miniprofd_process\":\"%s\"}}]",
                 processes[i]);
        list_init(&list, text);
        cr_assert(list_put(&list, &err), "%s", err.text);
        list_read(&list, text);
        cr_expect(strstr(text, "far:1") && strstr(text, "near:7777"), "%s", text);
        cr_assert(targets_file_remove(list.path.text, ours.address, &list.deadline, &err), "%s", err.text);
        list_read(&list, text);
        cr_expect(strstr(text, "far:1") && !strstr(text, "near:7777"), "%s", text);
        folder_free(&list.folder);
    }
}

Test(targets_file, without_memory_it_is_unchanged_with_an_error)
{
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        struct list list;
        struct error err = {""};
        list_init(&list, STRANGER);
        scarce_begin(nth);
        bool good = list_put(&list, &err);
        bool is_over = !scarce_end();
        refusals += !good;
        if (!good) {
            cr_expect(*err.text, "refusal %u", nth);
            expect_list(&list, STRANGER);
        }
        folder_free(&list.folder);
        if (is_over) {
            cr_expect(good, "%s", err.text);
            break;
        }
    }
    cr_expect_gt(refusals, 5);
}

Test(targets_file, a_full_disk_leaves_the_old_list)
{
    static const struct {
        const char *call;
        int code;
    } rows[] = {{"write", ENOSPC}, {"fsync", EIO}};
    for (size_t i = 0; i < 2; i++) {
        struct list list;
        struct error err = {""};
        list_init(&list, STRANGER);
        scarce_fail(rows[i].call, 1, rows[i].code);
        cr_expect_not(list_put(&list, &err));
        cr_expect(strstr(err.text, list.path.text) && strstr(err.text, strerror(rows[i].code)), "%s",
                  err.text);
        expect_list(&list, STRANGER);
        scarce_fail("write", 1, EINTR);
        cr_expect(list_put(&list, &err), "a signal is no failure: %s", err.text);
        folder_free(&list.folder);
    }
}

Test(targets_file, an_error_names_the_path_that_cannot_be_written)
{
    struct list list;
    struct error err = {""};
    list_init(&list, STRANGER);
    cr_assert_eq(mkdir(list.made.text, 0700), 0);
    cr_expect_not(list_put(&list, &err));
    cr_expect(strstr(err.text, list.made.text), "%s", err.text);
    cr_assert_eq(rmdir(list.made.text), 0);
    expect_list(&list, STRANGER);
    folder_free(&list.folder);
}
