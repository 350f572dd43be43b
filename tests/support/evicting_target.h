/* evicting_target.h - a target that evicts nodes of its call tree, written after SPEC.md 12.9 only, and the
 * truth about the program that it runs. */
#ifndef TESTS_SUPPORT_EVICTING_TARGET_H
#define TESTS_SUPPORT_EVICTING_TARGET_H

#include "protocol/tree_writer.h"
#include "support/random.h"

enum {
    EVICTING_PLACES = 24,
    EVICTING_FUNCTIONS = 20, /* of each context; contexts share none */
    EVICTING_CONTEXTS = 2,
    EVICTING_DEPTH = 7,
    EVICTING_CHAINS = 20000,
    EVICTING_PAYLOAD = 240,
    EVICTING_FIRST = 0x1000, /* address of the first function */
};

/* The true sums of a chain of callers, or of a function, since the profile began. */
struct evicting_truth {
    uint32_t parent; /* for a chain; UINT32_MAX when outermost */
    uint32_t function;
    uint64_t calls, own, total;
};

struct evicting_life {
    bool is_used;
    uint32_t parent, parent_generation; /* MP_TREE_NO_PARENT */
    uint32_t chain, context, callees, generation;
    uint64_t calls, own, below, inherited;
};

struct evicting_sums {
    bool is_used;
    uint64_t calls, own;
};

struct evicting_target {
    struct test_random random;
    uint32_t places, functions, depth, with_sums_most, refresh;
    bool evicts;
    struct evicting_life life[EVICTING_PLACES];
    struct evicting_sums gone[EVICTING_CONTEXTS * EVICTING_FUNCTIONS + 1]; /* [0]: of those without */
    uint64_t below[EVICTING_CONTEXTS], outside[EVICTING_CONTEXTS];
    struct mp_tree_head head;
    uint32_t stack[EVICTING_CONTEXTS][EVICTING_DEPTH], on_stack[EVICTING_CONTEXTS], running;
    struct evicting_truth chain[EVICTING_CHAINS];
    struct evicting_truth function[EVICTING_CONTEXTS * EVICTING_FUNCTIONS];
    uint32_t chains;
    uint64_t bounds; /* of the runs before this one */
    /* Of the round that is sent. */
    uint32_t round, whole, first, item, sent_nodes;
    bool is_in_round, is_torn;
    uint64_t told[3 * EVICTING_PLACES + 2 * EVICTING_CONTEXTS * EVICTING_FUNCTIONS + 9];
};

void evicting_begin(struct evicting_target *target, uint64_t seed);

/* Begins another run, whose sums are added to the earlier ones unless the earlier run was cut. */
void evicting_start(struct evicting_target *target, bool is_cut);

/* Runs the program for `steps` steps. */
void evicting_work(struct evicting_target *target, uint32_t steps);

/* Stops the program; every sum is sent again. */
void evicting_stop(struct evicting_target *target);

/* Returns the next packet. *ends is true for the last one of its round, which closes a stopped run. */
uint16_t evicting_packet(struct evicting_target *target,
                         uint8_t payload[static EVICTING_PAYLOAD + MP_TREE_RECORD_MAX], bool *ends);

/* Address of a function. */
static inline uint32_t evicting_address(uint32_t function)
{
    return EVICTING_FIRST + 16 * function;
}

#endif
