/* fuzz.h - what a fuzz target is: LLVMFuzzerTestOneInput for a fuzzer, and an input to start from for
 * driver.c, which makes a short test of it that every test run does. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A sensible input, to be spoilt. */
void fuzz_begin_with(struct stream *stream);

/* Zeroed memory for a dialect's state of `size` bytes, the same size in each call of a target; lent until the
 * next call. It is the same memory each time: to have the kernel map megabytes again for an input takes longer
 * than the input. */
static inline void *fuzz_state(size_t size)
{
    static void *state;
    if (state)
        return memset(state, 0, size);
    state = calloc(1, size);
    if (!state)
        abort();
    return state;
}

#define FUZZ_CHECK(condition)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
