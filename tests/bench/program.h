/* program.h - a made-up program that runs for as long as one likes: who calls whom is fixed, how often and
 * how long is rolled. The same numbers give the same run on every machine. */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRAM_DEPTH_MAX = 512 };

struct program_shape {
    uint32_t functions;
    uint32_t depth; /* levels of calls, 1 to PROGRAM_DEPTH_MAX */
    uint32_t nodes; /* distinct stacks there are to be met; at least `depth` */
    uint64_t seed;
};

struct program {
    struct program_shape shape;
    struct program_node *nodes; /* level by level, children of one parent side by side */
    uint32_t first_level;       /* how many nodes have no caller */
    uint64_t random;
    uint64_t ticks;
    uint32_t level; /* how many calls are open */
    struct program_call {
        uint32_t node, left; /* calls still to make */
        uint64_t start_ticks;
    } open[PROGRAM_DEPTH_MAX];
};

struct program_step {
    bool enter; /* else a return */
    uint32_t function, depth;
    uint64_t start_ticks; /* of the call */
    uint64_t ticks;       /* now */
};

/* False when memory is used up. */
bool program_init(struct program *program, const struct program_shape *shape);
void program_fini(struct program *program);

/* The next thing that happens: a call begins, or the innermost one returns. */
void program_step(struct program *program, struct program_step *step);

#endif
