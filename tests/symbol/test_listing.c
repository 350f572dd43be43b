/* test_listing.c - functions made byte by byte: code, data, and ends. Compiled programs are compared with binutils in
 * listing.py. */
#include "symbol/disassemble.h"
#include "symbol/listing.h"

#include "support/elf_writer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 0x8000, ROWS = 64 };

/* The rows as text: "address bytes text" each. */
struct heard {
    char rows[ROWS][320];
    uint32_t targets[ROWS];
    size_t n;
};

static void hear(void *user, const struct listing_row *row)
{
    struct heard *heard = user;
    if (heard->n < ROWS) {
        snprintf(heard->rows[heard->n], sizeof heard->rows[0], "%llx %s %s", (unsigned long long)row->address,
                 row->bytes, row->code->text);
        heard->targets[heard->n] = row->destination;
    }
    heard->n++;
}

struct program {
    struct elf_writer writer;
    unsigned text;
};

static struct program program(unsigned word_size, bool big_endian, uint16_t machine, const void *code,
                              size_t n)
{
    struct program program;
    elf_writer_init(&program.writer, word_size, big_endian, machine);
    program.text =
        elf_writer_section(&program.writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, code, n);
    return program;
}

static void name(struct program *program, const char *name, uint64_t value, uint64_t size)
{
    bool is_function = name[0] != '$';
    elf_writer_symbol(&program->writer, name, value, size, is_function ? STB_GLOBAL : STB_LOCAL,
                      is_function ? STT_FUNC : STT_NOTYPE, program->text);
}

static struct symtab *load(struct program *program)
{
    size_t n;
    uint8_t *bytes = elf_writer_finish(&program->writer, &n);
    struct error err = {0};
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", &err);
    free(bytes);
    cr_assert(symtab, "%s", err.text);
    return symtab;
}

static void expect_rows(struct symtab *symtab, const char *function, const char *const *rows, size_t n)
{
    struct heard heard = {.n = 0};
    struct listing_end end;
    end = listing_each(symtab, symtab_find_name(symtab, function), ROWS, hear, &heard);
    cr_assert(end.has_words, "%s", end.lost.text);
    for (size_t i = 0; i < n && i < heard.n; i++)
        cr_expect_str_eq(heard.rows[i], rows[i], "%s instead of %s", heard.rows[i], rows[i]);
    cr_assert_eq(heard.n, n, "%zu rows", heard.n);
}

#define EXPECT(symtab, function, ...)                                                                        \
    expect_rows((symtab), (function), (const char *const[]){__VA_ARGS__},                                    \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* movs r0, #1; bl to itself; bx lr; a word */
static const uint8_t THUMB[] = {0x01, 0x20, 0xff, 0xf7, 0xfd, 0xff, 0x70, 0x47, 0x01, 0x80, 0x00, 0x00};

Test(listing, the_thumb_bit_says_thumb_where_nothing_else_does)
{
    struct program made = program(4, false, EM_ARM, THUMB, sizeof THUMB);
    name(&made, "f", TEXT + 1, 8);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 2001 movs r0, #1", "8002 f7ff fffd bl #0x8000", "8006 4770 bx lr");
    symtab_unref(symtab);
}

Test(listing, mapping_symbols_tell_data_from_code)
{
    struct program made = program(4, false, EM_ARM, THUMB, sizeof THUMB);
    name(&made, "$t", TEXT, 0);
    name(&made, "$d.1", TEXT + 8, 0);
    name(&made, "f", TEXT + 1, 12);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 2001 movs r0, #1", "8002 f7ff fffd bl #0x8000", "8006 4770 bx lr",
           "8008 01 80 00 00 .word 0x00008001");
    struct heard heard = {.n = 0};
    struct listing_end end;
    end = listing_each(symtab, 0, ROWS, hear, &heard);
    cr_expect_eq(end.address, TEXT + 12);
    cr_expect_eq(heard.targets[0], SYMTAB_NONE);
    cr_expect_eq(heard.targets[1], 0, "the call's");
    cr_expect_eq(heard.targets[3], 0, "the pointer's");
    symtab_unref(symtab);
}

Test(listing, a_literal_that_a_function_begins_at_points_to_it)
{
    static const uint8_t pointer[] = {0x00, 0x48, 0x70, 0x47, 0x01, 0x80, 0x00, 0x00};
    struct program made = program(4, false, EM_ARM, pointer, sizeof pointer);
    name(&made, "f", TEXT + 1, 4);
    struct symtab *symtab = load(&made);
    struct heard heard = {.n = 0};
    EXPECT(symtab, "f", "8000 4800 ldr r0, [pc, #0]", "8002 4770 bx lr");
    listing_each(symtab, 0, ROWS, hear, &heard);
    cr_expect_eq(heard.targets[0], 0);
    symtab_unref(symtab);
}

Test(listing, arm_code_and_thumb_code_may_take_turns)
{
    static const uint8_t code[] = {0x1e, 0xff, 0x2f, 0xe1, 0x70, 0x47, 0x00, 0xbf};
    struct program made = program(4, false, EM_ARM, code, sizeof code);
    name(&made, "$a", TEXT, 0);
    name(&made, "$t", TEXT + 4, 0);
    name(&made, "f", TEXT, 8);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 e12fff1e bx lr", "8004 4770 bx lr", "8006 bf00 nop");
    symtab_unref(symtab);
    static const uint8_t back[] = {0x70, 0x47, 0x00, 0xbf, 0x1e, 0xff, 0x2f, 0xe1, 0x70, 0x47};
    made = program(4, false, EM_ARM, back, sizeof back);
    name(&made, "$t", TEXT, 0);
    name(&made, "$a", TEXT + 4, 0);
    name(&made, "$t.1", TEXT + 8, 0);
    name(&made, "f", TEXT + 1, 10);
    symtab = load(&made);
    EXPECT(symtab, "f", "8000 4770 bx lr", "8002 bf00 nop", "8004 e12fff1e bx lr", "8008 4770 bx lr");
    symtab_unref(symtab);
}

Test(listing, a_label_with_a_dollar_is_no_mapping_symbol)
{
    static const uint8_t code[] = {0x70, 0x47, 0x00, 0xbf, 0x70, 0x47, 0x00, 0xbf};
    static const char *const labels[] = {"$", "$q", "$dx", "$tx.1", "$.d"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        struct program made = program(4, false, EM_ARM, code, sizeof code);
        name(&made, labels[i], TEXT + 4, 0);
        name(&made, ".f", TEXT + 1, 8); /* whose name may stand right behind the label's */
        struct symtab *symtab = load(&made);
        EXPECT(symtab, ".f", "8000 4770 bx lr", "8002 bf00 nop", "8004 4770 bx lr", "8006 bf00 nop");
        symtab_unref(symtab);
    }
}

Test(listing, unaligned_data_is_listed_in_the_largest_aligned_pieces)
{
    static const uint8_t code[] = {0x70, 0x47, 1, 2, 3, 4, 5, 6, 7};
    struct program made = program(4, false, EM_ARM, code, sizeof code);
    name(&made, "$t", TEXT, 0);
    name(&made, "$d", TEXT + 2, 0);
    name(&made, "f", TEXT + 1, sizeof code);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 4770 bx lr", "8002 01 02 .short 0x0201", "8004 03 04 05 06 .word 0x06050403",
           "8008 07 .byte 0x07");
    symtab_unref(symtab);
}

Test(listing, a_literal_of_a_big_endian_program_is_read_as_one)
{
    static const uint8_t pointer[] = {0x48, 0x00, 0x47, 0x70, 0x00, 0x00, 0x80, 0x01};
    struct program made = program(4, true, EM_ARM, pointer, sizeof pointer);
    name(&made, "f", TEXT + 1, 4);
    struct symtab *symtab = load(&made);
    struct heard heard = {.n = 0};
    EXPECT(symtab, "f", "8000 4800 ldr r0, [pc, #0]", "8002 4770 bx lr");
    listing_each(symtab, 0, ROWS, hear, &heard);
    cr_expect_eq(heard.targets[0], 0);
    symtab_unref(symtab);
}

Test(listing, an_unknown_machine_has_no_disassembler)
{
    static const struct symtab_cpu unknown = {.machine = EM_XTENSA, .word_size = 4};
    cr_expect_not(disassembler_knows(&unknown));
    cr_expect_null(disassembler_new(&unknown, false, false));
}

Test(listing, an_invalid_instruction_is_data_and_listing_continues)
{
    static const uint8_t code[] = {0x00, 0xb6, 0x70, 0x47};
    struct program made = program(4, false, EM_ARM, code, sizeof code);
    name(&made, "f", TEXT + 1, 4);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 00 b6 .short 0xb600", "8002 4770 bx lr");
    symtab_unref(symtab);
}

Test(listing, an_instruction_that_the_function_cuts_off_is_data)
{
    struct program made = program(4, false, EM_ARM, THUMB, sizeof THUMB);
    name(&made, "f", TEXT + 1, 4);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 2001 movs r0, #1", "8002 ff f7 .short 0xf7ff");
    symtab_unref(symtab);
}

Test(listing, big_endian_code_reads_as_its_numbers)
{
    static const uint8_t code[] = {0x20, 0x01, 0x47, 0x70};
    struct program made = program(4, true, EM_ARM, code, sizeof code);
    name(&made, "f", TEXT + 1, 4);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 2001 movs r0, #1", "8002 4770 bx lr");
    symtab_unref(symtab);
}

Test(listing, aarch64_and_x86_are_known)
{
    static const uint8_t a64[] = {0xff, 0xff, 0xff, 0x97, 0xc0, 0x03, 0x5f, 0xd6};
    struct program made = program(8, false, EM_AARCH64, a64, sizeof a64);
    name(&made, "before", TEXT, 0);
    name(&made, "f", TEXT, 8);
    struct symtab *symtab = load(&made);
    EXPECT(symtab, "f", "8000 97ffffff bl #0x7ffc", "8004 d65f03c0 ret");
    symtab_unref(symtab);

    static const uint8_t x86[] = {0xe8, 0xfb, 0xff, 0xff, 0xff, 0xc3};
    made = program(8, false, EM_X86_64, x86, sizeof x86);
    name(&made, "f", TEXT, 6);
    symtab = load(&made);
    EXPECT(symtab, "f", "8000 e8 fb ff ff ff call 0x8000", "8005 c3 ret");
    symtab_unref(symtab);

    made = program(4, false, EM_386, x86, sizeof x86);
    name(&made, "f", TEXT, 6);
    symtab = load(&made);
    EXPECT(symtab, "f", "8000 e8 fb ff ff ff call 0x8000", "8005 c3 ret");
    symtab_unref(symtab);
}

/* Without words, but in two bytes each, as its instructions are made of. */
Test(listing, riscv_is_listed_in_half_words)
{
    static const uint8_t code[] = {0x13, 0x05, 0x15, 0x00, 0x82, 0x80, 0x01};
    struct program made = program(4, false, EM_RISCV, code, sizeof code);
    name(&made, "f", TEXT, 7);
    struct symtab *symtab = load(&made);
    struct heard heard = {.n = 0};
    struct listing_end end = listing_each(symtab, symtab_find_name(symtab, "f"), ROWS, hear, &heard);
    cr_assert(!end.has_words && !*end.lost.text);
    cr_assert_eq(end.address, TEXT + 7);
    cr_assert_eq(heard.n, 4);
    cr_expect_str_eq(heard.rows[3], "8006 01 ", "a byte that is left over");
    cr_expect_str_eq(heard.rows[0], "8000 0513 ");
    cr_expect_str_eq(heard.rows[1], "8002 0015 ");
    symtab_unref(symtab);
}

Test(listing, an_unknown_machine_is_listed_in_bytes)
{
    struct program made = program(4, false, EM_XTENSA, THUMB, sizeof THUMB);
    name(&made, "f", TEXT, 12);
    struct symtab *symtab = load(&made);
    struct heard heard = {.n = 0};
    struct listing_end end;
    end = listing_each(symtab, 0, ROWS, hear, &heard);
    cr_assert(!end.has_words && !*end.lost.text);
    cr_assert_eq(heard.n, 12);
    cr_assert_str_eq(heard.rows[1], "8001 20 ");
    cr_assert_eq(end.address, TEXT + 12);
    symtab_unref(symtab);
}

Test(listing, a_huge_function_is_listed_up_to_the_limit)
{
    enum { HUGE_SIZE = 10 << 20 };
    uint8_t *code = calloc(1, HUGE_SIZE);
    struct program made = program(4, false, EM_ARM, code, HUGE_SIZE);
    name(&made, "f", TEXT + 1, HUGE_SIZE);
    struct symtab *symtab = load(&made);
    struct heard heard = {.n = 0};
    struct listing_end end;
    end = listing_each(symtab, 0, 1000, hear, &heard);
    cr_assert(end.has_words, "%s", end.lost.text);
    cr_assert_eq(heard.n, 1000);
    cr_assert_eq(end.address, TEXT + 2000);
    symtab_unref(symtab);
    free(code);
}

Test(listing, code_without_bytes_in_the_file_has_no_rows)
{
    struct program made = program(4, false, EM_ARM, NULL, 64);
    made.text =
        elf_writer_section(&made.writer, ".ram", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x20000000, NULL, 64);
    name(&made, "f", 0x20000001, 32);
    struct symtab *symtab = load(&made);
    struct heard heard = {.n = 0};
    struct listing_end end;
    end = listing_each(symtab, symtab_find_name(symtab, "f"), ROWS, hear, &heard);
    cr_assert_eq(heard.n, 0);
    cr_assert_eq(end.address, 0x20000000);
    symtab_unref(symtab);
}

static struct symtab *load_code(unsigned word_size, bool big_endian, uint16_t machine, const void *code,
                                size_t n, const char *mapping)
{
    struct program made = program(word_size, big_endian, machine, code, n);
    name(&made, "f", TEXT, n);
    name(&made, mapping, TEXT, 0);
    return load(&made);
}

/* Data is listed in aligned units, in the byte order of data. */
Test(listing, data_is_listed_in_words_halves_and_bytes)
{
    static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7};
    struct symtab *symtab = load_code(4, false, EM_ARM, data, sizeof data, "$d");
    EXPECT(symtab, "f", "8000 01 02 03 04 .word 0x04030201", "8004 05 06 .short 0x0605",
           "8006 07 .byte 0x07");
    symtab_unref(symtab);
    symtab = load_code(4, true, EM_ARM, data, sizeof data, "$d");
    EXPECT(symtab, "f", "8000 01 02 03 04 .word 0x01020304", "8004 05 06 .short 0x0506",
           "8006 07 .byte 0x07");
    symtab_unref(symtab);
    symtab = load_code(8, false, EM_AARCH64, data, sizeof data, "$d");
    EXPECT(symtab, "f", "8000 01 02 03 04 .word 0x04030201", "8004 05 06 .short 0x0605",
           "8006 07 .byte 0x07");
    symtab_unref(symtab);
}

Test(listing, an_invalid_instruction_is_listed_in_the_unit_of_the_machine)
{
    static const uint8_t x86[] = {0x06, 0xc3}, a64[] = {0, 0, 0, 0, 0xc0, 0x03, 0x5f, 0xd6};
    static const uint8_t arm[] = {0xff, 0xff, 0xff, 0xff, 0x1e, 0xff, 0x2f, 0xe1};
    struct symtab *symtab = load_code(8, false, EM_X86_64, x86, sizeof x86, "$x");
    EXPECT(symtab, "f", "8000 06 .byte 0x06", "8001 c3 ret");
    symtab_unref(symtab);
    symtab = load_code(8, false, EM_AARCH64, a64, sizeof a64, "$x");
    EXPECT(symtab, "f", "8000 00 00 00 00 .word 0x00000000", "8004 d65f03c0 ret");
    symtab_unref(symtab);
    symtab = load_code(4, false, EM_ARM, arm, sizeof arm, "$a");
    EXPECT(symtab, "f", "8000 ff ff ff ff .word 0xffffffff", "8004 e12fff1e bx lr");
    symtab_unref(symtab);
}

/* ldr r0, [pc, #4]; ldr r1, [r2]; ldr r1, [pc, r2]; bx lr; the address of what follows it */
Test(listing, only_a_word_of_the_pool_is_a_literal)
{
    static const uint8_t code[] = {0x08, 0x00, 0x9f, 0xe5, 0x00, 0x10, 0x92, 0xe5, 0x02, 0x10, 0x9f, 0xe7,
                                   0x1e, 0xff, 0x2f, 0xe1, 0x14, 0x80, 0x00, 0x00, 0x1e, 0xff, 0x2f, 0xe1};
    struct program made = program(4, false, EM_ARM, code, sizeof code);
    name(&made, "f", TEXT, 20);
    name(&made, "g", TEXT + 20, 4);
    name(&made, "$a", TEXT, 0);
    name(&made, "$d", TEXT + 16, 0);
    name(&made, "$a", TEXT + 20, 0);
    struct symtab *symtab = load(&made);
    struct heard heard = {.n = 0};
    struct listing_end end = listing_each(symtab, symtab_find_name(symtab, "f"), ROWS, hear, &heard);
    cr_assert(end.has_words && heard.n == 5);
    uint32_t g = symtab_find_name(symtab, "g");
    cr_expect_eq(heard.targets[0], g, "the literal's address is that of g");
    cr_expect_eq(heard.targets[1], SYMTAB_NONE);
    cr_expect_eq(heard.targets[2], SYMTAB_NONE);
    cr_expect_eq(heard.targets[4], g, "the word itself");
    symtab_unref(symtab);
}

/* Calls and branches through a register have unknown destinations: blx r3; bx r3; cbz r0, f; b f. */
Test(listing, a_branch_through_a_register_has_no_destination_and_others_have)
{
    static const uint8_t thumb[] = {0x98, 0x47, 0x18, 0x47, 0x00, 0xb1, 0xfb, 0xe7};
    static const uint8_t a64[] = {0x20, 0x00, 0x3f, 0xd6, 0xff, 0xff, 0xff, 0x17};
    static const uint8_t x86[] = {0xff, 0xd0, 0xeb, 0xfc};
    struct symtab *symtabs[] = {load_code(4, false, EM_ARM, thumb, sizeof thumb, "$t"),
                                load_code(8, false, EM_AARCH64, a64, sizeof a64, "$x"),
                                load_code(8, false, EM_X86_64, x86, sizeof x86, "$x")};
    for (size_t i = 0; i < sizeof symtabs / sizeof *symtabs; i++) {
        struct heard heard = {.n = 0};
        struct listing_end end = listing_each(symtabs[i], 0, ROWS, hear, &heard);
        cr_assert(end.has_words && heard.n == (i == 0 ? 4 : 2), "%zu: %zu rows", i, heard.n);
        cr_expect_eq(heard.targets[0], SYMTAB_NONE, "%s", heard.rows[0]);
        cr_expect_eq(heard.targets[heard.n - 1], 0, "%s", heard.rows[heard.n - 1]);
        symtab_unref(symtabs[i]);
    }
}
