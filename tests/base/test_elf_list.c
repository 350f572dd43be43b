/* test_elf_list.c - parses lists of ELF files such as `boot.elf`, `app.elf@0x10000`. */
#include "base/elf_list.h"

#include <criterion/criterion.h>
#include <string.h>

Test(elf_list, an_offset_stands_after_the_last_at_sign)
{
    static const struct {
        const char *text, *path, *name;
        bool is_moved;
        uint64_t offset;
    } cases[] = {
        {"app.elf", "app.elf", "app.elf", false, 0},
        {"app.elf@0x10000", "app.elf", "app.elf@0x10000", true, 0x10000},
        {"app.elf@65536", "app.elf", "app.elf@0x10000", true, 0x10000},
        {"app.elf@-0x400", "app.elf", "app.elf@-0x400", true, UINT64_MAX - 0x3ff},
        {"app.elf@0", "app.elf", "app.elf@0x0", true, 0},
        {"vmlinux@0xffffffff80000000", "vmlinux", "vmlinux@0xffffffff80000000", true, 0xffffffff80000000},
        {"me@host/app.elf", "me@host/app.elf", "me@host/app.elf", false, 0},
        {"a@2@0x10", "a@2", "a@2@0x10", true, 0x10},
        {"app.elf@", "app.elf@", "app.elf@", false, 0},
        {"app.elf@0x", "app.elf@0x", "app.elf@0x", false, 0},
        {"app.elf@12ab", "app.elf@12ab", "app.elf@12ab", false, 0},
        {"app.elf@ 1", "app.elf@ 1", "app.elf@ 1", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct elf_list list = {.n = 0};
        struct error err = {""};
        char name[ELF_LIST_NAME_SIZE];
        cr_assert(elf_list_add(&list, cases[i].text, &err), "%s: %s", cases[i].text, err.text);
        cr_expect_str_eq(list.all[0].path, cases[i].path);
        cr_expect_eq(list.all[0].is_moved, cases[i].is_moved, "%s", cases[i].text);
        cr_expect_eq(list.all[0].offset, cases[i].offset, "%s", cases[i].text);
        elf_list_name(&list, name);
        cr_expect_str_eq(name, cases[i].name);
    }
}

Test(elf_list, a_bad_entry_gives_an_error)
{
    struct elf_list list = {.n = 0};
    struct error err = {""};
    char path[2 * ELF_PATH_SIZE] = "";
    cr_expect_not(elf_list_add(&list, "", &err));
    cr_expect(strstr(err.text, "FILE@OFFSET"), "%s", err.text);
    cr_expect_not(elf_list_add(&list, "@0x10", &err));
    cr_expect_not(elf_list_add(&list, "a.elf@0x10000000000000000", &err));
    cr_expect(strstr(err.text, "64 bits"), "%s", err.text);
    memset(path, 'a', ELF_PATH_SIZE);
    cr_expect_not(elf_list_add(&list, path, &err));
    cr_expect_eq(list.n, 0);

    cr_assert(elf_list_add(&list, "a.elf@16", &err));
    cr_expect_not(elf_list_add(&list, "a.elf@0x10", &err));
    cr_expect(strstr(err.text, "twice"), "%s", err.text);
    cr_expect(elf_list_add(&list, "a.elf@32", &err), "two slots of one program: %s", err.text);
    for (char name[] = "0.elf"; list.n < ELF_LIST_MOST; ++*name)
        cr_assert(elf_list_add(&list, name, &err), "%s", err.text);
    cr_expect_not(elf_list_add(&list, "one.elf", &err));
    cr_expect(strstr(err.text, "more than 8 times"), "%s", err.text);
}

Test(elf_list, a_list_is_called_by_all_its_files_as_far_as_there_is_room)
{
    struct elf_list list = {.n = 0};
    struct error err;
    char name[ELF_LIST_NAME_SIZE];
    elf_list_name(&list, name);
    cr_expect_str_eq(name, "");
    cr_assert(elf_list_add(&list, "boot.elf", &err) && elf_list_add(&list, "app.elf@0x10000", &err));
    elf_list_name(&list, name);
    cr_expect_str_eq(name, "boot.elf and app.elf@0x10000");
    cr_assert(elf_list_add(&list, "rom.elf", &err));
    elf_list_name(&list, name);
    cr_expect_str_eq(name, "boot.elf, app.elf@0x10000 and rom.elf");
    char path[ELF_PATH_SIZE] = "";
    memset(path, 'a', sizeof path - 1);
    cr_assert(elf_list_add(&list, path, &err));
    elf_list_name(&list, name);
    cr_expect_eq(strlen(name), sizeof name - 1);
}
