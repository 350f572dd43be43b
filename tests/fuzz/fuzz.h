/* fuzz.h - the functions of a fuzz target: LLVMFuzzerTestOneInput() for a fuzzer, and an input to start from for
 * driver.c, which turns the target into a short test. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Appends a valid input, which will be damaged. */
void fuzz_begin_with(struct stream *stream);

/* Returns zeroed memory for a dialect's state, valid until the next call. A target must always pass the same `size`.
 * The memory is reused, since mapping megabytes again takes longer than an input. */
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
