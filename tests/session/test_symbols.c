/* test_symbols.c - the ELF file changes during the session: when new names are used, and when they must wait. */
#include "session/elfwatch.h"
#include "session/symbols.h"

#include "elf_file.h"

struct bench {
    struct folder folder;
    struct folder_path path;
    struct elf_list elfs;
    struct elfwatch watch;
    struct symbols symbols;
    struct snapshot_target target;
    uint32_t id; /* of the program in use */
};

static void bench_init(struct bench *bench)
{
    struct error err = {""};
    *bench = (struct bench){.folder = folder_new()};
    bench->path = folder_file(&bench->folder, "fw.elf");
    bench->id = program_write(&bench->path, "first", 1);
    bench->elfs = elf_list_of(bench->path.text);
    elfwatch_init(&bench->watch, &bench->elfs);
    cr_assert(symbols_init(&bench->symbols, &bench->elfs, &err), "%s", err.text);
}

static void bench_fini(struct bench *bench)
{
    symbols_fini(&bench->symbols);
    folder_free(&bench->folder);
}

/* Checks the file twice: a change is accepted once the file is stable between two checks. */
static enum symbols_change look_twice(struct bench *bench)
{
    struct error err;
    cr_assert_not(elfwatch_look(&bench->watch));
    if (!elfwatch_look(&bench->watch))
        return SYMBOLS_SAME;
    symbols_expect(&bench->symbols);
    struct symtab *fresh = symtab_load_list(&bench->elfs, &err);
    if (fresh) {
        elfwatch_loaded(&bench->watch);
        return symbols_take(&bench->symbols, fresh, &bench->target);
    }
    elfwatch_failed(&bench->watch);
    symbols_fail(&bench->symbols, err.text);
    return SYMBOLS_SAME;
}

static void device_says(struct bench *bench, uint32_t id)
{
    bench->target.has_metadata = true;
    bench->target.elf_build_id = id;
}

static void expect_name(const struct bench *bench, const char *name)
{
    cr_assert_str_eq(symtab_at(bench->symbols.current, 0)->name, name);
}

Test(symbols, an_unchanged_file_is_not_read_again)
{
    struct bench bench;
    bench_init(&bench);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    bench_fini(&bench);
}

Test(symbols, other_names_for_the_same_code_are_taken)
{
    struct bench bench;
    bench_init(&bench);
    program_write(&bench.path, "second", 1);
    cr_assert_eq(look_twice(&bench), SYMBOLS_RENAMED);
    expect_name(&bench, "second");
    cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    bench_fini(&bench);
}

Test(symbols, other_code_is_taken_when_the_device_says_nothing_of_its_own)
{
    struct bench bench;
    bench_init(&bench);
    program_write(&bench.path, "second", 2);
    cr_assert_eq(look_twice(&bench), SYMBOLS_REPLACED);
    expect_name(&bench, "second");
    bench_fini(&bench);
}

Test(symbols, a_device_that_still_runs_the_old_code_keeps_the_old_names_until_it_runs_the_new)
{
    struct bench bench;
    bench_init(&bench);
    device_says(&bench, bench.id);
    uint32_t id = program_write(&bench.path, "second", 2);
    cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    expect_name(&bench, "first");
    cr_assert_eq(symbols_hear(&bench.symbols, &bench.target), SYMBOLS_SAME);
    device_says(&bench, id);
    cr_assert_eq(symbols_hear(&bench.symbols, &bench.target), SYMBOLS_REPLACED);
    expect_name(&bench, "second");
    cr_assert_eq(symbols_hear(&bench.symbols, &bench.target), SYMBOLS_SAME);
    bench_fini(&bench);
}

Test(symbols, a_device_that_runs_neither_gets_the_new_symbols)
{
    struct bench bench;
    bench_init(&bench);
    device_says(&bench, bench.id ^ 1);
    program_write(&bench.path, "second", 2);
    cr_assert_eq(look_twice(&bench), SYMBOLS_REPLACED);
    bench_fini(&bench);
}

Test(symbols, a_file_that_changes_back_keeps_the_profile)
{
    struct bench bench;
    bench_init(&bench);
    device_says(&bench, bench.id);
    program_write(&bench.path, "second", 2);
    cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    program_write(&bench.path, "first", 1);
    cr_assert_eq(look_twice(&bench), SYMBOLS_RENAMED, "the same code");
    expect_name(&bench, "first");
    bench_fini(&bench);
}

Test(symbols, a_half_written_file_is_waited_for)
{
    struct bench bench;
    struct snapshot_source source = {0};
    bench_init(&bench);
    folder_write(&bench.path,
                 "\x7f"
                 "ELF",
                 4);
    cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    expect_name(&bench, "first");
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert_eq(source.elf_state, ELF_UNREADABLE);
    unlink(bench.path.text);
    cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    program_write(&bench.path, "second", 2);
    cr_assert_eq(look_twice(&bench), SYMBOLS_REPLACED);
    expect_name(&bench, "second");
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert_eq(source.elf_state, ELF_OK);
    bench_fini(&bench);
}

Test(symbols, the_snapshot_says_whether_they_are_the_devices)
{
    struct bench bench;
    struct snapshot_source source = {0};
    bench_init(&bench);
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert_not(bench.target.has_match, "the device has not said what it runs");
    cr_assert_eq(source.elf_state, ELF_OK);
    cr_assert_eq(source.elf_functions, 1);
    cr_assert_str_eq(source.elf_path, bench.path.text);
    device_says(&bench, bench.id);
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert(bench.target.has_match && bench.target.elf_match);
    device_says(&bench, bench.id ^ 1);
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert(bench.target.has_match && !bench.target.elf_match);
    device_says(&bench, 0);
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert_not(bench.target.has_match, "0 is no id");
    bench_fini(&bench);
}

/* They may fit the running program, but are not those of the file that the user named. */
Test(symbols, names_of_an_old_file_match_nothing)
{
    struct bench bench;
    struct snapshot_source source = {0};
    bench_init(&bench);
    device_says(&bench, bench.id);
    symbols_expect(&bench.symbols);
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert(source.elf_state == ELF_READING && !bench.target.has_match && !*source.elf_failure);
    symbols_fail(&bench.symbols, "reading symbols took longer than 10 s");
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert(source.elf_state == ELF_UNREADABLE && !bench.target.has_match);
    cr_assert_str_eq(source.elf_failure, "reading symbols took longer than 10 s");
    struct error err;
    cr_assert_eq(symbols_take(&bench.symbols, symtab_load(bench.path.text, &err), &bench.target),
                 SYMBOLS_RENAMED);
    symbols_tell(&bench.symbols, &source, &bench.target);
    cr_assert(source.elf_state == ELF_OK && bench.target.elf_match && !*source.elf_failure);
    bench_fini(&bench);
}

Test(symbols, without_a_file_there_is_no_match)
{
    struct symbols symbols;
    struct snapshot_source source = {0};
    struct snapshot_target target = {.has_metadata = true, .elf_build_id = 5};
    cr_assert(symbols_init(&symbols, NULL, NULL));
    cr_assert_eq(symbols_hear(&symbols, &target), SYMBOLS_SAME);
    symbols_tell(&symbols, &source, &target);
    cr_assert(source.elf_state == ELF_NONE && !target.has_match);
    symbols_fini(&symbols);
}

/* Two files, `fw.elf` and a boot loader at other addresses. */
static struct folder_path bench_init_two(struct bench *bench, uint32_t *boot_id)
{
    struct error err = {""};
    char text[256];
    *bench = (struct bench){.folder = folder_new()};
    struct folder_path boot = folder_file(&bench->folder, "boot.elf");
    bench->path = folder_file(&bench->folder, "fw.elf");
    bench->id = program_write(&bench->path, "first", 1);
    *boot_id = program_write(&boot, "boot", 9);
    bench->elfs = elf_list_of(bench->path.text);
    snprintf(text, sizeof text, "%s@0x8000", boot.text);
    cr_assert(elf_list_add(&bench->elfs, text, &err), "%s", err.text);
    elfwatch_init(&bench->watch, &bench->elfs);
    cr_assert(symbols_init(&bench->symbols, &bench->elfs, &err), "%s", err.text);
    return boot;
}

Test(symbols, of_several_files_each_is_read_again)
{
    struct bench bench;
    uint32_t boot_id;
    struct folder_path boot = bench_init_two(&bench, &boot_id);
    cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    program_write(&boot, "loader", 9);
    cr_assert_eq(look_twice(&bench), SYMBOLS_RENAMED);
    cr_assert_str_eq(symtab_at(bench.symbols.current, 1)->name, "loader");
    cr_assert_eq(symtab_at(bench.symbols.current, 1)->address, 0x9000);
    program_write(&bench.path, "second", 2);
    cr_assert_eq(look_twice(&bench), SYMBOLS_REPLACED);
    expect_name(&bench, "second");
    cr_assert_eq(look_twice(&bench), SYMBOLS_SAME);
    bench_fini(&bench);
}

/* It returns unchanged, which is no change by itself. */
Test(symbols, a_missing_file_delays_the_others)
{
    struct bench bench;
    uint32_t boot_id;
    struct folder_path boot = bench_init_two(&bench, &boot_id), aside = folder_file(&bench.folder, "aside");
    cr_assert_eq(rename(boot.text, aside.text), 0);
    program_write(&bench.path, "second", 2);
    for (int i = 0; i < 3; i++)
        cr_assert_not(elfwatch_look(&bench.watch));
    cr_assert_eq(rename(aside.text, boot.text), 0);
    cr_assert_eq(look_twice(&bench), SYMBOLS_REPLACED);
    expect_name(&bench, "second");
    bench_fini(&bench);
}

Test(symbols, of_several_files_the_device_runs_one)
{
    struct bench bench;
    struct snapshot_source source = {0};
    uint32_t boot_id;
    bench_init_two(&bench, &boot_id);
    const uint32_t ids[] = {bench.id, boot_id, bench.id ^ 1};
    for (int i = 0; i < 3; i++) {
        device_says(&bench, ids[i]);
        symbols_tell(&bench.symbols, &source, &bench.target);
        cr_expect(bench.target.has_match && bench.target.elf_match == (i < 2), "%d", i);
    }
    cr_expect_eq(source.elf_count, 2);
    cr_expect_eq(source.elf_functions, 2);
    cr_expect_str_eq(source.elf_path, bench.path.text);
    cr_expect(strstr(source.elf_name, "fw.elf and ") && strstr(source.elf_name, "boot.elf@0x8000"), "%s",
              source.elf_name);
    bench_fini(&bench);
}
