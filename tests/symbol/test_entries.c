/* test_entries.c - debugging entries written byte by byte: functions in several parts, dangling references, deeply
 * nested namespaces. */
#include "symbol/symtab.h"

#include "support/elf_writer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 0x1000, STEP = 0x10, FUNCTIONS = 40 };

/* Kinds of entries, by the number of their form in the table below. */
enum {
    END,
    UNIT,        /* line table, folder */
    UNIT_NO_DIR, /* line table, folder in another file */
    PLAIN,       /* address, file, line */
    PARTS,       /* place in the ranges, file, line */
    NAMESPACE,
    OF,            /* address, offset of the entry that has the rest */
    OF_WITH_FILE,  /* file, such an offset */
    ELSEWHERE,     /* address, offset in another file */
    WIDE,          /* address, file, line in eight bytes */
    FILE_AND_LINE, /* these alone: a declaration */
    PARTS_OF,      /* place in the ranges, no more */
};

/* Of each: number, tag, whether it has children, then attributes and how they are written. */
/* clang-format off */
static const uint8_t forms[] = {
    UNIT, 0x11, 1, 0x10, 0x17, 0x1b, 0x08, 0, 0,
    UNIT_NO_DIR, 0x11, 1, 0x10, 0x17, 0x1b, 0xa1, 0x3e, 0, 0,
    PLAIN, 0x2e, 0, 0x11, 0x01, 0x3a, 0x0b, 0x3b, 0x0b, 0, 0,
    PARTS, 0x2e, 0, 0x55, 0x17, 0x3a, 0x0b, 0x3b, 0x0b, 0, 0,
    NAMESPACE, 0x39, 1, 0, 0,
    OF, 0x2e, 0, 0x11, 0x01, 0x47, 0x13, 0, 0,
    OF_WITH_FILE, 0x2e, 0, 0x3a, 0x0b, 0x47, 0x13, 0, 0,
    ELSEWHERE, 0x2e, 0, 0x11, 0x01, 0x31, 0xa0, 0x3e, 0, 0,
    WIDE, 0x2e, 0, 0x11, 0x01, 0x3a, 0x0b, 0x3b, 0x07, 0, 0,
    FILE_AND_LINE, 0x2e, 0, 0x3a, 0x0b, 0x3b, 0x0b, 0, 0,
    PARTS_OF, 0x2e, 0, 0x55, 0x17, 0, 0,
    0,
};
/* Version 2, no rows: one.c and two.c. */
static const uint8_t lines[] = {
    36, 0, 0, 0, 2, 0, 30, 0, 0, 0, 2, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1,
    0, 'o', 'n', 'e', '.', 'c', 0, 0, 0, 0, 't', 'w', 'o', '.', 'c', 0, 0, 0, 0, 0,
};
/* clang-format on */

struct section {
    uint8_t bytes[4096];
    size_t n;
};
static struct section info, ranges;

static void put(struct section *section, uint64_t value, unsigned size)
{
    cr_assert_leq(section->n + size, sizeof section->bytes);
    for (unsigned i = 0; i < size; i++)
        section->bytes[section->n++] = (uint8_t)(value >> 8 * i);
}

static uint32_t function_at(unsigned index)
{
    return TEXT + index * STEP;
}

static size_t unit_at;

static void begin_unit(unsigned form)
{
    unit_at = info.n;
    put(&info, 0, 4);
    put(&info, 4, 2);
    put(&info, 0, 4);
    put(&info, 4, 1);
    put(&info, form, 1);
    put(&info, 0, 4);
    for (const char *c = "/build"; form == UNIT && *c; c++)
        put(&info, (uint8_t)*c, 1);
    put(&info, 0, form == UNIT ? 1 : 4);
}

static void end_unit(void)
{
    size_t end;
    put(&info, END, 1);
    end = info.n;
    info.n = unit_at;
    put(&info, end - unit_at - 4, 4);
    info.n = end;
}

/* The offset of the next entry, for references. */
static uint32_t here(void)
{
    return (uint32_t)(info.n - unit_at);
}

static void put_plain(unsigned index, uint8_t file, uint8_t line)
{
    put(&info, PLAIN, 1);
    put(&info, function_at(index), 4);
    put(&info, file, 1);
    put(&info, line, 1);
}

static void put_of(unsigned index, uint32_t entry)
{
    put(&info, OF, 1);
    put(&info, function_at(index), 4);
    put(&info, entry, 4);
}

/* Lists the ranges of `n` functions from `first` on as parts; returns the list's offset. */
static uint32_t put_ranges(unsigned first, unsigned n)
{
    uint32_t at = (uint32_t)ranges.n;
    for (unsigned i = first; i < first + n; i++) {
        put(&ranges, function_at(i), 4);
        put(&ranges, function_at(i) + STEP, 4);
    }
    put(&ranges, 0, 8);
    return at;
}

static void put_parts(uint32_t at, uint8_t line)
{
    put(&info, PARTS, 1);
    put(&info, at, 4);
    put(&info, 1, 1);
    put(&info, line, 1);
}

static struct symtab *load(void)
{
    struct elf_writer writer;
    struct error err = {""};
    size_t n;
    elf_writer_init(&writer, 4, false, EM_RISCV);
    unsigned text = elf_writer_code(&writer, ".text", TEXT, FUNCTIONS * STEP);
    elf_writer_section(&writer, ".debug_abbrev", SHT_PROGBITS, 0, 0, forms, sizeof forms);
    elf_writer_section(&writer, ".debug_info", SHT_PROGBITS, 0, 0, info.bytes, info.n);
    elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, 0, 0, lines, sizeof lines);
    elf_writer_section(&writer, ".debug_ranges", SHT_PROGBITS, 0, 0, ranges.bytes, ranges.n);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%u", i);
        elf_writer_symbol(&writer, name, function_at(i), STEP, STB_GLOBAL, STT_FUNC, text);
    }
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", &err);
    cr_assert(symtab, "%s", err.text);
    cr_expect_str_eq(symtab_lost(symtab), "");
    free(bytes);
    return symtab;
}

/* `file` NULL: the place of its declaration is unknown. */
static void expect(const struct symtab *symtab, unsigned index, const char *file, uint32_t line)
{
    const struct symbol *symbol = symtab_at(symtab, symtab_find(symtab, function_at(index)));
    cr_expect_eq(symbol->line, line, "f%u: %u", index, symbol->line);
    cr_expect(file ? symbol->file && strcmp(symbol->file, file) == 0 : !symbol->file, "f%u: %s", index,
              symbol->file ? symbol->file : "no file");
}

Test(entries, a_function_of_several_parts_is_declared_once_for_all)
{
    begin_unit(UNIT);
    put_plain(0, 2, 7);
    put_parts(put_ranges(1, 2), 9);
    put_parts(put_ranges(3, 20), 11);
    put(&info, PARTS_OF, 1);
    put(&info, put_ranges(30, 1), 4);
    put_parts(0x7000, 13); /* where no ranges are */
    put_plain(31, 1, 15);
    end_unit();
    struct symtab *symtab = load();
    expect(symtab, 0, "two.c", 7);
    expect(symtab, 1, "one.c", 9);
    expect(symtab, 2, "one.c", 9);
    expect(symtab, 3, "one.c", 11);
    expect(symtab, 18, "one.c", 11);
    expect(symtab, 19, NULL, 0); /* more than 16 are not followed */
    expect(symtab, 30, NULL, 0);
    expect(symtab, 31, "one.c", 15);
    symtab_unref(symtab);
}

Test(entries, a_reference_takes_the_declaration_of_its_origin)
{
    begin_unit(UNIT);
    uint32_t declaration = here();
    put(&info, FILE_AND_LINE, 1);
    put(&info, 1, 1);
    put(&info, 21, 1);
    uint32_t own_file = here();
    put(&info, OF_WITH_FILE, 1);
    put(&info, 2, 1);
    put(&info, declaration, 4);
    put_of(0, declaration);
    put_of(1, own_file); /* its file, and the line of the other */
    put_of(2, here());   /* itself */
    put_of(3, 0x7000);
    put(&info, ELSEWHERE, 1);
    put(&info, function_at(4), 4);
    put(&info, 0, 4);
    uint32_t chain = declaration;
    for (int i = 0; i < 10; i++) { /* no compiler writes this many */
        uint32_t next = here();
        put_of(30 + (unsigned)i, chain);
        chain = next;
    }
    put_plain(5, 1, 23);
    end_unit();
    struct symtab *symtab = load();
    expect(symtab, 0, "one.c", 21);
    expect(symtab, 1, "two.c", 21);
    expect(symtab, 2, NULL, 0);
    expect(symtab, 3, NULL, 0);
    expect(symtab, 4, NULL, 0);
    expect(symtab, 5, "one.c", 23);
    expect(symtab, 36, "one.c", 21);
    expect(symtab, 37, NULL, 0);
    symtab_unref(symtab);
}

Test(entries, an_impossible_line_is_ignored)
{
    static const struct {
        uint64_t line;
        bool is_one;
    } told[] = {{0, false}, {1, true}, {UINT32_MAX, true}, {UINT64_C(1) << 32, false}, {UINT64_MAX, false}};
    enum { TOLD = sizeof told / sizeof *told };
    begin_unit(UNIT);
    for (unsigned i = 0; i < TOLD; i++) {
        put(&info, WIDE, 1);
        put(&info, function_at(i), 4);
        put(&info, 1, 1);
        put(&info, told[i].line, 8);
    }
    put_plain(TOLD, 99, 5); /* no such file */
    end_unit();
    struct symtab *symtab = load();
    for (unsigned i = 0; i < TOLD; i++)
        expect(symtab, i, told[i].is_one ? "one.c" : NULL, told[i].is_one ? (uint32_t)told[i].line : 0);
    expect(symtab, TOLD, NULL, 0);
    symtab_unref(symtab);
}

Test(entries, namespaces_are_searched_to_a_sufficient_depth)
{
    enum { DEEP = 40, KNOWN = 31 };
    begin_unit(UNIT);
    for (unsigned depth = 1; depth < DEEP; depth++) {
        put(&info, NAMESPACE, 1);
        put_plain(depth, 1, (uint8_t)depth);
    }
    for (unsigned depth = 1; depth < DEEP; depth++)
        put(&info, END, 1);
    put_plain(0, 2, 3);
    end_unit();
    struct symtab *symtab = load();
    for (unsigned depth = 1; depth < DEEP; depth++)
        expect(symtab, depth, depth <= KNOWN ? "one.c" : NULL, depth <= KNOWN ? depth : 0);
    expect(symtab, 0, "two.c", 3);
    symtab_unref(symtab);
}

Test(entries, a_unit_may_omit_its_folder)
{
    begin_unit(UNIT_NO_DIR);
    put_plain(0, 1, 5);
    end_unit();
    struct symtab *symtab = load();
    expect(symtab, 0, "one.c", 5);
    cr_expect_null(symtab_at(symtab, symtab_find(symtab, function_at(0)))->directory);
    symtab_unref(symtab);
}
