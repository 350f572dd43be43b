/* test_compiled.c - programs as gcc makes them: names, ranges, source positions, identity.
 *
 * A position is right when the fixture's source has the expected words on that line, so that nothing has to
 * be counted again when a fixture changes. */
#include "symbol/symtab.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void fixture_path(char *path, size_t size, const char *file)
{
    const char *directory = getenv("SYMBOL_FIXTURES");
    cr_assert(directory, "meson test says where the fixtures are");
    snprintf(path, size, "%s/%s", directory, file);
}

static struct symtab *load(const char *file)
{
    char path[1024];
    fixture_path(path, sizeof path, file);
    if (access(path, F_OK) != 0)
        cr_skip_test("%s was not built: no compiler for it", file);
    struct error err = {0};
    struct symtab *symtab = symtab_load(path, &err);
    cr_assert(symtab, "%s", err.text);
    return symtab;
}

/* True when line `line` of fixture source `file` (as DWARF has it) holds `words`. */
static bool source_says(const char *file, uint32_t line, const char *words)
{
    char path[1024], text[512] = "";
    const char *base = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    snprintf(path, sizeof path, "%s/%s", getenv("SYMBOL_SOURCES"), base ? base : "none");
    FILE *source = fopen(path, "r");
    if (!source)
        return false;
    for (uint32_t i = 0; i < line; i++)
        if (!fgets(text, sizeof text, source))
            text[0] = '\0';
    fclose(source);
    return strstr(text, words);
}

static const struct symbol *find(const struct symtab *symtab, const char *name)
{
    uint32_t index = symtab_find_name(symtab, name);
    cr_assert_neq(index, SYMTAB_NONE, "%s is there", name);
    return symtab_at(symtab, index);
}

static void expect_declared(const struct symtab *symtab, const char *name, const char *words)
{
    const struct symbol *symbol = find(symtab, name);
    cr_assert_str_eq(symbol->name, name);
    cr_assert(source_says(symbol->file, symbol->line, words), "%s is said to be at %s:%u, not \"%s\"", name,
              symbol->file ? symbol->file : "?", symbol->line, words);
}

static void expect_fixture(const struct symtab *symtab)
{
    expect_declared(symtab, "fixture_leaf", "int fixture_leaf(int x)");
    expect_declared(symtab, "fixture_middle", "int fixture_middle(int x)");
    expect_declared(symtab, "fixture_entry", "int fixture_entry(int rounds)");
    expect_declared(symtab, "fixture_cxx", "int fixture_cxx(int x)");
    expect_declared(symtab, "shape::Circle::area(int) const", "Circle::area(int scale) const");
    expect_declared(symtab, "int shape::twice<int>(int)", "T twice(T value)");
    /* gcc gives a lambda's call operator no line of its own: its first instruction says where it is. */
    cr_assert_eq(find(symtab, "fixture_cxx::{lambda(int)#1}::operator()(int) const")->file,
                 find(symtab, "fixture_cxx")->file);
    cr_assert_eq(find(symtab, "fixture_leaf")->file, find(symtab, "fixture_middle")->file,
                 "equal paths are one string");
    cr_assert_eq(symtab_find_name(symtab, "fixture_dropped"), SYMTAB_NONE, "the linker dropped it");

    /* Ranges: each function owns its first and last byte, and functions do not overlap. */
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        const struct symbol *symbol = symtab_at(symtab, i);
        cr_assert_gt(symbol->size, 0);
        cr_assert_eq(symtab_find(symtab, symbol->address), i);
        cr_assert_eq(symtab_find(symtab, symbol->address + symbol->size - 1), i);
    }

    /* Line tables: every instruction of a function is in its file, and the first call is where
     * it is written. */
    const struct symbol *middle = find(symtab, "fixture_middle");
    bool saw_call = false, saw_dropped = false;
    for (uint64_t at = middle->address; at < middle->address + middle->size; at++) {
        const char *file;
        uint32_t line;
        cr_assert(symtab_line(symtab, at, &file, &line), "address %#llx", (unsigned long long)at);
        cr_assert_str_eq(file, middle->file);
        saw_call |= source_says(file, line, "first call");
        saw_dropped |= source_says(file, line, "x * 3");
    }
    cr_assert(saw_call);
    cr_assert_not(saw_dropped);
}

Test(compiled, a_host_program_with_dwarf_5)
{
    struct symtab *symtab = load("fixture_host_dwarf5.elf");
    cr_assert_eq(symtab_cpu(symtab)->word_size, sizeof(void *));
    expect_fixture(symtab);
    symtab_unref(symtab);
}

Test(compiled, a_host_program_with_dwarf_4)
{
    struct symtab *symtab = load("fixture_host_dwarf4.elf");
    expect_fixture(symtab);
    symtab_unref(symtab);
}

Test(compiled, a_host_program_with_compressed_debug_sections)
{
    static const char *const files[] = {"fixture_host_packed.elf", "fixture_host_packed_gnu.elf"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct symtab *symtab = load(files[i]);
        expect_fixture(symtab);
        symtab_unref(symtab);
    }
}

Test(compiled, a_build_id_as_the_linker_writes_it)
{
    struct symtab *symtab = load("fixture_host_buildid.elf");
    cr_assert_eq(symtab_matches_id(symtab, 0x78563412), SYMTAB_MATCH_YES);
    symtab_unref(symtab);
}

Test(compiled, an_arm_program)
{
    struct symtab *symtab = load("fixture_arm.elf");
    cr_assert(symtab_cpu(symtab)->is_arm);
    cr_assert_eq(symtab_cpu(symtab)->word_size, 4);
    expect_fixture(symtab);
    for (uint32_t i = 0; i < symtab_count(symtab); i++)
        cr_assert_eq(symtab_at(symtab, i)->address % 2, 0, "no Thumb bit is left");
    symtab_unref(symtab);
}

Test(compiled, hand_written_arm_assembler)
{
    struct symtab *symtab = load("fixture_arm.elf");
    const struct symbol *sizeless = find(symtab, "fixture_sizeless");
    cr_assert_geq(sizeless->size, 8);
    cr_assert_eq(symtab_find(symtab, sizeless->address + 2), symtab_find_name(symtab, "fixture_sizeless"));
    cr_assert_eq(symtab_find_name(symtab, "inner_label"), SYMTAB_NONE);
    cr_assert(source_says(sizeless->file, sizeless->line, "movs r0, #1"),
              "its first instruction is its line");
    const struct symbol *label = find(symtab, "fixture_label");
    cr_assert_geq(label->size, 4);
    symtab_unref(symtab);
}

Test(compiled, calls_in_arm_code_go_where_the_linker_sent_them)
{
    struct symtab *symtab = load("fixture_arm.elf");
    const struct symbol *middle = find(symtab, "fixture_middle"), *leaf = find(symtab, "fixture_leaf");
    unsigned calls_of_leaf = 0;
    for (uint64_t at = middle->address; at <= middle->address + middle->size; at += 2) {
        uint64_t destination;
        if (symtab_call_before(symtab, at | 1, &destination) && destination == leaf->address)
            calls_of_leaf++;
    }
    cr_assert_eq(calls_of_leaf, 2);
    symtab_unref(symtab);
}

Test(compiled, the_crc_of_arm_text_is_that_of_the_bytes_objcopy_extracts)
{
    struct symtab *symtab = load("fixture_arm.elf");
    char path[1024];
    uint8_t text[65536];
    fixture_path(path, sizeof path, "fixture_arm.text");
    FILE *file = fopen(path, "rb");
    cr_assert(file);
    size_t n = fread(text, 1, sizeof text, file);
    fclose(file);
    uint32_t crc;
    cr_assert(symtab_text_crc32(symtab, &crc));
    cr_assert_eq(crc, (uint32_t)crc32(0, text, (uInt)n));
    cr_assert_eq(symtab_matches_id(symtab, crc), SYMTAB_MATCH_YES);
    symtab_unref(symtab);
}
