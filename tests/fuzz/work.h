/* work.h - measures the cost of an input: the basic blocks that it runs in code compiled with
 * -fsanitize-coverage=trace-pc (tests/fuzz/meson.build). The sender controls the cost of its bytes, so each byte has a
 * budget. */
#ifndef FUZZ_WORK_H
#define FUZZ_WORK_H

#include <stddef.h>

/* Begins to count. */
void work_begin(void);

/* Returns the blocks a byte since work_begin() for an input of n bytes. Some bytes are added to n for an input's fixed
 * cost. Aborts if the input took more than WORK_BUDGET a byte. */
double work_end(size_t n);

/* Prints the highest cost of all inputs, if anything was counted. */
void work_print(void);

#endif
