/* test_lines.c - line tables written byte by byte: names of files, dropped functions, damage. */
#include "symbol/path.h"
#include "symbol/symtab.h"

#include "support/elf_writer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 0x100, TEXT_SIZE = 0x100 };

/* Version 2 header from its version to the standard opcodes' operand counts; minimum instruction 2, line base
 * -5, line range 14, opcode base 13: what gas writes for Thumb. Lengths are filled in by table(). */
static const uint8_t HEADER_2[] = {2, 0, 0, 0, 0, 0, 2, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

struct table {
    uint8_t bytes[8192];
    size_t n;
};

static void put(struct table *table, const void *bytes, size_t n)
{
    memcpy(table->bytes + table->n, bytes, n);
    table->n += n;
}

#define PUT(table, literal) put((table), (literal), sizeof(literal) - 1)

static void put_u32(struct table *table, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        table->bytes[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

/* Starts a table with the names given, each list ended by a NUL as the format has it. */
static void start(struct table *table, const char *directories, size_t directories_n, const char *files,
                  size_t files_n)
{
    table->n = 4;
    put(table, HEADER_2, sizeof HEADER_2);
    put(table, directories, directories_n);
    put(table, files, files_n);
    put_u32(table, 6, (uint32_t)(table->n - 10));
}

#define START(table, directories, files)                                                                     \
    start((table), (directories), sizeof(directories), (files), sizeof(files))

/* A sequence of one row: `length` bytes from `address` are line `line` of file 1. */
static void sequence(struct table *table, uint32_t address, uint8_t length, uint8_t line)
{
    PUT(table, "\x00\x05\x02"); /* set address */
    table->n += 4;
    put_u32(table, table->n - 4, address);
    PUT(table, "\x03"); /* advance line */
    put(table, &(uint8_t){(uint8_t)(line - 1)}, 1);
    PUT(table, "\x01\x02"); /* copy, advance pc */
    put(table, &(uint8_t){length / 2}, 1);
    PUT(table, "\x00\x01\x01"); /* end of sequence */
}

static struct symtab *load_written(struct elf_writer *writer)
{
    size_t n;
    uint8_t *bytes = elf_writer_finish(writer, &n);
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", NULL);
    free(bytes);
    cr_assert(symtab);
    return symtab;
}

static struct symtab *load(struct table *table)
{
    put_u32(table, 0, (uint32_t)(table->n - 4));
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    unsigned text = elf_writer_code(&writer, ".text", TEXT, TEXT_SIZE);
    elf_writer_symbol(&writer, "f", TEXT + 1, 0x20, STB_GLOBAL, STT_FUNC, text);
    elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, 0, 0, table->bytes, table->n);
    return load_written(&writer);
}

static void expect_line(const struct symtab *symtab, uint64_t address, const char *file, uint32_t line)
{
    const char *found_file = "";
    uint32_t found_line = 0;
    symtab_line(symtab, address, &found_file, &found_line);
    cr_assert_str_eq(found_file, file);
    cr_assert_eq(found_line, line);
}

Test(lines, an_instruction_is_on_the_line_of_the_nearest_row_below)
{
    struct table table;
    START(&table, "", "main.c\0\0\0");
    sequence(&table, TEXT, 0x20, 10);
    sequence(&table, TEXT + 0x20, 0x10, 20);
    struct symtab *symtab = load(&table);
    expect_line(symtab, TEXT, "main.c", 10);
    expect_line(symtab, TEXT + 0x1f, "main.c", 10);
    expect_line(symtab, TEXT + 0x21, "main.c", 20);
    expect_line(symtab, TEXT + 0x30, "", 0);
    expect_line(symtab, TEXT - 1, "", 0);
    symtab_unref(symtab);
}

static void turn(struct table *table, size_t at, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint8_t byte = table->bytes[at + i];
        table->bytes[at + i] = table->bytes[at + n - 1 - i];
        table->bytes[at + n - 1 - i] = byte;
    }
}

Test(lines, a_big_endian_table_is_read_as_one)
{
    struct table table;
    START(&table, "", "main.c\0\0\0");
    size_t at = table.n + 3;
    sequence(&table, TEXT, 0x20, 10);
    put_u32(&table, 0, (uint32_t)(table.n - 4));
    turn(&table, 0, 4); /* length, version, length of the header, address */
    turn(&table, 4, 2);
    turn(&table, 6, 4);
    turn(&table, at, 4);
    struct elf_writer writer;
    elf_writer_init(&writer, 4, true, EM_ARM);
    unsigned text = elf_writer_code(&writer, ".text", TEXT, TEXT_SIZE);
    elf_writer_symbol(&writer, "f", TEXT + 1, 0x20, STB_GLOBAL, STT_FUNC, text);
    elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, 0, 0, table.bytes, table.n);
    struct symtab *symtab = load_written(&writer);
    expect_line(symtab, TEXT, "main.c", 10);
    expect_line(symtab, TEXT + 0x20, "", 0);
    symtab_unref(symtab);
}

Test(lines, a_function_without_entry_is_at_its_first_instruction)
{
    struct table table;
    START(&table, "", "start.S\0\0\0");
    sequence(&table, TEXT, 0x20, 7);
    struct symtab *symtab = load(&table);
    cr_assert_str_eq(symtab_at(symtab, 0)->file, "start.S");
    cr_assert_eq(symtab_at(symtab, 0)->line, 7);
    symtab_unref(symtab);
}

Test(lines, paths_are_joined_and_tidied)
{
    static const struct {
        const char *directory, *name, *path;
    } cases[] = {{"src", "main.c", "src/main.c"},
                 {"./src//", "main.c", "src/main.c"},
                 {"../lib/./x/../y", "f.c", "../lib/y/f.c"},
                 {"../../lib", "f.c", "../../lib/f.c"},
                 {"a/b", "../../../f.c", "../f.c"},
                 {"/opt/sdk/../toolchain", "f.h", "/opt/toolchain/f.h"},
                 {"/..", "f.h", "/f.h"},
                 {"src", "/abs/f.c", "/abs/f.c"},
                 {"src", "sp ace/\xff.c", "src/sp ace/\xef\xbf\xbd.c"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table table;
        char directories[64] = "", files[64] = "";
        size_t directory_n = strlen(cases[i].directory) + 2, file_n = strlen(cases[i].name) + 5;
        memcpy(directories, cases[i].directory, directory_n - 2);
        memcpy(files, cases[i].name, file_n - 5);
        files[file_n - 4] = 1; /* in the first directory */
        start(&table, directories, directory_n, files, file_n);
        sequence(&table, TEXT, 0x20, 1);
        struct symtab *symtab = load(&table);
        expect_line(symtab, TEXT, cases[i].path, 1);
        symtab_unref(symtab);
    }
}

Test(lines, functions_the_linker_dropped_leave_no_lines)
{
    struct table table;
    START(&table, "", "main.c\0\0\0");
    sequence(&table, 0, 0x40, 90);
    sequence(&table, TEXT, 0x20, 10);
    sequence(&table, 0xfffffffe, 0x40, 91);
    struct symtab *symtab = load(&table);
    expect_line(symtab, 0, "", 0);
    expect_line(symtab, TEXT, "main.c", 10);
    expect_line(symtab, 0xfffffffe, "", 0);
    symtab_unref(symtab);
}

Test(lines, code_at_address_zero_is_not_mixed_up_with_dropped_functions)
{
    struct table table;
    START(&table, "", "main.c\0\0\0");
    sequence(&table, 0, 0x40, 90); /* longer than the vectors that are really at 0 */
    sequence(&table, 0x10, 0x20, 10);
    sequence(&table, 0, 0x80, 91);
    put_u32(&table, 0, (uint32_t)(table.n - 4));
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    unsigned text = elf_writer_code(&writer, ".text", 0, 0x100);
    elf_writer_symbol(&writer, "f", 0x11, 0x20, STB_GLOBAL, STT_FUNC, text);
    elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, 0, 0, table.bytes, table.n);
    struct symtab *symtab = load_written(&writer);
    expect_line(symtab, 0x10, "main.c", 10);
    expect_line(symtab, 0x2f, "main.c", 10);
    cr_assert_eq(symtab_at(symtab, 0)->line, 10);
    symtab_unref(symtab);
}

Test(lines, a_table_after_a_damaged_one_is_read)
{
    struct table table;
    START(&table, "", "main.c\0\0\0");
    sequence(&table, TEXT, 0x20, 10);
    struct table both = {.n = 4};
    PUT(&both, "\x63\x00\xff\xff\xff\xff"); /* an unknown version */
    put_u32(&both, 0, (uint32_t)(both.n - 4));
    put_u32(&table, 0, (uint32_t)(table.n - 4));
    put(&both, table.bytes, table.n);
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    elf_writer_code(&writer, ".text", TEXT, TEXT_SIZE);
    elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, 0, 0, both.bytes, both.n);
    struct symtab *symtab = load_written(&writer);
    expect_line(symtab, TEXT, "main.c", 10);
    symtab_unref(symtab);
}

Test(lines, any_prefix_of_a_table_is_survived)
{
    struct table whole;
    START(&whole, "src\0", "main.c\0\1\0\0");
    sequence(&whole, TEXT, 0x20, 10);
    for (size_t n = 5; n < whole.n; n++) {
        struct table cut = whole;
        cut.n = n;
        struct symtab *symtab = load(&cut);
        expect_line(symtab, TEXT, "", 0);
        symtab_unref(symtab);
    }
}

/* A version 5 table with one row, whose files have a field of `form` that nobody asked for before their path,
 * and the index of their directory in that of `index_form`. */
static void start_5(struct table *table, uint8_t form, const void *field, size_t field_n, uint8_t index_form,
                    const void *index, size_t index_n)
{
    table->n = 4;
    PUT(table, "\x05\x00\x04\x00\x00\x00\x00\x00\x02\x01\x01\xfb\x0e\x0d\x00\x01\x01\x01\x01\x00\x00\x00\x01"
               "\x00\x00\x01");
    PUT(table,
        "\x01\x01\x08\x02/b\0/b/src\0"); /* directories: one field, the path, as a string; two of them */
    PUT(table, "\x03\x81\x40");          /* files: three fields, the first of a vendor's kind */
    put(table, &form, 1);
    PUT(table, "\x02"); /* the directory's index */
    put(table, &index_form, 1);
    PUT(table, "\x01\x08\x02"); /* the path; two of them */
    for (int file = 0; file < 2; file++) {
        put(table, field, field_n);
        put(table, index, index_n);
        put(table, file ? "m.c" : "n.c", 4);
    }
    put_u32(table, 8, (uint32_t)(table->n - 12));
    sequence(table, TEXT, 0x20, 7);
}

Test(lines, fields_of_any_form_are_stepped_over_and_an_unknown_one_ends_the_table)
{
    static const struct {
        uint8_t form;
        const char *bytes;
        size_t n;
    } forms[] = {{0x0b, "\1", 1},       {0x05, "\1\2", 2},
                 {0x06, "\1\2\3\4", 4}, {0x07, "\1\2\3\4\5\6\7\x8", 8},
                 {0x0f, "\x81\1", 2},   {0x1e, "0123456789abcdef", 16},
                 {0x09, "\3abc", 4},    {0x0a, "\3abc", 4},
                 {0x03, "\3\0abc", 5},  {0x04, "\3\0\0\0abc", 7},
                 {0x08, "abc", 4},      {0x0e, "\0\0\0\0", 4},
                 {0x1f, "\0\0\0\0", 4}};
    struct table table;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        start_5(&table, forms[i].form, forms[i].bytes, forms[i].n, 0x0b, "\1", 1);
        struct symtab *symtab = load(&table);
        expect_line(symtab, TEXT, "src/m.c", 7);
        symtab_unref(symtab);
    }
    start_5(&table, 0x55, "", 0, 0x0b, "\1", 1);
    struct symtab *symtab = load(&table);
    expect_line(symtab, TEXT, "", 0);
    symtab_unref(symtab);
}

Test(lines, the_index_of_a_directory_may_have_any_size)
{
    static const struct {
        uint8_t form;
        const char *bytes;
        size_t n;
    } sizes[] = {{0x0b, "\1", 1},
                 {0x05, "\1\0", 2},
                 {0x06, "\1\0\0\0", 4},
                 {0x07, "\1\0\0\0\0\0\0\0", 8},
                 {0x0f, "\1", 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct table table;
        start_5(&table, 0x0b, "\1", 1, sizes[i].form, sizes[i].bytes, sizes[i].n);
        struct symtab *symtab = load(&table);
        expect_line(symtab, TEXT, "src/m.c", 7);
        symtab_unref(symtab);
    }
}

/* Headers with counts that would make reading endless or senseless. */
Test(lines, names_that_take_no_room_end_the_table_however_many_there_are)
{
    static const struct {
        const char *names;
        size_t n;
    } cases[] = {
        {"\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},                     /* directories */
        {"\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13},             /* files */
        {"\x01\x01\x09\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x7f", 14},         /* past the end */
        {"\xff\x01\x08\x01\x08\x01\x08\x01\x08\x01\x08\x01\x08\x01\x08\x01", 16}, /* 255 fields of each */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table table = {.n = 4};
        PUT(&table,
            "\x05\x00\x04\x00\x00\x00\x00\x00\x02\x01\x01\xfb\x0e\x0d\x00\x01\x01\x01\x01\x00\x00\x00\x01"
            "\x00\x00\x01");
        put(&table, cases[i].names, cases[i].n);
        put_u32(&table, 8, (uint32_t)(table.n - 12));
        sequence(&table, TEXT, 0x20, 7);
        struct symtab *symtab = load(&table);
        expect_line(symtab, TEXT, "", 0);
        cr_expect_str_eq(symtab_at(symtab, 0)->name, "f");
        symtab_unref(symtab);
    }
}

Test(lines, a_bad_header_ends_the_table)
{
    for (size_t at = 13; at <= 14;
         at++) { /* how many lines a special operation may go, and which is the first */
        struct table table;
        START(&table, "", "main.c\0\0\0");
        sequence(&table, TEXT, 0x20, 10);
        table.bytes[at] = 0;
        struct symtab *symtab = load(&table);
        expect_line(symtab, TEXT, "", 0);
        symtab_unref(symtab);
    }
}

Test(lines, a_path_that_is_too_long_is_dropped)
{
    for (size_t n = PATH_SIZE - 4; n <= PATH_SIZE - 3; n++) { /* "/m.c" and an end are behind it */
        struct table table;
        char directory[PATH_SIZE] = "", wanted[PATH_SIZE + 8];
        memset(directory, 'd', n - 1);
        snprintf(wanted, sizeof wanted, "%s/m.c", directory);
        start(&table, directory, n + 1, "m.c\0\1\0\0", 8);
        sequence(&table, TEXT, 0x20, 10);
        struct symtab *symtab = load(&table);
        bool fits = strlen(wanted) < PATH_SIZE;
        expect_line(symtab, TEXT, fits ? wanted : "", fits ? 10 : 0);
        symtab_unref(symtab);
    }
}

Test(lines, a_row_of_an_unknown_file_is_skipped)
{
    struct table table;
    START(&table, "", "main.c\0\0\0");
    PUT(&table, "\x04\x09"); /* file 9 */
    sequence(&table, TEXT, 0x10, 10);
    sequence(&table, TEXT + 0x10, 0x10, 20);
    struct symtab *symtab = load(&table);
    expect_line(symtab, TEXT, "", 0);
    expect_line(symtab, TEXT + 0x10, "main.c", 20);
    symtab_unref(symtab);
}
