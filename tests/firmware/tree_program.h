/* tree_program.h - random programs of two tasks and three interrupts, which come anywhere (also in hooks), counted
 * by the target's tree and by the test. */
#ifndef TESTS_FIRMWARE_TREE_PROGRAM_H
#define TESTS_FIRMWARE_TREE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree_program {
    const char *name;
    uint32_t functions; /* 0x100, 0x110 and so on */
    uint32_t deepest;
    bool jumps;
    size_t bytes_a_round; /* that the line accepts */
    bool is_flat;
    void (*round)(uint32_t round); /* before each poll, of which there are 200; then no two entries, and
                            no two exits, of a context are at one time. NULL: nothing is to be done */
    bool evicts;                   /* the host asks for it */
    uint64_t seed;                 /* 0 when chosen by the name */
    uint32_t *evictions;           /* receives their number; may be NULL */
};

/* Runs a program, and fails the test unless the target's sums equal the count to the tick. */
void tree_program_run(const struct tree_program *wanted);

/* The number of nodes that its tree needs, or has. */
int tree_program_nodes(void);

#endif
