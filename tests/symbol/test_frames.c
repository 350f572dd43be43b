/* test_frames.c - frame sizes from the ELF, compared with gcc's. */
#include "symbol/symtab.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct symbol *find(const struct symtab *symtab, const char *name)
{
    uint32_t index = symtab_find_name(symtab, name);
    cr_assert_neq(index, SYMTAB_NONE, "%s is there", name);
    return symtab_at(symtab, index);
}

/* The number of frames that gcc reported, and of those known. */
struct counts {
    unsigned fixed, known;
};

static void compare(const struct symbol *symbol, unsigned bytes, bool is_fixed, struct counts *counts)
{
    cr_expect_leq(symbol->frame_bytes, bytes, "%s", symbol->name);
    if (symbol->has_frame)
        cr_expect(symbol->frame_bytes == bytes && is_fixed, "%s: %u, gcc said %u", symbol->name,
                  symbol->frame_bytes, bytes);
    counts->fixed += is_fixed;
    counts->known += symbol->has_frame;
}

static struct counts compare_all(const char *program)
{
    char path[1024], line[512], name[64], kind[32];
    const char *folder = getenv("SYMBOL_FIXTURES");
    cr_assert(folder, "meson test says where the fixtures are");
    snprintf(path, sizeof path, "%s/frames_%s.elf", folder, program);
    if (access(path, F_OK) != 0)
        cr_skip_test("%s was not built: no compiler for it", path);
    struct error err = {0};
    struct symtab *symtab = symtab_load(path, &err);
    cr_assert(symtab, "%s", err.text);
    cr_expect_str_eq(symtab_lost(symtab), "");
    cr_expect_not(find(symtab, "frames_silent")->has_frame, "assembler has no frames");
    cr_expect_not(find(symtab, "frames_dynamic")->has_frame, "alloca() takes what it likes");
    cr_expect_not(find(symtab, "frames_array")->has_frame);
    snprintf(path, sizeof path, "%s/frames_%s-frames.su", folder, program);
    FILE *said = fopen(path, "r");
    cr_assert(said, "%s", path);
    struct counts counts = {0};
    while (fgets(line, sizeof line, said)) {
        unsigned bytes;
        const char *colon = strrchr(line, ':');
        cr_assert_eq(sscanf(colon ? colon + 1 : line, "%63s %u %31s", name, &bytes, kind), 3, "%s", line);
        compare(find(symtab, name), bytes, strcmp(kind, "dynamic") != 0, &counts);
    }
    fclose(said);
    symtab_unref(symtab);
    cr_assert_gt(counts.fixed, 7);
    return counts;
}

static void expect_all(const char *program)
{
    struct counts counts = compare_all(program);
    cr_expect_eq(counts.known, counts.fixed, "%s", program);
}

Test(frames, of_optimised_code_are_as_gcc_says)
{
    expect_all("host_O2");
}

Test(frames, of_optimised_code_for_arm_are_as_gcc_says)
{
    expect_all("arm_O2");
}

Test(frames, of_optimised_code_for_riscv_are_as_gcc_says)
{
    expect_all("riscv_O2");
}

Test(frames, below_a_frame_pointer_of_thumb_are_as_gcc_says)
{
    expect_all("arm_O0");
}

/* There the stack extends below the frame pointer by an unknown length. */
Test(frames, below_a_frame_pointer_elsewhere_are_only_known_in_part)
{
    cr_expect_eq(compare_all("host_O0").known, 0);
}

Test(frames, below_a_frame_pointer_of_riscv_are_only_known_in_part)
{
    cr_expect_eq(compare_all("riscv_O0").known, 0);
}
