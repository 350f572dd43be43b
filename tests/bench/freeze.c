/* freeze.c - bench-freeze: measures the cost of a snapshot and a delta after one call in a large profile.
 *
 *     bench-freeze [FUNCTIONS]          prints medians; there are twice as many nodes as functions
 *
 * valgrind --tool=callgrind --toggle-collect=export_delta counts the instructions of a delta. */
#include "base/clock.h"
#include "export/export.h"
#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 51, MOST = 65536 };

static struct event call_of(uint32_t function, uint16_t depth, uint64_t start, uint64_t ticks)
{
    return (struct event){.kind = EVENT_CALL,
                          .depth = depth,
                          .ticks = start,
                          .call = {.address = 0x08000000u + UINT64_C(64) * function, .duration = ticks}};
}

/* Each function calls the next one. */
static void fill(struct profile *profile, uint32_t functions)
{
    for (uint32_t i = 0; i < functions; i++) {
        const struct event pair[] = {call_of((i + 1) % functions, 1, 10u * i + 1, 3),
                                     call_of(i, 0, 10u * i, 6)};
        profile_apply(profile, pair, 2);
    }
    profile_finish(profile);
}

static struct snapshot *freeze(struct profile *profile, const struct snapshot_target *target)
{
    static const struct snapshot_source source;
    static const struct snapshot_link link;
    struct snapshot *snapshot = profile_freeze(profile, &source, target, &link);
    if (!snapshot)
        exit(1);
    return snapshot;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void tell(const char *what, uint64_t ns[static ROUNDS])
{
    qsort(ns, ROUNDS, sizeof *ns, by_size);
    printf("%-66s %14.1f us\n", what, (double)ns[ROUNDS / 2] / 1000);
}

/* `what` names the mode of the target. */
static void measure(struct profile *profile, uint64_t at_ticks, uint32_t functions,
                    const struct snapshot_target *target, const char *what)
{
    uint64_t freezing[ROUNDS], telling[ROUNDS];
    struct snapshot *before = freeze(profile, target);
    struct sink_buffer text;
    sink_buffer_init(&text);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const struct event one = call_of(functions / 2, 0, at_ticks + UINT64_C(10) * round, 6);
        profile_apply(profile, &one, 1);
        uint64_t began_ns = clock_monotonic_ns();
        struct snapshot *now = freeze(profile, target);
        freezing[round] = clock_monotonic_ns() - began_ns;
        began_ns = clock_monotonic_ns();
        sink_buffer_clear(&text);
        export_delta(now, before->sequence, &text.sink);
        telling[round] = clock_monotonic_ns() - began_ns;
        snapshot_unref(before); /* as the board does when the next one is posted */
        before = now;
    }
    printf("%u nodes, %u functions, one of each changed, %s; the delta has %zu bytes\n", before->node_count,
           before->function_count, what, text.n);
    tell("a snapshot", freezing);
    tell("a delta", telling);
    sink_buffer_fini(&text);
    snapshot_unref(before);
}

int main(int argc, char **argv)
{
    static const struct snapshot_target silent;
    static const struct snapshot_target measured = {
        .ticks_per_second = 1000000,
        .description = {.is_known = true, .tick_hz = 1000000, .hook_sixteenths = 8}};
    uint32_t functions = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 50000;
    struct profile *profile = functions > 1 && functions < MOST ? profile_new(NULL) : NULL;
    if (!profile) {
        fprintf(stderr, "bench-freeze: 2 to %d functions, and memory for them\n", MOST - 1);
        return 2;
    }
    fill(profile, functions);
    measure(profile, 10u * functions, functions, &silent, "as measured");
    measure(profile, 20u * functions, functions, &measured, "and corrected");
    profile_free(profile);
    return 0;
}
