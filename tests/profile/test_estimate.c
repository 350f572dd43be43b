/* test_estimate.c - arcs and samples, and the tree that is estimated from them. */
#include "profile/profile.h"
#include "support/elf_writer.h"
#include "symbol/symtab.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    return profile_freeze(profile, &source, &target, &link);
}

static void arc(struct profile *profile, uint64_t from, uint64_t to, uint64_t calls)
{
    profile_apply(profile, &(struct event){.kind = EVENT_ARC, .arc = {from, to, calls}}, 1);
}

static void sample(struct profile *profile, uint64_t address, uint64_t count)
{
    profile_apply(profile, &(struct event){.kind = EVENT_SAMPLE, .sample = {address, count}}, 1);
}

/* The node reached from the root by these names; NULL when there is none. */
static const struct snapshot_node *node_at(const struct snapshot *snapshot, const char *const *path)
{
    int32_t at = 0;
    for (; *path; path++) {
        int32_t found = -1;
        for (uint32_t i = 1; i < snapshot->node_count; i++)
            if (snapshot->nodes[i].parent == at &&
                strcmp(snapshot->functions[snapshot->nodes[i].function].name, *path) == 0 &&
                snapshot->nodes[i].total_ticks > 0)
                found = (int32_t)i;
        if (found < 0)
            return NULL;
        at = found;
    }
    return &snapshot->nodes[at];
}
#define NODE(...) node_at(snapshot, (const char *const[]){__VA_ARGS__, NULL})

/* As node_at(), for a node that must exist. */
static struct snapshot_node known_node(const struct snapshot *snapshot, const char *const *path)
{
    const struct snapshot_node *node = node_at(snapshot, path);
    cr_assert_not_null(node);
    return node ? *node : (struct snapshot_node){0};
}
#define KNOWN(...) known_node(snapshot, (const char *const[]){__VA_ARGS__, NULL})

Test(estimate, cost_is_split_among_callers_by_their_calls)
{
    struct profile *profile = profile_new(NULL);
    sample(profile, 0xA0, 10);
    sample(profile, 0xB0, 20);
    sample(profile, 0xC0, 40);
    arc(profile, 0xA0, 0xC0, 3);
    arc(profile, 0xB0, 0xC0, 1);
    struct snapshot *snapshot = freeze(profile);
    cr_assert(snapshot->call_tree_estimated);
    cr_assert_eq(KNOWN("0x000000a0").total_ticks, 40);
    cr_assert_eq(KNOWN("0x000000a0").self_ticks, 10);
    cr_assert_eq(KNOWN("0x000000a0", "0x000000c0").total_ticks, 30);
    cr_assert_eq(KNOWN("0x000000a0", "0x000000c0").calls, 3);
    cr_assert_eq(KNOWN("0x000000b0", "0x000000c0").total_ticks, 10);
    cr_assert_null(NODE("0x000000c0"), "it is no root, since somebody calls it");
    cr_assert_eq(snapshot->arc_count, 2);
    cr_assert_eq(snapshot->sample_total, 70);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, an_interrupt_that_calls_its_handler_is_no_function)
{
    struct profile *profile = profile_new(NULL);
    sample(profile, 0xA0, 10);
    profile_apply(profile,
                  &(struct event){.kind = EVENT_ARC, .flags = EVENT_INTERRUPT, .arc = {0xFFFFFFF9, 0xA0, 4}},
                  1);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->arc_count, 1);
    cr_assert_eq(snapshot->functions[snapshot->arcs[0].caller].kind, KIND_INTERRUPT);
    cr_assert_not(snapshot->functions[snapshot->arcs[0].caller].has_address);
    cr_assert_eq(KNOWN("[interrupt]", "0x000000a0").calls, 4);
    cr_assert(snapshot->sites[0].is_of_interrupt);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, cycles_are_one_node_with_their_members_below)
{
    struct profile *profile = profile_new(NULL);
    sample(profile, 0xA0, 5);
    sample(profile, 0xB0, 6);
    sample(profile, 0xC0, 7);
    arc(profile, 0xA0, 0xB0, 1);
    arc(profile, 0xB0, 0xC0, 9);
    arc(profile, 0xC0, 0xB0, 8);
    arc(profile, 0xC0, 0xC0, 2);
    struct snapshot *snapshot = freeze(profile);
    uint64_t self = 0;
    for (uint32_t i = 0; i < snapshot->node_count; i++)
        self += snapshot->nodes[i].self_ticks;
    cr_assert_eq(self, 18, "no sample is counted twice or lost");
    cr_assert_eq(KNOWN("0x000000a0").total_ticks, 18);
    bool circle = false;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].kind == KIND_CYCLE) {
            circle = true;
            cr_expect(snapshot->functions[i].number > 0 &&
                      snapshot->functions[i].number <= snapshot->function_count);
        }
    cr_assert(circle);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, a_cycle_of_three_is_one_cycle)
{
    struct profile *profile = profile_new(NULL);
    sample(profile, 0xB0, 6);
    sample(profile, 0xC0, 5);
    sample(profile, 0xD0, 4);
    arc(profile, 0xA0, 0xB0, 4);
    arc(profile, 0xB0, 0xC0, 3);
    arc(profile, 0xC0, 0xD0, 2);
    arc(profile, 0xD0, 0xB0, 1);
    struct snapshot *snapshot = freeze(profile);
    uint32_t circles = 0, members = 0;
    for (uint32_t node = 1; node < snapshot->node_count; node++) {
        const struct snapshot_node *row = &snapshot->nodes[node];
        circles += snapshot->functions[row->function].kind == KIND_CYCLE;
        members +=
            row->parent > 0 && snapshot->functions[snapshot->nodes[row->parent].function].kind == KIND_CYCLE;
    }
    cr_expect_eq(circles, 1, "%u circles", circles);
    cr_expect_eq(members, 3, "%u members", members);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, it_follows_later_arcs)
{
    struct profile *profile = profile_new(NULL);
    sample(profile, 0xC0, 4);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(KNOWN("0x000000c0").total_ticks, 4);
    snapshot_unref(snapshot);
    arc(profile, 0xA0, 0xC0, 1);
    snapshot = freeze(profile);
    cr_assert_null(NODE("0x000000c0"));
    cr_assert_eq(KNOWN("0x000000a0", "0x000000c0").total_ticks, 4);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, samples_and_call_sites_are_kept_by_address)
{
    struct profile *profile = profile_new(NULL);
    sample(profile, 0xC0, 4);
    sample(profile, 0xC2, 1);
    sample(profile, 0xC0, 2);
    arc(profile, 0x1000000A0, 0x2000000C0, 1);
    arc(profile, 0x1000000A0, 0x2000000C0, 5);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->pc_count, 2);
    cr_assert_eq(snapshot->pcs[0].count, 6);
    cr_assert_eq(snapshot->site_count, 1);
    cr_assert_eq(snapshot->sites[0].calls, 6);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, a_long_chain_of_calls_does_not_exhaust_the_stack)
{
    struct profile *profile = profile_new(NULL);
    for (uint64_t i = 0; i < 20000; i++)
        arc(profile, 0x1000 + 16 * i, 0x1000 + 16 * (i + 1), 1);
    sample(profile, 0x1000 + 16 * 20000, 1000);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_gt(snapshot->node_count, 100);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, an_arc_that_was_never_taken_carries_nothing)
{
    struct profile *profile = profile_new(NULL);
    sample(profile, 0xA0, 5);
    sample(profile, 0xB0, 6);
    arc(profile, 0xA0, 0xB0, 0);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(KNOWN("0x000000a0").total_ticks, 5);
    cr_assert_eq(KNOWN("0x000000b0").total_ticks, 6);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* The ceiling is reached when each of many functions needs a node. */
Test(estimate, a_tree_at_its_ceiling_is_filled_again)
{
    struct profile *profile = profile_new(NULL);
    for (uint32_t i = 1; i <= 51000; i++) {
        sample(profile, 0x1000 + 16 * i, 3);
        arc(profile, 0x1000, 0x1000 + 16 * i, 1);
    }
    for (int look = 0; look < 2; look++) {
        sample(profile, 0x1000, 1);
        struct snapshot *snapshot = freeze(profile);
        uint32_t filled = 0;
        for (uint32_t i = 1; i < snapshot->node_count; i++)
            filled += snapshot->nodes[i].total_ticks > 0;
        cr_assert_eq(filled, 50000, "%u nodes", filled);
        snapshot_unref(snapshot);
    }
    profile_free(profile);
}

Test(estimate, cycles_are_numbered_from_one)
{
    struct profile *profile = profile_new(NULL);
    for (uint32_t i = 0; i < 200; i++) {
        sample(profile, 0x8000 + 16 * i, 1); /* moves all that is found later */
        sample(profile, 0xA0, 1);
        arc(profile, 0x8000 + 16 * i, 0xA0, 1);
        arc(profile, 0xA0, 0xB0, 1);
        arc(profile, 0xB0, 0xA0, 1);
        snapshot_unref(freeze(profile));
    }
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->function_count, 203, "one row for the circle");
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, measured_calls_replace_the_estimate)
{
    struct profile *profile = profile_new(NULL);
    for (int i = 0; i < 2; i++) { /* counted ones come before and after */
        arc(profile, 0xA0, 0xB0, 9);
        sample(profile, 0xB0, 4);
        snapshot_unref(freeze(profile));
        profile_apply(profile,
                      &(struct event){.kind = EVENT_CALL, .ticks = 10 + 10 * (uint64_t)i, .call = {0xB0, 7}},
                      1);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_not(snapshot->call_tree_estimated);
    cr_assert_eq(KNOWN("0x000000b0").calls, 2);
    cr_assert_eq(KNOWN("0x000000b0").total_ticks, 14);
    cr_assert_null(NODE("0x000000a0"));
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *row = &snapshot->functions[i];
        if (row->address != 0xB0)
            continue;
        cr_assert_eq(row->calls, 2);
        cr_assert_eq(row->samples, 8);
        cr_assert(row->known & FUNCTION_SAMPLES);
    }
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* A circle of 20,000 functions with 40,000 arcs, called from 20,000 places. */
Test(estimate, a_huge_cycle_is_estimated_within_the_node_limit, .timeout = 300)
{
    enum { CIRCLE = 20000 };
    struct profile *profile = profile_new(NULL);
    for (uint32_t i = 0; i < CIRCLE; i++) {
        uint64_t here = 0x100000 + 16 * i, next = 0x100000 + 16 * ((i + 1) % CIRCLE);
        sample(profile, here, 100);
        arc(profile, here, next, 1);
        arc(profile, next, here, 1);
        arc(profile, 0x900000 + 16 * i, here, 1);
    }
    struct snapshot *snapshot = freeze(profile);
    uint32_t filled = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        filled += snapshot->nodes[i].total_ticks > 0;
    cr_assert_leq(filled, 50000 + 1, "%u nodes", filled);
    cr_assert_gt(filled, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* A program for Thumb with two calls: behind 0x8004 one of g (at 0x8010), behind 0x8006 one through r3. */
static struct symtab *two_calls(uint16_t machine)
{
    static const uint8_t code[0x20] = {0x00, 0xf0, 0x06, 0xf8, 0x98, 0x47, 0x00, 0xbf};
    struct elf_writer writer;
    struct error err;
    size_t n;
    elf_writer_init(&writer, 4, false, machine);
    unsigned text = elf_writer_section(&writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x8000,
                                       code, sizeof code);
    unsigned thumb = machine == EM_ARM;
    elf_writer_symbol(&writer, "f", 0x8000 + thumb, 0x10, STB_GLOBAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "g", 0x8010 + thumb, 0x08, STB_GLOBAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "h", 0x8018 + thumb, 0x08, STB_GLOBAL, STT_FUNC, text);
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    struct symtab *symtab = symtab_load_memory(bytes, n, "calls.elf", &err);
    free(bytes);
    cr_assert_not_null(symtab);
    return symtab;
}

enum match { NOT_JUDGED, NO_MATCH, MATCH };

static enum match match_of(uint16_t machine, size_t n, const uint64_t (*arcs)[2])
{
    struct profile *profile = profile_new(NULL);
    struct symtab *symtab = machine ? two_calls(machine) : NULL;
    profile_set_symbols(profile, symtab);
    symtab_unref(symtab);
    for (size_t i = 0; i < n; i++)
        arc(profile, arcs[i][0], arcs[i][1], 1);
    struct snapshot *snapshot = freeze(profile);
    enum match match = !snapshot->target.has_match  ? NOT_JUDGED
                       : snapshot->target.elf_match ? MATCH
                                                    : NO_MATCH;
    snapshot_unref(snapshot);
    profile_free(profile);
    return match;
}
#define MATCH_OF(machine, ...)                                                                               \
    match_of(machine, sizeof((const uint64_t[][2]){__VA_ARGS__}) / sizeof(uint64_t[2]),                      \
             (const uint64_t[][2]){__VA_ARGS__})

Test(estimate, the_elf_fits_when_half_of_the_calls_are_where_it_has_them)
{
    cr_expect_eq(MATCH_OF(EM_ARM, {0x8005, 0x8011}), MATCH);
    cr_expect_eq(MATCH_OF(EM_ARM, {0x8005, 0x8013}), MATCH, "anywhere in the function");
    cr_expect_eq(MATCH_OF(EM_ARM, {0x8005, 0x8019}), NO_MATCH, "there it calls another function");
    cr_expect_eq(MATCH_OF(EM_ARM, {0x8007, 0x8019}), MATCH, "through a register it may go anywhere");
    cr_expect_eq(MATCH_OF(EM_ARM, {0x8009, 0x8011}), NO_MATCH, "a nop calls nothing");
    cr_expect_eq(MATCH_OF(EM_ARM, {0x8005, 0x8011}, {0x8009, 0x8011}), MATCH, "half");
    cr_expect_eq(MATCH_OF(EM_ARM, {0x8005, 0x8011}, {0x8009, 0x8011}, {0x800d, 0x8011}), NO_MATCH, "a third");
}

Test(estimate, without_calls_of_an_arm_program_no_elf_is_judged_by_them)
{
    cr_expect_eq(match_of(EM_ARM, 0, NULL), NOT_JUDGED);
    cr_expect_eq(MATCH_OF(0, {0x8005, 0x8011}), NOT_JUDGED, "no ELF");
    cr_expect_eq(MATCH_OF(EM_RISCV, {0x8005, 0x8011}), NOT_JUDGED);
}

Test(estimate, cleared_calls_do_not_count_for_the_elf_match)
{
    struct profile *profile = profile_new(NULL);
    struct symtab *symtab = two_calls(EM_ARM);
    profile_set_symbols(profile, symtab);
    symtab_unref(symtab);
    arc(profile, 0x8009, 0x8011, 1);
    arc(profile, 0x8005, 0x8011, 1);
    profile_clear(profile);
    arc(profile, 0x8009, 0x8011, 1);
    struct snapshot *snapshot = freeze(profile);
    cr_expect(snapshot->target.has_match && !snapshot->target.elf_match);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(estimate, arcs_of_a_measured_function_count_no_call_twice)
{
    struct profile *profile = profile_new(NULL);
    struct symtab *symtab = two_calls(EM_ARM);
    profile_set_symbols(profile, symtab);
    symtab_unref(symtab);
    profile_apply(profile, &(struct event){.kind = EVENT_CALL, .ticks = 1, .call = {0x8011, 9}}, 1);
    profile_finish(profile);
    arc(profile, 0x8005, 0x8011, 3);
    struct snapshot *snapshot = freeze(profile);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (strcmp(snapshot->functions[i].name, "g") == 0)
            calls += snapshot->functions[i].calls;
    cr_expect_eq(calls, 1, "%u calls", (unsigned)calls);
    snapshot_unref(snapshot);
    profile_free(profile);
}
