/* test_joint.c - several files in one table, and files at other addresses than they were linked for. */
#include "arm_program.h"
#include "support/folder.h"
#include "support/scarce.h"
#include "symbol/listing.h"

enum { AWAY = 0x10000 };

struct bench {
    struct folder folder;
    struct elf_list list;
};

static struct bench bench_new(void)
{
    return (struct bench){.folder = folder_new()};
}

static void bench_free(struct bench *bench)
{
    folder_free(&bench->folder);
}

/* Writes the program, and adds it to the list with `offset` ("" for none). */
static void add(struct bench *bench, struct elf_writer *writer, const char *name, const char *offset)
{
    size_t n;
    uint8_t *bytes = elf_writer_finish(writer, &n);
    struct folder_path path = folder_file(&bench->folder, name);
    struct error err = {""};
    char text[256];
    folder_write(&path, bytes, n);
    free(bytes);
    snprintf(text, sizeof text, "%s%s", path.text, offset);
    cr_assert(elf_list_add(&bench->list, text, &err), "%s", err.text);
}

static struct symtab *load_all(const struct bench *bench)
{
    struct error err = {""};
    struct symtab *symtab = symtab_load_list(&bench->list, &err);
    cr_assert(symtab, "%s", err.text);
    return symtab;
}

static struct error refusal_of(const struct bench *bench)
{
    struct error err = {""};
    cr_assert_null(symtab_load_list(&bench->list, &err));
    return err;
}

/* Reset_Handler and flash_write of a boot loader; main, flash_write and its code of an application that was
 * linked for the same addresses and runs AWAY bytes on. */
static struct bench boot_and_app(void)
{
    struct bench bench = bench_new();
    struct elf_writer boot = arm_program(), app;
    function(&boot, "Reset_Handler", TEXT + 1, 0x20);
    function(&boot, "flash_write", TEXT + 0x21, 0x20);
    add(&bench, &boot, "boot.elf", "");
    elf_writer_init(&app, 4, false, EM_ARM);
    static const uint8_t code[] = {0x00, 0xf0, 0x0e, 0xf8, 0x00, 0xbf}; /* bl 0x1020; nop */
    uint8_t text[0x100] = {0};
    memcpy(text, code, sizeof code);
    elf_writer_section(&app, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, text, sizeof text);
    function(&app, "main", TEXT + 1, 0x20);
    function(&app, "flash_write", TEXT + 0x21, 0x20);
    elf_writer_symbol(&app, "rom_memcpy", 0x1FFF0101, 0x10, STB_GLOBAL, STT_FUNC, SHN_ABS);
    add(&bench, &app, "app.elf", "@0x10000");
    return bench;
}

Test(joint, an_address_has_the_name_of_the_file_that_runs_there)
{
    struct bench bench = boot_and_app();
    struct symtab *symtab = load_all(&bench);
    cr_assert_eq(symtab_count(symtab), 5);
    for (uint32_t i = 1; i < 5; i++)
        cr_assert_lt(symtab_at(symtab, i - 1)->address, symtab_at(symtab, i)->address);
    cr_expect_str_eq(name_at(symtab, TEXT + 5), "Reset_Handler");
    cr_expect_str_eq(name_at(symtab, TEXT + AWAY + 5), "main");
    cr_expect_str_eq(name_at(symtab, TEXT + AWAY + 0x3f), "flash_write");
    cr_expect_str_eq(name_at(symtab, TEXT + AWAY + 0x40), "");
    cr_expect_str_eq(name_at(symtab, 0x1FFF0105), "rom_memcpy", "an absolute address stays where it is");
    cr_expect_eq(symtab_find_caller(symtab, TEXT + AWAY + 0x20), symtab_find(symtab, TEXT + AWAY));
    cr_expect_str_eq(symtab_overlap(symtab), "");

    uint32_t found = symtab_find_name(symtab, "flash_write");
    cr_expect_eq(symtab_at(symtab, found)->address, TEXT + 0x20, "the file given first has it");
    cr_expect_eq(symtab_find_name(symtab, "main"), symtab_find(symtab, TEXT + AWAY));
    cr_expect_eq(symtab_find_name(symtab, "nobody"), SYMTAB_NONE);

    cr_assert_eq(symtab_file_count(symtab), 2);
    cr_expect_eq(symtab_file(symtab, 0).functions, 2);
    cr_expect_eq(symtab_file(symtab, 1).functions, 3);
    cr_expect_eq(symtab_file_of(symtab, found), 0);
    cr_expect_eq(symtab_file_of(symtab, symtab_find(symtab, TEXT + AWAY)), 1);
    cr_expect(strstr(symtab_file(symtab, 1).place->path, "/app.elf"));
    cr_expect_gt(symtab_file(symtab, 1).modified_s, 0);
    symtab_unref(symtab);
    bench_free(&bench);
}

static void note_row(void *user, const struct listing_row *row)
{
    uint32_t *destination = user;
    if (*destination == SYMTAB_NONE)
        *destination = row->destination;
}

Test(joint, code_is_that_of_the_file_that_runs_there)
{
    struct bench bench = boot_and_app();
    struct symtab *symtab = load_all(&bench);
    struct symtab_range ranges[4];
    uint8_t bytes[2];
    uint64_t called;
    uint32_t destination = SYMTAB_NONE;
    cr_assert_eq(symtab_code_ranges(symtab, ranges, 4), 3);
    cr_expect(ranges[0].start == TEXT && ranges[0].end == TEXT + TEXT_SIZE);
    cr_expect(ranges[1].start == TEXT + AWAY && ranges[1].end == TEXT + AWAY + 0x100);
    cr_expect(symtab_read(symtab, TEXT, bytes, 2) == 2 && bytes[1] == 0);
    cr_expect(symtab_read(symtab, TEXT + AWAY, bytes, 2) == 2 && bytes[1] == 0xf0);
    cr_expect_eq(symtab_read(symtab, 0x900000, bytes, 2), 0);
    cr_assert(symtab_call_before(symtab, TEXT + AWAY + 5, &called));
    cr_expect_eq(called, TEXT + AWAY + 0x20);
    cr_expect_not(symtab_call_before(symtab, TEXT + 5, &called));
    listing_each(symtab, symtab_find(symtab, TEXT + AWAY), 3, note_row, &destination);
    cr_expect_eq(destination, symtab_find(symtab, TEXT + AWAY + 0x20), "an index of the joint table");
    symtab_unref(symtab);
    bench_free(&bench);
}

Test(joint, a_device_has_to_run_one_of_the_files)
{
    struct bench bench = boot_and_app();
    struct symtab *symtab = load_all(&bench), *again = load_all(&bench);
    struct error err;
    for (size_t i = 0; i < 2; i++) {
        uint32_t crc;
        struct symtab *one = symtab_load(bench.list.all[i].path, &err);
        cr_assert(one && symtab_text_crc32(one, &crc));
        cr_expect_eq(symtab_matches_id(symtab, crc), SYMTAB_MATCH_YES);
        cr_expect_not(symtab_same_code(symtab, one));
        cr_expect(symtab_same_code(one, one));
        symtab_unref(one);
    }
    cr_expect_eq(symtab_matches_id(symtab, 0x12345678), SYMTAB_MATCH_NO);
    cr_expect_eq(symtab_matches_id(symtab, 0), SYMTAB_MATCH_UNKNOWN);
    cr_expect(symtab_same_code(symtab, again));
    symtab_unref(again);
    bench.list.all[1].offset++;
    again = load_all(&bench);
    cr_expect_not(symtab_same_code(symtab, again), "elsewhere it is other code");
    symtab_unref(again);
    symtab_unref(symtab);
    bench_free(&bench);
}

Test(joint, the_first_of_overlapping_files_wins_with_a_warning)
{
    struct bench bench = bench_new();
    struct elf_writer first = arm_program(), second = arm_program();
    function(&first, "first", TEXT + 0x101, 0x100);
    function(&first, "shared", TEXT + 0x401, 0x10);
    add(&bench, &first, "first.elf", "");
    function(&second, "ahead", TEXT + 0x81, 0x100); /* its second half is the first's */
    function(&second, "hidden", TEXT + 0x181, 0x10);
    function(&second, "shared", TEXT + 0x401, 0x10);
    function(&second, "behind", TEXT + 0x301, 0x10);
    add(&bench, &second, "second.elf", "");
    struct symtab *symtab = load_all(&bench);
    cr_expect_eq(symtab_count(symtab), 4);
    cr_expect_str_eq(name_at(symtab, TEXT + 0x80), "ahead");
    cr_expect_str_eq(name_at(symtab, TEXT + 0xff), "ahead");
    cr_expect_str_eq(name_at(symtab, TEXT + 0x100), "first");
    cr_expect_str_eq(name_at(symtab, TEXT + 0x188), "first");
    cr_expect_str_eq(name_at(symtab, TEXT + 0x300), "behind");
    cr_expect_str_eq(name_at(symtab, TEXT + 0x400), "shared");
    cr_expect_eq(symtab_find_name(symtab, "hidden"), SYMTAB_NONE);
    const char *told = symtab_overlap(symtab);
    cr_expect(strstr(told, "hidden at 0x00001180") && strstr(told, "first.elf"), "%s", told);
    symtab_unref(symtab);
    bench_free(&bench);
}

Test(joint, the_same_function_of_two_files_is_no_overlap)
{
    struct bench bench = bench_new();
    struct elf_writer app = arm_program(), rom = arm_program();
    function(&app, "main", TEXT + 1, 0x10);
    elf_writer_symbol(&app, "rom_memcpy", TEXT + 0x801, 0, STB_GLOBAL, STT_FUNC, SHN_ABS);
    add(&bench, &app, "app.elf", "");
    function(&rom, "rom_memcpy", TEXT + 0x801, 0x40);
    add(&bench, &rom, "rom.elf", "");
    struct symtab *symtab = load_all(&bench);
    cr_expect_str_eq(symtab_overlap(symtab), "");
    cr_expect_str_eq(name_at(symtab, TEXT + 0x800), "rom_memcpy");
    symtab_unref(symtab);
    bench_free(&bench);
}

Test(joint, a_position_independent_program_is_at_the_address_that_it_was_loaded_at)
{
    struct bench bench = bench_new();
    struct elf_writer app = arm_program();
    app.type = ET_DYN;
    app.has_segment = true;
    app.segment = 0x800; /* its text is 0x800 bytes on */
    function(&app, "main", TEXT + 1, 0x10);
    add(&bench, &app, "app.elf", "@0x20000");
    struct symtab *symtab = load_all(&bench);
    cr_expect_str_eq(name_at(symtab, 0x20800), "main");
    symtab_unref(symtab);
    bench_free(&bench);

    bench = bench_new();
    app = arm_program();
    app.has_segment = true;
    app.segment = 0x800;
    function(&app, "main", TEXT + 1, 0x10);
    add(&bench, &app, "app.elf", "@-0x1000");
    symtab = load_all(&bench);
    cr_expect_str_eq(name_at(symtab, TEXT - 0x1000), "main", "another is moved by the offset");
    symtab_unref(symtab);
    bench_free(&bench);
}

Test(joint, a_file_that_cannot_be_used_is_named)
{
    struct bench bench = boot_and_app();
    struct error err;
    cr_assert_eq(unlink(bench.list.all[1].path), 0);
    err = refusal_of(&bench);
    cr_expect(strstr(err.text, "/app.elf") && strstr(err.text, "No such file"), "%s", err.text);
    struct folder_path path = folder_file(&bench.folder, "app.elf");
    folder_write(&path, "#!/bin/sh", 9);
    err = refusal_of(&bench);
    cr_expect(strstr(err.text, "/app.elf is not an ELF file"), "%s", err.text);
    bench.list.n = 1;
    struct elf_writer other;
    elf_writer_init(&other, 4, false, EM_RISCV);
    elf_writer_code(&other, ".text", TEXT, 0x10);
    add(&bench, &other, "other.elf", "");
    err = refusal_of(&bench);
    cr_expect(strstr(err.text, "/other.elf is for another processor"), "%s", err.text);
    bench.list.n = 1;
    struct elf_writer high = arm_program();
    add(&bench, &high, "high.elf", "@0xfffff000");
    err = refusal_of(&bench);
    cr_expect(strstr(err.text, "/high.elf puts its section .text outside the 32 bits"), "%s", err.text);
    bench_free(&bench);
}

static const char *fixture(void)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/fixture_host_dwarf5.elf", getenv("SYMBOL_FIXTURES"));
    if (access(path, F_OK) != 0)
        cr_skip_test("%s was not built: no compiler for it", path);
    return path;
}

struct place {
    const char *file;
    uint32_t line;
};

static struct place place_of(const struct symtab *symtab, uint64_t address)
{
    struct place place = {"", 0};
    symtab_line(symtab, address, &place.file, &place.line);
    return place;
}

/* Everything known about a moved function is the same, except its addresses. */
static void compare(const struct symtab *plain, const struct symtab *moved, uint32_t index, uint64_t offset)
{
    const struct symbol *a = symtab_at(plain, index);
    uint32_t found = symtab_find(moved, a->address + offset);
    cr_assert_neq(found, SYMTAB_NONE, "%s", a->name);
    const struct symbol *b = symtab_at(moved, found);
    cr_expect(b->address == a->address + offset && b->size == a->size, "%s", a->name);
    cr_expect(!strcmp(b->name, a->name) && !strcmp(b->raw_name, a->raw_name), "%s", a->name);
    cr_expect(b->line == a->line && !strcmp(b->file ? b->file : "", a->file ? a->file : ""), "%s", a->name);
    cr_expect(b->frame_bytes == a->frame_bytes && b->has_frame == a->has_frame, "%s", a->name);
    for (uint64_t at = 0; at < a->size; at++) {
        struct place here = place_of(plain, a->address + at), there = place_of(moved, b->address + at);
        cr_expect(here.line == there.line && !strcmp(here.file, there.file), "%s+%u", a->name, (unsigned)at);
    }
}

Test(joint, lines_and_frames_move_with_the_code)
{
    struct elf_list list = {.n = 0};
    struct error err = {""};
    char text[2048];
    const uint64_t offset = 0x7000000;
    struct symtab *plain = symtab_load(fixture(), &err);
    snprintf(text, sizeof text, "%s@0x7000000", fixture());
    cr_assert(plain && elf_list_add(&list, text, &err), "%s", err.text);
    struct symtab *moved = symtab_load_list(&list, &err);
    cr_assert(moved && elf_list_add(&list, fixture(), &err), "%s", err.text);
    struct symtab *both = symtab_load_list(&list, &err);
    cr_assert(both, "%s", err.text);
    cr_assert(symtab_count(plain) > 3 && symtab_count(moved) == symtab_count(plain));
    cr_assert_eq(symtab_count(both), 2 * symtab_count(plain));
    for (uint32_t i = 0; i < symtab_count(plain); i++) {
        compare(plain, moved, i, offset);
        compare(plain, both, i, offset);
        compare(plain, both, i, 0);
    }
    symtab_unref(both);
    symtab_unref(moved);
    symtab_unref(plain);
}

Test(joint, out_of_memory_is_reported)
{
    struct bench bench = boot_and_app();
    unsigned said = 0;
    for (unsigned nth = 1;; nth++) {
        struct error err = {""};
        scarce_begin(nth);
        struct symtab *symtab = symtab_load_list(&bench.list, &err);
        bool is_over = !scarce_end();
        if (!symtab)
            cr_assert(strstr(err.text, "memory") || strstr(err.text, "open files"), "%s", err.text);
        said += !symtab;
        symtab_unref(symtab);
        if (is_over)
            break;
    }
    cr_expect_gt(said, 10);
    bench_free(&bench);
}
