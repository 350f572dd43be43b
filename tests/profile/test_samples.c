/* test_samples.c - samples of a bin of code that several functions share. */
#include "profile/profile.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/two_functions.h"

enum { F_BYTES = 12 };

/* The snapshot of a bin of `count` samples in `bytes` of code from `address` on. */
static struct snapshot *of_bin(bool with_symbols, uint64_t address, uint64_t count, uint64_t bytes)
{
    struct symtab *symtab = with_symbols ? two_functions_load(false) : NULL;
    struct profile *profile = profile_new(NULL);
    profile_set_symbols(profile, symtab);
    profile_apply(
        profile,
        &(struct event){.kind = EVENT_SAMPLE, .sample = {.address = address, .count = count, .bytes = bytes}},
        1);
    struct snapshot *snapshot = profile_freeze(profile, &(struct snapshot_source){0},
                                               &(struct snapshot_target){0}, &(struct snapshot_link){0});
    profile_free(profile);
    if (symtab)
        symtab_unref(symtab);
    cr_assert_eq(snapshot->sample_total, count);
    cr_assert(snapshot->pc_count == 1 && snapshot->pcs[0].count == count &&
              snapshot->pcs[0].address == address);
    return snapshot;
}

/* The function's samples; UINT64_MAX when it was not met. */
static uint64_t samples_of(const struct snapshot *snapshot, const char *name)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (!strcmp(snapshot->functions[i].name, name))
            return snapshot->functions[i].samples;
    return UINT64_MAX;
}

static void expect(uint64_t address, uint64_t count, uint64_t bytes, uint64_t of_f, uint64_t of_g)
{
    struct snapshot *snapshot = of_bin(true, address, count, bytes);
    cr_expect_eq(samples_of(snapshot, "f"), of_f, "%llx: %llu", (unsigned long long)address,
                 (unsigned long long)samples_of(snapshot, "f"));
    cr_expect_eq(samples_of(snapshot, "g"), of_g, "%llx: %llu", (unsigned long long)address,
                 (unsigned long long)samples_of(snapshot, "g"));
    cr_expect_eq(snapshot->function_count, (uint32_t)(of_f != UINT64_MAX) + (of_g != UINT64_MAX));
    snapshot_unref(snapshot);
}

Test(samples, a_bin_is_shared_out_among_its_functions_by_their_bytes)
{
    expect(F, 9, 4, 9, UINT64_MAX);
    expect(G - 2, 100, 4, 50, 50);
    expect(G - 2, 101, 4, 51, 50);
    expect(G - 2, 1, 4, 1, UINT64_MAX);
    expect(G - 6, 4000, 8, 3000, 1000);
    expect(F, UINT64_MAX, F_BYTES + 4, UINT64_MAX / 8 * 6 + 6, UINT64_MAX / 8 * 2 + 1);
}

Test(samples, bytes_of_no_function_have_no_part)
{
    expect(G, 10, 16, UINT64_MAX, 10);
    expect(F - 4, 10, 8, 10, UINT64_MAX);
}

Test(samples, a_bin_that_is_not_known_or_too_wide_to_tell_counts_where_it_begins)
{
    struct snapshot *snapshot = of_bin(false, G - 2, 100, 4);
    cr_assert(snapshot->function_count == 1 && snapshot->functions[0].samples == 100);
    snapshot_unref(snapshot);
    expect(F, 100, UINT64_C(1) << 40, 100, UINT64_MAX);
}
