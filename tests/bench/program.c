/* program.c - simulates a program that runs for any length of time.
 *
 * The tree of all stacks is made first; each level is larger than the one above by the same factor. A run walks the
 * tree: a function makes zero to four calls, mostly to the next callee or the same one again, sometimes to any. One
 * stack in eight is entered in half of all cases, like the hot functions of real programs. Times depend on the
 * function and vary at random. */
#include "bench/program.h"

#include <math.h>
#include <stdlib.h>

struct program_node {
    uint32_t function;
    uint32_t first_child, children;
    uint32_t last_called; /* among the children */
};

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t roll(struct program *program)
{
    return mix(program->random += 0x9E3779B97F4A7C15u);
}

/* Returns 0 to limit - 1 from 32 random bits. */
static uint32_t below(uint64_t luck, uint32_t limit)
{
    return (uint32_t)((luck & UINT32_MAX) * limit >> 32);
}

/* Returns the factor f with f + f^2 + ... + f^depth = nodes. */
static double growth(uint32_t nodes, uint32_t depth)
{
    double low = 1, high = nodes;
    for (int i = 0; i < 100; i++) {
        double factor = (low + high) / 2, sum = 0;
        for (uint32_t level = 0; level < depth; level++)
            sum = (sum + 1) * factor;
        if (sum < nodes)
            low = factor;
        else
            high = factor;
    }
    return low;
}

/* Distributes the n nodes from `first` on to the parents [from, to), in order, and assigns their functions. Siblings
 * have different functions if there are enough. */
static void adopt(struct program *program, uint32_t first, uint32_t n, uint32_t from, uint32_t to)
{
    uint32_t parents = to - from;
    for (uint32_t i = 0; i < n; i++)
        program->nodes[from + below(roll(program), parents)].children++;
    for (uint32_t parent = from, at = first; parent < to; parent++) {
        struct program_node *node = &program->nodes[parent];
        node->first_child = at;
        for (uint32_t k = 0; k < node->children; k++, at++)
            program->nodes[at].function = (uint32_t)((mix(node->function) + k) % program->shape.functions);
    }
}

bool program_init(struct program *program, const struct program_shape *shape)
{
    *program = (struct program){.shape = *shape, .random = shape->seed};
    program->nodes = calloc(shape->nodes, sizeof *program->nodes);
    if (!program->nodes)
        return false;
    double factor = growth(shape->nodes, shape->depth), wanted = factor;
    uint32_t from = 0, to = 0;
    for (uint32_t level = 0; level < shape->depth; level++, wanted *= factor) {
        uint32_t room =
            shape->nodes - to - (shape->depth - 1 - level); /* leaves at least one for each level below */
        uint32_t n = wanted < 1 ? 1 : wanted > room ? room : (uint32_t)wanted;
        if (level == shape->depth - 1)
            n = room;
        if (level == 0)
            program->first_level = n;
        for (uint32_t i = 0; i < n && level == 0; i++)
            program->nodes[i].function = i % shape->functions;
        if (level > 0)
            adopt(program, to, n, from, to);
        from = to;
        to += n;
    }
    return true;
}

void program_fini(struct program *program)
{
    free(program->nodes);
}

static uint32_t calls_to_make(struct program *program, const struct program_node *node)
{
    static const uint8_t calls[16] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4};
    return node->children ? calls[roll(program) >> 60] : 0;
}

/* Returns which of n callees is called next, after number `last`. */
static uint32_t choose(struct program *program, uint32_t last, uint32_t n)
{
    uint64_t luck = roll(program);
    switch (luck >> 61) {
    case 0:
    case 1:
    case 2: return last;
    case 3:
    case 4:
    case 5: return last + 1 < n ? last + 1 : 0;
    case 6: return below(luck, n / 8 + 1);
    default: return below(luck, n);
    }
}

static void work(struct program *program, uint32_t function)
{
    uint32_t cost = 1 + (uint32_t)(mix(function) % 13);
    program->ticks += below(roll(program), cost);
}

static void enter(struct program *program, uint32_t node)
{
    program->open[program->level++] =
        (struct program_call){node, calls_to_make(program, &program->nodes[node]), program->ticks};
}

void program_step(struct program *program, struct program_step *step)
{
    struct program_call *innermost = program->level ? &program->open[program->level - 1] : NULL;
    uint32_t node;
    if (!innermost) {
        program->ticks += 1;
        node = choose(program, (uint32_t)(program->ticks % program->first_level), program->first_level);
        enter(program, node);
    } else if (innermost->left) {
        struct program_node *caller = &program->nodes[innermost->node];
        innermost->left--;
        caller->last_called = choose(program, caller->last_called, caller->children);
        node = caller->first_child + caller->last_called;
        work(program, caller->function);
        enter(program, node);
    } else {
        node = innermost->node;
        work(program, program->nodes[node].function);
        program->level--;
        *step = (struct program_step){false, program->nodes[node].function, program->level,
                                      innermost->start_ticks, program->ticks};
        return;
    }
    *step = (struct program_step){true, program->nodes[node].function, program->level - 1, program->ticks,
                                  program->ticks};
}
