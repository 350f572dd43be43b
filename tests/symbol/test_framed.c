/* test_framed.c - frames of hand-made programs, with forms that compilers do not write, or not in
 * a few bytes. */
#include "framed.h"
#include "symbol/symtab.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* DW_CFA_... */
enum { ADVANCE = 0x40, DEF_CFA = 0x0c, DEF_CFA_OFFSET = 0x0e, DEF_CFA_EXPRESSION = 0x0f };
enum { BREG7 = 0x77, BREGX = 0x92, DEREF = 0x06 }; /* DW_OP_... */

static const uint8_t below_sp[] = {DEF_CFA, 13, 24}, below_r7[] = {DEF_CFA, 7, 24};

static struct symtab *load(uint16_t machine, bool big_endian, const struct framed *functions, size_t n,
                           const uint8_t *code, size_t code_n)
{
    size_t file_n;
    struct error err = {""};
    uint8_t *bytes = framed_program(machine, big_endian, functions, n, code, code_n, &file_n);
    struct symtab *symtab = symtab_load_memory(bytes, file_n, "made.elf", &err);
    cr_assert(symtab, "%s", err.text);
    cr_expect_str_eq(symtab_lost(symtab), "");
    free(bytes);
    return symtab;
}

static void expect_frame(const struct symtab *symtab, const char *name, uint32_t bytes, bool is_known)
{
    uint32_t index = symtab_find_name(symtab, name);
    cr_assert_neq(index, SYMTAB_NONE, "%s", name);
    const struct symbol *symbol = symtab_at(symtab, index);
    cr_expect_eq(symbol->frame_bytes, bytes, "%s: %u", name, symbol->frame_bytes);
    cr_expect_eq(symbol->has_frame, is_known, "%s", name);
}

/* True when these halves may lower the stack pointer, in a function whose frame is relative to r7. */
static bool lowers(const uint16_t halves[4], bool big_endian)
{
    uint8_t code[8];
    for (int i = 0; i < 4; i++) {
        code[2 * i + big_endian] = (uint8_t)halves[i];
        code[2 * i + !big_endian] = (uint8_t)(halves[i] >> 8);
    }
    const struct framed function = {"f", sizeof code, sizeof code, below_r7, sizeof below_r7};
    struct symtab *symtab = load(EM_ARM, big_endian, &function, 1, code, sizeof code);
    const struct symbol *symbol = symtab_at(symtab, symtab_find_name(symtab, "f"));
    bool has_frame = symbol->has_frame;
    cr_expect_eq(symbol->frame_bytes, 24);
    symtab_unref(symtab);
    return !has_frame;
}

enum { NOP = 0xbf00 };

Test(framed, instructions_that_lower_the_stack_are_recognised)
{
    static const struct {
        const char *text;
        uint16_t halves[2];
        bool lowers;
    } words[] = {
        {"push {r4}", {0xb410, NOP}, true},
        {"push {r4, lr}", {0xb510, NOP}, true},
        {"pop {r4, pc}", {0xbd10, NOP}, false},
        {"sub sp, #8", {0xb082, NOP}, true},
        {"add sp, #8", {0xb002, NOP}, false},
        {"add sp, r3", {0x449d, NOP}, true},
        {"add r3, sp", {0x446b, NOP}, false},
        {"mov sp, r3", {0x469d, NOP}, true},
        {"mov sp, r7", {0x46bd, NOP}, false},
        {"mov r3, sp", {0x466b, NOP}, false},
        {"push.w {r4, r8}", {0xe92d, 0x0110}, true},
        {"ldmia.w sp!, {r4, r8}", {0xe8bd, 0x0110}, false},
        {"vpush {s16}", {0xed2d, 0x8a01}, true},
        {"vpush {s17}", {0xed6d, 0x8a01}, true},
        {"vpop {s16}", {0xecbd, 0x8a01}, false},
        {"str r4, [sp, #-4]!", {0xf84d, 0x4d04}, true},
        {"str r4, [sp, #-4]", {0xf84d, 0x4c04}, false},
        {"sub.w sp, sp, #256", {0xf5ad, 0x7d80}, true},
        {"sub.w r3, sp, #256", {0xf5ad, 0x7380}, false},
        {"subw sp, sp, #257", {0xf2ad, 0x1d01}, true},
        {"sub.w sp, sp, r3", {0xebad, 0x0d03}, true},
        {"sub.w r4, sp, r3", {0xebad, 0x0403}, false},
        {"bl", {0xf000, 0xfd00}, false},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const uint16_t first[4] = {words[i].halves[0], words[i].halves[1], NOP, NOP},
                       last[4] = {NOP, NOP, words[i].halves[0], words[i].halves[1]};
        cr_expect_eq(lowers(first, false), words[i].lowers, "%s", words[i].text);
        cr_expect_eq(lowers(last, false), words[i].lowers, "%s, last", words[i].text);
        cr_expect_eq(lowers(last, true), words[i].lowers, "%s, big-endian", words[i].text);
    }
}

/* What takes the address of the caller's stack from memory, or from a sum that is no register's. */
static const uint8_t expressions[][5] = {{DEF_CFA_EXPRESSION, 2, BREG7, 16},
                                         {DEF_CFA_EXPRESSION, 3, BREG7, 16, DEREF}};
static const uint8_t of_sum[] = {DEF_CFA_EXPRESSION, 4, BREGX, 13, 24, DEREF};
static const uint8_t giant[] = {DEF_CFA, 13, 0x84, 0x80, 0x80, 0x08}; /* 16 MiB and 4 bytes */
static const uint8_t several[] = {DEF_CFA,        13, 8, ADVANCE | 4, DEF_CFA_OFFSET, 32, ADVANCE | 4,
                                  DEF_CFA_OFFSET, 16};

Test(framed, the_largest_row_counts_and_missing_rows_leave_it_open)
{
    const struct framed functions[] = {
        {"whole", 16, 16, below_sp, sizeof below_sp},
        {"rising", 16, 16, several, sizeof several},
        {"half", 16, 8, below_sp, sizeof below_sp},
        {"silent", 16, 0, NULL, 0},
        {"summed", 16, 16, expressions[0], 4},
        {"loaded", 16, 16, expressions[1], 5},
        {"sum_loaded", 16, 16, of_sum, sizeof of_sum},
        {"giant", 16, 16, giant, sizeof giant},
        {"empty", 0, 0, NULL, 0},
    };
    static const uint8_t code[16 * 8];
    struct symtab *symtab =
        load(EM_ARM, false, functions, sizeof functions / sizeof *functions, code, sizeof code);
    expect_frame(symtab, "whole", 24, true);
    expect_frame(symtab, "rising", 32, true);
    expect_frame(symtab, "half", 24, false);
    expect_frame(symtab, "silent", 0, false);
    expect_frame(symtab, "summed", 0, false);
    expect_frame(symtab, "loaded", 0, false);
    expect_frame(symtab, "sum_loaded", 0, false);
    expect_frame(symtab, "giant", 0, false);
    symtab_unref(symtab);
}

Test(framed, rows_without_end_are_read_for_a_while)
{
    static uint8_t rules[3 * 1100], code[1100];
    for (size_t i = 0; i < 1100; i++) {
        rules[3 * i] = ADVANCE | 1;
        rules[3 * i + 1] = DEF_CFA_OFFSET;
        rules[3 * i + 2] = (uint8_t)(i % 64 + 4);
    }
    const struct framed function = {"f", sizeof code, sizeof code, rules, sizeof rules};
    struct symtab *symtab = load(EM_ARM, false, &function, 1, code, sizeof code);
    expect_frame(symtab, "f", 67, false);
    symtab_unref(symtab);
}

Test(framed, long_or_missing_code_is_not_searched)
{
    enum { LONG = 65536 };
    static const uint8_t code[LONG + 2];
    for (uint32_t size = LONG; size <= LONG + 2; size += 2) {
        const struct framed function = {"f", size, size, below_r7, sizeof below_r7};
        struct symtab *symtab = load(EM_ARM, false, &function, 1, code, size);
        expect_frame(symtab, "f", 24, size == LONG);
        symtab_unref(symtab);
    }
    const struct framed function = {"f", 16, 16, below_r7, sizeof below_r7};
    struct symtab *symtab = load(EM_ARM, false, &function, 1, NULL, 16);
    expect_frame(symtab, "f", 24, false);
    symtab_unref(symtab);
}

/* DWARF numbers the stack pointer by machine: what is that of one is any register of another. */
Test(framed, each_machine_has_its_own_stack_pointer)
{
    static const struct {
        uint16_t machine;
        uint8_t number;
        bool is_known;
    } cases[] = {{EM_ARM, 13, true},  {EM_RISCV, 2, true},  {EM_RISCV, 13, false}, {EM_386, 4, true},
                 {EM_386, 13, false}, {EM_MIPS, 29, false}, {EM_XTENSA, 1, false}};
    static const uint8_t code[16];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t rules[] = {DEF_CFA, cases[i].number, 24};
        const struct framed function = {"f", sizeof code, sizeof code, rules, sizeof rules};
        struct symtab *symtab = load(cases[i].machine, false, &function, 1, code, sizeof code);
        bool is_machine_known = cases[i].machine != EM_MIPS && cases[i].machine != EM_XTENSA;
        expect_frame(symtab, "f", is_machine_known ? 24 : 0, cases[i].is_known);
        symtab_unref(symtab);
    }
}
