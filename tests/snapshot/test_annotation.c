/* test_annotation.c - lines, instructions and samples of the functions of a small program. */
#include "snapshot/annotation.h"
#include "profile/profile.h"

#include "support/two_functions.h"

#include <criterion/criterion.h>
#include <string.h>

static struct profile *profile;

static void start(bool with_elf, bool with_lines)
{
    profile = profile_new(NULL);
    if (with_elf) {
        struct symtab *symtab = two_functions_load(with_lines);
        profile_set_symbols(profile, symtab);
        symtab_unref(symtab); /* the snapshot keeps it */
    }
}

static void sample(uint64_t address, uint64_t count, uint64_t bytes)
{
    profile_apply(profile, &(struct event){.kind = EVENT_SAMPLE, .sample = {address, count, bytes}}, 1);
}

static struct snapshot *freeze(void)
{
    struct snapshot *snapshot =
        profile_freeze(profile, &(struct snapshot_source){.elf_path = "made.elf", .elf_name = "made.elf"},
                       &(struct snapshot_target){0}, &(struct snapshot_link){0});
    profile_free(profile);
    return snapshot;
}

static uint32_t id_of(const struct snapshot *snapshot, const char *name)
{
    for (uint32_t id = 0; id < snapshot->function_count; id++)
        if (strcmp(snapshot->functions[id].name, name) == 0)
            return id;
    cr_assert(false, "%s is there", name);
    return 0;
}

Test(annotation, instructions_with_lines_targets_and_samples)
{
    start(true, true);
    sample(F + 1, 3, 0); /* with the Thumb bit */
    sample(F + 2, 10, 4);
    sample(G, 5, 0);
    struct snapshot *snapshot = freeze();
    struct annotation *f = annotation_new(snapshot, id_of(snapshot, "f"));
    cr_assert_str_eq(f->no_instructions.text, "");
    cr_assert_str_eq(f->no_lines.text, "");
    cr_assert_eq(f->left_out, 0);
    cr_assert_geq(f->instruction_count, 5);
    cr_assert_str_eq(f->instructions[0].text, "movs r0, #1");
    cr_assert_eq(f->instructions[0].samples, 3 * ANNOTATION_SAMPLE);
    cr_assert_eq(f->instructions[0].line, 10);
    const struct annotation_instruction *call = &f->instructions[1];
    cr_assert_str_eq(call->bytes, "f000 f803");
    cr_assert(call->has_destination);
    cr_assert_eq(call->destination, G);
    cr_assert_str_eq(call->destination_name, "g");
    cr_assert_eq(call->destination_function, id_of(snapshot, "g"));
    cr_assert_eq(call->samples, 10 * ANNOTATION_SAMPLE);
    cr_assert_eq(call->line, 12);
    cr_assert_str_eq(f->files[f->instructions[2].file].path, "inc/p.h");
    cr_assert(f->instructions[2].has_literal, "it loads the word after the function");
    cr_assert_eq(f->own_file, f->instructions[0].file);
    cr_assert_eq(f->first_line, 10);
    cr_assert(f->has_samples);
    cr_assert_eq(f->bin_bytes, 4);
    uint32_t told = 0, with_a_line = 0;
    for (uint32_t i = 0; i < f->line_count; i++)
        told += f->lines[i].instructions;
    for (uint32_t i = 0; i < f->instruction_count; i++)
        with_a_line += f->instructions[i].line > 0;
    cr_assert(told == with_a_line && told > f->line_count, "%u of %u on %u lines", told, with_a_line,
              f->line_count);
    annotation_free(f);
    snapshot_unref(snapshot);
}

Test(annotation, a_functions_lines_end_where_the_next_one_of_its_file_begins)
{
    start(true, true);
    sample(F, 1, 0);
    sample(G, 1, 0);
    struct snapshot *snapshot = freeze();
    struct annotation *f = annotation_new(snapshot, id_of(snapshot, "f"));
    cr_assert_eq(f->last_line, 12, "%u; line 20 is g's, and inlined here", f->last_line);
    uint32_t at = annotation_line_at(f, f->own_file, 11);
    cr_assert_eq(f->lines[at].line, 12);
    cr_assert_eq(f->lines[at].instructions, 1);
    struct annotation *g = annotation_new(snapshot, id_of(snapshot, "g"));
    cr_assert_eq(g->first_line, 20);
    cr_assert_eq(g->last_line, 20);
    annotation_free(f);
    annotation_free(g);
    snapshot_unref(snapshot);
}

Test(annotation, a_bin_is_shared_out_by_bytes_and_no_sample_is_lost)
{
    start(true, true);
    sample(F, 7, 8);       /* 2 + 4 + 2 bytes */
    sample(F + 8, 100, 8); /* half of it lies in g */
    struct snapshot *snapshot = freeze();
    struct annotation *f = annotation_new(snapshot, id_of(snapshot, "f"));
    cr_assert_eq(f->instructions[0].samples, 1750);
    cr_assert_eq(f->instructions[1].samples, 3500);
    uint64_t sum = 0, lines = 0;
    for (uint32_t i = 0; i < f->instruction_count; i++)
        sum += f->instructions[i].samples;
    for (uint32_t i = 0; i < f->line_count; i++)
        lines += f->lines[i].samples;
    cr_assert_eq(sum, 57 * ANNOTATION_SAMPLE);
    cr_assert_eq(lines, sum);
    annotation_free(f);
    snapshot_unref(snapshot);
}

Test(annotation, without_debug_lines_there_are_instructions_and_a_reason)
{
    start(true, false);
    sample(F, 1, 0);
    struct snapshot *snapshot = freeze();
    struct annotation *f = annotation_new(snapshot, id_of(snapshot, "f"));
    cr_assert_geq(f->instruction_count, 5);
    cr_assert_eq(f->line_count, 0);
    cr_assert_eq(f->own_file, ANNOTATION_NONE);
    cr_assert(strstr(f->no_lines.text, "-g"), "%s", f->no_lines.text);
    annotation_free(f);
    snapshot_unref(snapshot);
}

static void expect_nothing(struct snapshot *snapshot, uint32_t id, const char *words)
{
    struct annotation *nothing = annotation_new(snapshot, id);
    cr_assert_eq(nothing->instruction_count + nothing->line_count, 0);
    cr_assert(strstr(nothing->no_instructions.text, words), "%s", nothing->no_instructions.text);
    cr_assert(strstr(nothing->no_lines.text, words), "%s", nothing->no_lines.text);
    annotation_free(nothing);
    snapshot_unref(snapshot);
}

Test(annotation, a_missing_annotation_has_a_reason)
{
    start(false, false);
    sample(F, 1, 0);
    expect_nothing(freeze(), 0, "--elf");

    start(true, true);
    sample(0x9000, 1, 0);
    expect_nothing(freeze(), 0, "made.elf has no function at 0x00009000");

    start(true, true);
    profile_apply(profile,
                  &(struct event){.kind = EVENT_ENTER, .flags = EVENT_BY_NAME, .named = {"wired", 5}}, 1);
    struct snapshot *snapshot = freeze();
    expect_nothing(snapshot, id_of(snapshot, "wired"), "only known by its name");
}
