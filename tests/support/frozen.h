/* frozen.h - makes small profiles, and finds the row of a function in a snapshot. */
#ifndef TESTS_SUPPORT_FROZEN_H
#define TESTS_SUPPORT_FROZEN_H

#include "profile/profile.h"

#include <criterion/criterion.h>
#include <inttypes.h>

/* A snapshot with empty source, target and link. The caller owns the reference. */
static inline struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source no_source;
    static const struct snapshot_target no_target;
    static const struct snapshot_link no_link;
    struct snapshot *snapshot = profile_freeze(profile, &no_source, &no_target, &no_link);
    cr_assert_not_null(snapshot);
    cr_assert_eq(snapshot->ledger.broken, 0, "sums that have to be equal are not: %u",
                 snapshot->ledger.broken);
    return snapshot;
}

/* Expects the same sum of self time over functions, over the tree and, if their running time is known, over
 * contexts. */
static inline void expect_adds_up(const struct snapshot *snapshot, uint64_t seed)
{
    uint64_t functions = 0, nodes = 0, contexts = 0;
    bool has_times = snapshot->context_count > 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        functions += snapshot->functions[i].self_ticks;
    for (uint32_t i = 0; i < snapshot->node_count; i++)
        nodes += snapshot->nodes[i].self_ticks;
    for (uint32_t i = 0; i < snapshot->context_count; i++) {
        has_times &= snapshot->contexts[i].has_times;
        contexts += snapshot->contexts[i].running_ticks;
    }
    cr_assert_eq(functions, nodes, "seed %" PRIu64 ": functions %" PRIu64 ", tree %" PRIu64, seed, functions,
                 nodes);
    cr_assert(!has_times || nodes == contexts, "seed %" PRIu64 ": tree %" PRIu64 ", contexts %" PRIu64, seed,
              nodes, contexts);
}

/* A finished call. */
static inline struct event call(uint64_t address, uint64_t start, uint64_t duration, uint16_t depth)
{
    return (struct event){.kind = EVENT_CALL,
                          .depth = depth,
                          .ticks = start,
                          .call = {.address = address, .duration = duration}};
}

/* The index of the row of the function at `address`; UINT32_MAX when there is none. */
static inline uint32_t row_of(const struct snapshot *snapshot, uint64_t address)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].has_address && snapshot->functions[i].address == address)
            return i;
    return UINT32_MAX;
}

/* That row, which has to be there. */
static inline const struct snapshot_function *function_of(const struct snapshot *snapshot, uint64_t address)
{
    uint32_t row = row_of(snapshot, address);
    cr_assert_neq(row, UINT32_MAX, "function 0x%" PRIx64 " is there", address);
    return &snapshot->functions[row];
}

#endif
