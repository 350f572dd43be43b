/* work.h - what an input costs: the basic blocks that it takes in code compiled with
 * -fsanitize-coverage=trace-pc (tests/fuzz/meson.build). The sender of bytes chooses what they cost, so each
 * byte has a budget. */
#ifndef FUZZ_WORK_H
#define FUZZ_WORK_H

#include <stddef.h>

/* Begins to count. */
void work_begin(void);

/* The blocks since then for each byte of an input of n bytes; some bytes are added to n, over which the cost
 * of an input as such is spread. Ends the program when the input took more than WORK_BUDGET a byte. */
double work_end(size_t n);

/* Prints the dearest of all inputs, if anything was counted. */
void work_print(void);

#endif
