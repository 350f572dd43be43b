/* program.h - simulates a program that runs for any length of time. Its call tree is fixed; numbers and durations of
 * calls are random. The same seed gives the same run on every machine. */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRAM_DEPTH_MAX = 512 };

struct program_shape {
    uint32_t functions;
    uint32_t depth; /* levels of calls, 1 to PROGRAM_DEPTH_MAX */
    uint32_t nodes; /* number of distinct stacks, at least `depth` */
    uint64_t seed;
};

struct program {
    struct program_shape shape;
    struct program_node *nodes; /* level by level, children of one parent side by side */
    uint32_t first_level;       /* number of nodes without a caller */
    uint64_t random;
    uint64_t ticks;
    uint32_t level; /* number of open calls */
    struct program_call {
        uint32_t node, left; /* calls still to make */
        uint64_t start_ticks;
    } open[PROGRAM_DEPTH_MAX];
};

struct program_step {
    bool enter; /* false: a return */
    uint32_t function, depth;
    uint64_t start_ticks; /* of the call */
    uint64_t ticks;       /* now */
};

/* Returns false when out of memory. */
bool program_init(struct program *program, const struct program_shape *shape);
void program_fini(struct program *program);

/* Writes the next step: a call begins, or the innermost one returns. */
void program_step(struct program *program, struct program_step *step);

#endif
